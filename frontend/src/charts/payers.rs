//! Colours of payers: eight for projects, never a category's; greys for what no project bears.

/// Number of project colours in the style sheet, `--project-1` … `--project-8`.
const COLOURS: usize = 8;

/// The custom property of each payer, in the order given. A project's colour comes from its id, so that it is the same
/// on every page; where two shown together would clash, the later takes the next free one.
pub fn colours(ids: &[&str]) -> Vec<String> {
    let mut taken = [false; COLOURS];
    let mut pools = 0_usize;
    ids.iter()
        .map(|id| match *id {
            "unattributed" => "--payer-unattributed".to_owned(),
            "others" => "--payer-others".to_owned(),
            pool if pool.starts_with("pool:") => {
                pools += 1;
                format!("--payer-pool-{}", (pools - 1) % 3 + 1)
            }
            project => {
                let wanted = home(project);
                let free = (0..COLOURS)
                    .map(|step| (wanted + step) % COLOURS)
                    .find(|slot| taken.get(*slot) == Some(&false))
                    .unwrap_or(wanted);
                if let Some(slot) = taken.get_mut(free) {
                    *slot = true;
                }
                format!("--project-{}", free + 1)
            }
        })
        .collect()
}

/// FNV-1a over the id, so that the colour does not depend on what else is shown.
fn home(id: &str) -> usize {
    let hash = id.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    usize::try_from(hash).unwrap_or(0) % COLOURS
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::colours;

    #[test]
    fn eight_projects_have_eight_colours() {
        let ids = ["a", "b", "c", "d", "e", "f", "g", "h"];
        assert_eq!(colours(&ids).into_iter().collect::<BTreeSet<_>>().len(), 8);
    }

    #[test]
    fn a_project_keeps_its_colour_when_it_stands_alone() {
        let together = colours(&["nlp-research", "others"]);
        assert_eq!(together.first(), colours(&["nlp-research"]).first());
    }

    #[test]
    fn what_no_project_bears_is_grey() {
        assert_eq!(
            colours(&["unattributed", "pool:shared", "pool:tax", "others"]),
            [
                "--payer-unattributed",
                "--payer-pool-1",
                "--payer-pool-2",
                "--payer-others"
            ]
        );
    }
}
