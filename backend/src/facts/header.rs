//! Which fact file a header is of, and where its columns stand.
//!
//! The file's name decides where it names a kind, and the header must then agree; otherwise the header alone tells.

use api::Reason;

use super::files::{KINDS, UNREAD, all_names, kind, unread};
use super::kind::{Kind, Unread};
use crate::store::written::{nearest, not_one_of, owned, short};

/// Unknown columns named in one reason.
const MOST_NAMED: usize = 8;

pub enum Recognised {
    /// The kind, and for each of its columns the place in the header.
    Kind(&'static Kind, Vec<Option<usize>>),
    Unread(&'static Unread),
}

/// What a file is, by `forced` kind, else by its name, else by its header.
///
/// # Errors
/// A reason that names the column and the nearest known one.
pub fn recognise(stem: &str, header: &[&str], forced: Option<&str>) -> Result<Recognised, Reason> {
    for (index, name) in header.iter().enumerate() {
        if header.iter().take(index).any(|before| before == name) {
            return Err(Reason::ColumnTwice {
                column: short(name),
            });
        }
    }
    match forced.or_else(|| by_name(stem)) {
        Some(name) => match (kind(name), unread(name)) {
            (Some(kind), _) => agree(kind, header).map(|places| Recognised::Kind(kind, places)),
            (None, Some(unread)) => Ok(Recognised::Unread(unread)),
            (None, None) => Err(not_one_of(name, &all_names().collect::<Vec<_>>())),
        },
        None => by_header(header),
    }
}

/// `samples` of `samples`, `samples-2026-07`, `samples.part2`; the longest name that fits.
fn by_name(stem: &str) -> Option<&'static str> {
    let stem = stem.to_ascii_lowercase();
    all_names()
        .filter(|name| {
            stem.strip_prefix(name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '.', '_', ' ']))
        })
        .max_by_key(|name| name.len())
}

fn agree(kind: &'static Kind, header: &[&str]) -> Result<Vec<Option<usize>>, Reason> {
    let known = || kind.columns.iter().map(|column| column.name);
    if let Some(name) = unknown_columns(kind, header).first() {
        let missing: Vec<&str> = known().filter(|k| !header.contains(k)).collect();
        let near = nearest(name, missing.iter().copied()).or_else(|| nearest(name, known()));
        return Err(Reason::UnknownColumn {
            column: short(name),
            kind: kind.name.to_owned(),
            nearest: near.map(ToOwned::to_owned),
            known: match near {
                Some(_) => Vec::new(),
                None => known().map(ToOwned::to_owned).collect(),
            },
        });
    }
    let missing = missing_columns(kind, header);
    if !missing.is_empty() {
        return Err(Reason::MissingColumns {
            kind: kind.name.to_owned(),
            columns: owned(&missing),
        });
    }
    Ok(kind
        .columns
        .iter()
        .map(|column| header.iter().position(|name| *name == column.name))
        .collect())
}

fn unknown_columns<'a>(kind: &Kind, header: &[&'a str]) -> Vec<&'a str> {
    let unknown = header.iter().filter(|name| kind.column(name).is_none());
    unknown.copied().collect()
}

fn missing_columns(kind: &'static Kind, header: &[&str]) -> Vec<&'static str> {
    kind.columns
        .iter()
        .filter(|column| column.required && !header.contains(&column.name))
        .map(|column| column.name)
        .collect()
}

fn by_header(header: &[&str]) -> Result<Recognised, Reason> {
    let mut fits: Vec<Recognised> = KINDS
        .iter()
        .filter_map(|kind| Some(Recognised::Kind(kind, agree(kind, header).ok()?)))
        .collect();
    if fits.is_empty() {
        fits.extend(
            UNREAD
                .iter()
                .filter(|unread| {
                    header.len() >= 3 && header.iter().all(|name| unread.columns.contains(name))
                })
                .map(Recognised::Unread),
        );
    }
    if fits.len() > 1 {
        let names: Vec<&str> = fits.iter().map(Recognised::name).collect();
        return Err(Reason::HeaderOfSeveral {
            kinds: owned(&names),
        });
    }
    fits.pop().ok_or_else(|| nothing_fits(header))
}

fn nothing_fits(header: &[&str]) -> Reason {
    let closest = KINDS
        .iter()
        .map(|kind| {
            let shared = header
                .iter()
                .filter(|name| kind.column(name).is_some())
                .count();
            (shared, *kind)
        })
        .max_by_key(|(shared, kind)| (*shared, std::cmp::Reverse(kind.columns.len())))
        .filter(|(shared, _)| *shared > 0);
    match closest {
        Some((_, kind)) => Reason::HeaderNearly {
            kind: kind.name.to_owned(),
            unknown: unknown_columns(kind, header)
                .into_iter()
                .take(MOST_NAMED)
                .map(short)
                .collect(),
            missing: owned(&missing_columns(kind, header)),
        },
        None => Reason::HeaderOfNothing {
            first: short(header.first().copied().unwrap_or_default()),
        },
    }
}

impl Recognised {
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Kind(kind, _) => kind.name,
            Self::Unread(unread) => unread.name,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may")]
    use super::*;

    fn check(stem: &str, header: &str) -> Result<&'static str, Reason> {
        let header: Vec<&str> = header.split(',').collect();
        recognise(stem, &header, None).map(|found| found.name())
    }

    fn refusal(stem: &str, header: &str) -> String {
        check(stem, header).unwrap_err().to_string()
    }

    #[test]
    fn a_name_decides_and_the_header_must_agree() {
        assert_eq!(check("teams", "team,name"), Ok("teams"));
        assert_eq!(
            check("tariff_prices-2026", "tariff,month,level,price_per_kwh"),
            Ok("tariff_prices")
        );
        assert_eq!(check("work", "workload,start,end"), Ok("work"));
        assert_eq!(check("quotas", "project,site,model,devices"), Ok("quotas"));
        let error = refusal("teams", "team,nam");
        assert!(
            error.contains("`nam`") && error.contains("`name`"),
            "{error}"
        );
        let error = refusal("teams", "name");
        assert!(error.contains("missing column team"), "{error}");
        assert!(refusal("teams", "team,name,team").contains("twice"));
    }

    #[test]
    fn without_a_name_the_header_tells() {
        assert_eq!(check("export", "device,time,interval_s,g"), Ok("samples"));
        assert_eq!(check("export", "meter,time,kwh"), Ok("meter_readings"));
        assert_eq!(
            check("export", "project,site,model,devices,valid_from"),
            Ok("quotas")
        );
        let error = refusal("export", "device,time,interval_s,gg");
        assert!(
            error.contains("samples") && error.contains("`gg`"),
            "{error}"
        );
        let error = refusal("export", "team,nam,cost_center");
        assert!(
            error.ends_with("teams, which does not know `nam` and needs `name`"),
            "{error}"
        );
        assert!(refusal("export", "x,y").contains("no fact file"));
    }

    #[test]
    fn every_minimal_header_is_of_its_kind_by_name() {
        for kind in KINDS {
            let header: Vec<&str> = kind
                .columns
                .iter()
                .filter(|c| c.required)
                .map(|c| c.name)
                .collect();
            assert_eq!(check(kind.name, &header.join(",")), Ok(kind.name));
        }
    }
}
