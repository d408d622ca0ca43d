//! The bar "where each yuan went": its segments and groups, from the categories of the answer.

use api::overview::CategoryCost;

use crate::format;

/// Groups in the order of the bar, best first.
pub const GROUPS: [&str; 7] = [
    "useful",
    "waiting",
    "weak",
    "idle",
    "lost",
    "unknown",
    "non_device",
];

/// One category of the bar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    pub category: String,
    pub micro: i64,
    /// Of the whole cost, micro-units.
    pub share: i128,
    /// Width in the bar, CSS percent; `None` for amounts of 0 or below, which a bar cannot show.
    pub width: Option<String>,
}

/// The categories of one group with their sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    pub group: &'static str,
    pub micro: i64,
    pub share: i128,
    pub segments: Vec<Segment>,
}

/// Groups that have yuan, in the bar's order; categories keep the ladder's. `total` is the cost they sum to.
pub fn groups(categories: &[CategoryCost], total: i64) -> Vec<Group> {
    let amount = |one: &CategoryCost| one.total.micro().unwrap_or(0);
    let drawn: i128 = categories
        .iter()
        .map(|one| i128::from(amount(one).max(0)))
        .sum();
    let share = |micro: i64| format::ratio(i128::from(micro), i128::from(total)).unwrap_or(0);
    GROUPS
        .into_iter()
        .filter_map(|group| {
            let segments: Vec<Segment> = categories
                .iter()
                .filter(|one| one.group == group && amount(one) != 0)
                .map(|one| Segment {
                    category: one.category.clone(),
                    micro: amount(one),
                    share: share(amount(one)),
                    width: width(amount(one), drawn),
                })
                .collect();
            let micro = segments.iter().map(|segment| segment.micro).sum();
            (!segments.is_empty()).then(|| Group {
                group,
                micro,
                share: share(micro),
                segments,
            })
        })
        .collect()
}

fn width(micro: i64, drawn: i128) -> Option<String> {
    if micro <= 0 {
        return None;
    }
    let share = format::ratio(i128::from(micro), drawn)?;
    Some(format!("{}.{:04}%", share / 10_000, share % 10_000))
}

#[cfg(test)]
mod tests {
    use api::Yuan;
    use api::overview::CategoryCost;

    use super::groups;

    fn category(name: &str, group: &str, micro: i64) -> CategoryCost {
        CategoryCost {
            category: name.into(),
            group: group.into(),
            time: Yuan::from_micro(micro),
            electricity: Yuan::from_micro(0),
            total: Yuan::from_micro(micro),
            compare: None,
        }
    }

    #[test]
    fn groups_follow_the_bar_and_sum_to_the_whole() {
        let found = groups(
            &[
                category("unallocated", "idle", 1_800_000),
                category("held_idle", "idle", 1_200_000),
                category("throttled", "weak", 0),
                category("useful", "useful", 5_700_000),
                category("non_device", "non_device", -700_000),
            ],
            8_000_000,
        );
        let names: Vec<_> = found.iter().map(|group| group.group).collect();
        assert_eq!(names, ["useful", "idle", "non_device"]);
        assert_eq!(
            found.iter().map(|group| group.micro).sum::<i64>(),
            8_000_000
        );
        let idle = found.get(1).map(|group| {
            let widths: Vec<_> = group.segments.iter().map(|one| one.width.clone()).collect();
            (group.share, widths)
        });
        assert_eq!(
            idle,
            Some((
                375_000,
                vec![Some("20.6897%".into()), Some("13.7931%".into())]
            ))
        );
        let last = found.last().and_then(|group| group.segments.first());
        assert_eq!(last.and_then(|one| one.width.clone()), None);
    }
}
