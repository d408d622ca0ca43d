//! The waste ranking: one entry per category, sub-reason and scope, with the rule that fired and who can fix it.
//!
//! What a payer bears is his project's to fix; what pools bear lies with the site. `useful` and what nobody can judge are
//! no waste: the latter stands beside the ranking, with the sensor that would resolve it.

use std::collections::BTreeMap;

use accounting::category::Category;
use accounting::money::round_half_away;
use api::Yuan;
use api::query::About;
use api::waste::{UnknownCost, WasteAnswer, WasteEntry};
use chrono::NaiveDate;

use super::answer::{hours_text, total};
use super::compare::{Compare, Days};
use super::question::Key;
use super::sums::{Ask, CellSum, Line};
use super::{Books, BooksReadError};
use crate::store::scope::Scope;

/// What the ranking is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WasteQuestion {
    pub from: NaiveDate,
    /// Exclusive.
    pub to: NaiveDate,
    pub filters: Vec<(Key, Vec<String>)>,
}

/// Category, sub-reason, project (empty: nobody's) and site (empty for a project's entries).
type Place = (Category, String, String, String);

#[derive(Clone, Debug, Default)]
struct Found {
    yuan: i64,
    ms: i64,
    by_mode: BTreeMap<String, i64>,
}

impl Books {
    /// The ranking of the range, largest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn waste(
        &self,
        scope: &Scope,
        question: &WasteQuestion,
    ) -> Result<WasteAnswer, BooksReadError> {
        let owners = self.checked_owners().await?;
        let groups = [
            Key::Category,
            Key::Reason,
            Key::Project,
            Key::Site,
            Key::Mode,
        ];
        let ask = Ask {
            scope,
            owners: &owners,
            from: question.from,
            to: question.to,
            groups: &groups,
            filters: &question.filters,
            grain: None,
        };
        let now = ask.cells(&self.pool).await?;
        let comparison = self
            .comparison(Compare::Previous, question.from, question.to)
            .await?;
        let before = match comparison.usable() {
            Some(Days { from, to }) => Some(Ask { from, to, ..ask }.cells(&self.pool).await?),
            None => None,
        };
        let sum = total(&now);
        let whole = sum.sum.time.saturating_add(sum.sum.electricity);
        let found = places(&now);
        let previous = before.as_deref().map(places);
        let sites = self.site_names().await?;
        let scopes = scope_costs(&now);
        let mut entries: Vec<(i64, WasteEntry)> = found
            .iter()
            .filter(|((category, ..), _)| is_waste(*category))
            .map(|(place, found)| {
                let before = previous
                    .as_ref()
                    .map(|previous| previous.get(place).map_or(0, |found| found.yuan));
                let (_, _, project, site) = place;
                let name = if project.is_empty() {
                    sites.get(site).map_or(site.as_str(), String::as_str)
                } else {
                    owners.name(project)
                };
                (found.yuan, entry(place, found, before, &scopes, name))
            })
            .filter(|(yuan, _)| *yuan != 0)
            .collect();
        // Equal yuan keep the order of the ladder, then of names.
        entries.sort_by_key(|(yuan, _)| std::cmp::Reverse(*yuan));
        Ok(WasteAnswer {
            from: question.from.to_string(),
            to: question.to.to_string(),
            compare_from: comparison.against.map(|days| days.from.to_string()),
            compare_to: comparison.against.map(|days| days.to.to_string()),
            not_compared: comparison.missing,
            entries: entries.into_iter().map(|(_, entry)| entry).collect(),
            unknown: unknown(&found),
            total: Yuan::from_micro(whole),
            about: About {
                currency: self.currency.clone(),
                zone: self.zone.name().to_owned(),
                as_of: self.as_of(question.from, question.to).await?,
                status: sum.quality.status(),
                coverage: sum.quality.coverage(),
            },
        })
    }
}

fn groups_of(line: &Line<CellSum>) -> Option<(Category, &str, &str, &str, &str)> {
    let [category, reason, project, site, mode] = line.groups.as_slice() else {
        return None;
    };
    Some((Category::parse(category)?, reason, project, site, mode))
}

fn places(lines: &[Line<CellSum>]) -> BTreeMap<Place, Found> {
    let mut out: BTreeMap<Place, Found> = BTreeMap::new();
    for line in lines {
        let Some((category, reason, project, site, mode)) = groups_of(line) else {
            continue;
        };
        let site = if project.is_empty() { site } else { "" };
        let found = out
            .entry((
                category,
                reason.to_owned(),
                project.to_owned(),
                site.to_owned(),
            ))
            .or_default();
        let yuan = line.sum.time.saturating_add(line.sum.electricity);
        found.yuan = found.yuan.saturating_add(yuan);
        found.ms = found.ms.saturating_add(line.sum.ms);
        let by_mode = found.by_mode.entry(mode.to_owned()).or_default();
        *by_mode = by_mode.saturating_add(yuan);
    }
    out
}

/// Cost of each project and of each site, which shares are of.
fn scope_costs(lines: &[Line<CellSum>]) -> BTreeMap<(bool, String), i64> {
    let mut out: BTreeMap<(bool, String), i64> = BTreeMap::new();
    for (_, _, project, site, _, yuan) in lines.iter().filter_map(|line| {
        let (category, reason, project, site, mode) = groups_of(line)?;
        Some((
            category,
            reason,
            project,
            site,
            mode,
            line.sum.time.saturating_add(line.sum.electricity),
        ))
    }) {
        let sum = out.entry((false, site.to_owned())).or_default();
        *sum = sum.saturating_add(yuan);
        if !project.is_empty() {
            let sum = out.entry((true, project.to_owned())).or_default();
            *sum = sum.saturating_add(yuan);
        }
    }
    out
}

fn entry(
    place: &Place,
    found: &Found,
    previous: Option<i64>,
    scopes: &BTreeMap<(bool, String), i64>,
    name: &str,
) -> WasteEntry {
    let (category, reason, project, site) = place;
    let of_project = !project.is_empty();
    let scope = if of_project { project } else { site };
    let cost = scopes
        .get(&(of_project, scope.clone()))
        .copied()
        .unwrap_or(0);
    let mode = found
        .by_mode
        .iter()
        .max_by_key(|(_, yuan)| **yuan)
        .map_or(String::new(), |(mode, _)| mode.clone());
    WasteEntry {
        category: category.name().to_owned(),
        group: category.group().to_owned(),
        reason: reason.clone(),
        scope_kind: if of_project { "project" } else { "site" }.to_owned(),
        scope: scope.clone(),
        scope_name: name.to_owned(),
        yuan: Yuan::from_micro(found.yuan),
        share: round_half_away(
            i128::from(found.yuan).saturating_mul(10_000),
            i128::from(cost),
        ),
        device_hours: hours_text(found.ms),
        mode,
        previous: previous.map(Yuan::from_micro),
        who_can_fix: who_can_fix(*category, reason, of_project).to_owned(),
        rule: format!("rule.{}", category.name()),
        rule_numbers: numbers(*category, reason),
        advice: format!("advice.{}", advice(*category, reason)),
    }
}

/// The categories that somebody can do something about.
#[must_use]
pub fn is_waste(category: Category) -> bool {
    !matches!(
        category,
        Category::Useful
            | Category::NonDevice
            | Category::UnknownAlloc
            | Category::UnknownActivity
            | Category::BusyUnrated
    )
}

fn who_can_fix(category: Category, reason: &str, of_project: bool) -> &'static str {
    match category {
        Category::Unallocated if reason == "fragmentation" => "scheduler",
        Category::Unallocated => "platform",
        Category::OutOfService => "operations",
        Category::Throttled => "facility",
        _ if of_project => "project",
        _ => "platform",
    }
}

/// The thresholds of the rule, as the ladder has them, in signs that need no translation.
fn numbers(category: Category, reason: &str) -> Vec<(String, String)> {
    let pairs: &[(&str, &str)] = match (category, reason) {
        (Category::HeldIdle, "startup") => &[("G", "< 1 %"), ("t", "≥ 10 min, ≤ 30 min")],
        (Category::HeldIdle, "abandoned") => &[("G", "< 1 %"), ("t", "> 60 min")],
        (Category::HeldIdle, _) => &[("G", "< 1 %"), ("t", "≥ 10 min")],
        _ => &[],
    };
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

/// The sub-reason has an advice of its own where it calls for something else than its category.
fn advice(category: Category, reason: &str) -> &str {
    const OWN: [&str; 7] = [
        "reserved_unused",
        "fragmentation",
        "stopped",
        "startup",
        "serving_standby",
        "interactive",
        "abandoned",
    ];
    if OWN.contains(&reason) {
        reason
    } else {
        category.name()
    }
}

fn unknown(found: &BTreeMap<Place, Found>) -> Vec<UnknownCost> {
    [
        Category::UnknownAlloc,
        Category::UnknownActivity,
        Category::BusyUnrated,
    ]
    .into_iter()
    .filter_map(|category| {
        let yuan = found
            .iter()
            .filter(|((found, ..), _)| *found == category)
            .fold(0, |sum: i64, (_, found)| sum.saturating_add(found.yuan));
        (yuan != 0).then(|| UnknownCost {
            category: category.name().to_owned(),
            yuan: Yuan::from_micro(yuan),
            resolved_by: format!("sensor.{}", category.name()),
        })
    })
    .collect()
}
