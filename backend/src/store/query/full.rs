//! Full cost: what a payer bears after the pools are given out, month by month, and tokens per yuan of it.
//!
//! The base is the whole month, all sites, so that a narrower question never changes what a pool gives to whom;
//! filtering comes after allocation.

use std::collections::BTreeMap;

use accounting::allocate::{Direct, Payer, PoolSum, allocate};
use accounting::category::Pool;
use accounting::efficiency::{TokenKind, full_cost};
use accounting::facts::Policy;
use accounting::ids::Id;
use accounting::time::Month;
use chrono::NaiveDate;

use super::answer::Sum;
use super::owners::Owners;
use super::question::Key;
use super::sums::{Ask, Line, Quality};
use super::{Books, BooksReadError};
use crate::store::load;
use crate::store::scope::Scope;

/// Yuan after allocation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FullSum {
    pub yuan: i64,
}

/// Tokens and the full cost of the work that reports them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FullWork {
    pub tokens: Option<i64>,
    pub cost: i64,
}

impl Sum for FullSum {
    fn add(&mut self, other: &Self) {
        self.yuan = self.yuan.saturating_add(other.yuan);
    }
}

impl Sum for FullWork {
    fn add(&mut self, other: &Self) {
        if let Some(tokens) = other.tokens {
            self.tokens = Some(self.tokens.unwrap_or(0).saturating_add(tokens));
        }
        self.cost = self.cost.saturating_add(other.cost);
    }
}

/// One payer's (or kept pool's) yuan at a site in a month.
#[derive(Clone, Debug)]
struct Share {
    month: Month,
    site: String,
    /// A project, `unattributed`, or empty for what stays in a pool.
    project: String,
    pool: String,
    yuan: i64,
    direct: i64,
    quality: Quality,
}

const UNATTRIBUTED: &str = "unattributed";

impl Books {
    /// Full cost by the keys asked for.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) async fn full_cost(
        &self,
        ask: &Ask<'_>,
    ) -> Result<Vec<Line<FullSum>>, BooksReadError> {
        let mut lines: BTreeMap<(Option<NaiveDate>, Vec<String>), (Quality, FullSum)> =
            BTreeMap::new();
        for share in self.shares(ask).await? {
            let Some(last) = last_day(share.month) else {
                continue;
            };
            if !allowed(ask, &share, last) {
                continue;
            }
            let key = |key: Key| value(ask.owners, &share, key, last);
            let groups = ask.groups.iter().map(|k| key(*k)).collect();
            let period = ask
                .grain
                .and_then(|_| share.month.first_day())
                .map(|first| first.max(ask.from));
            let (quality, sum) = lines.entry((period, groups)).or_default();
            quality.add(&share.quality);
            sum.yuan = sum.yuan.saturating_add(share.yuan);
        }
        let line = |((period, groups), (quality, sum))| Line {
            period,
            groups,
            quality,
            sum,
        };
        Ok(lines.into_iter().map(line).collect())
    }

    /// Tokens and full cost: direct × (the project's cost after allocation ÷ its direct cost), month by month.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) async fn full_tokens_per_yuan(
        &self,
        ask: &Ask<'_>,
        kind: Option<TokenKind>,
    ) -> Result<Vec<Line<FullWork>>, BooksReadError> {
        let mut full: BTreeMap<(String, String), (i64, i64)> = BTreeMap::new();
        for share in self
            .shares(ask)
            .await?
            .into_iter()
            .filter(|share| !share.project.is_empty())
        {
            let (direct, after) = full
                .entry((share.project, share.month.to_string()))
                .or_default();
            *direct = direct.saturating_add(share.direct);
            *after = after.saturating_add(share.yuan);
        }
        let mut groups = ask.groups.to_vec();
        groups.extend([Key::Project, Key::Month]);
        let fine = Ask {
            groups: &groups,
            ..*ask
        };
        let mut lines: BTreeMap<(Option<NaiveDate>, Vec<String>), (Quality, FullWork)> =
            BTreeMap::new();
        for mut line in fine.work(&self.pool).await? {
            let month = line.groups.pop().unwrap_or_default();
            let project = line.groups.pop().unwrap_or_default();
            // Work without any direct cost has none after allocation either; its tokens count all the same.
            let cost = full
                .get(&(project, month))
                .and_then(|(direct, after)| full_cost(line.sum.cost_of(kind), *after, *direct))
                .unwrap_or(0);
            let (quality, sum) = lines.entry((line.period, line.groups)).or_default();
            quality.add(&line.quality);
            sum.add(&FullWork {
                tokens: line.sum.tokens_of(kind),
                cost,
            });
        }
        let line = |((period, groups), (quality, sum))| Line {
            period,
            groups,
            quality,
            sum,
        };
        Ok(lines.into_iter().map(line).collect())
    }

    /// Direct cost and allocated pools of every month of the range, for the whole company.
    async fn shares(&self, ask: &Ask<'_>) -> Result<Vec<Share>, BooksReadError> {
        let groups = [Key::Month, Key::Site, Key::Project, Key::Pool];
        let scope = Scope::Company;
        let whole = Ask {
            scope: &scope,
            groups: &groups,
            filters: &[],
            grain: None,
            ..*ask
        };
        let policies = load::policies(&self.pool).await?;
        let mut months: BTreeMap<Month, Vec<Share>> = BTreeMap::new();
        for line in whole.books(&self.pool).await? {
            let [month, site, project, pool] = line.groups.as_slice() else {
                continue;
            };
            let Some(month) = Month::parse(month) else {
                continue;
            };
            months.entry(month).or_default().push(Share {
                month,
                site: site.clone(),
                project: project.clone(),
                pool: pool.clone(),
                yuan: line.sum.yuan,
                direct: if pool.is_empty() { line.sum.yuan } else { 0 },
                quality: line.quality,
            });
        }
        Ok(months
            .into_iter()
            .flat_map(|(month, rows)| give_out(month, rows, &policies))
            .collect())
    }
}

/// The month's rows with its pools given to payers.
fn give_out(month: Month, rows: Vec<Share>, policies: &[Policy]) -> Vec<Share> {
    let (pools, mut out): (Vec<Share>, Vec<Share>) =
        rows.into_iter().partition(|row| !row.pool.is_empty());
    let direct: Vec<Direct> = out
        .iter()
        .map(|row| Direct {
            site: Id::from(row.site.as_str()),
            payer: (row.project != UNATTRIBUTED).then(|| Id::from(row.project.as_str())),
            amount: row.yuan,
        })
        .collect();
    for held in pools {
        let Some(pool) = Pool::parse(&held.pool) else {
            continue;
        };
        let sum = PoolSum {
            pool,
            site: Id::from(held.site.as_str()),
            amount: held.yuan,
        };
        let (parts, _) = allocate(month, &direct, std::slice::from_ref(&sum), policies);
        out.extend(parts.into_iter().map(|part| {
            let (project, pool) = match part.payer {
                Payer::Kept => (String::new(), held.pool.clone()),
                Payer::Unattributed => (UNATTRIBUTED.to_owned(), String::new()),
                Payer::Project(project) => (project.to_string(), String::new()),
            };
            Share {
                project,
                pool,
                yuan: part.amount,
                direct: 0,
                ..held.clone()
            }
        }));
    }
    out
}

fn allowed(ask: &Ask<'_>, share: &Share, last: NaiveDate) -> bool {
    let scoped = match ask.scope {
        Scope::Company => true,
        Scope::Team(team) => {
            !share.project.is_empty() && ask.owners.of(&share.project, last).0 == team
        }
        Scope::Projects(projects) => projects.contains(&share.project),
    };
    scoped
        && ask
            .filters
            .iter()
            .all(|(key, values)| values.contains(&value(ask.owners, share, *key, last)))
}

/// What a share is under a key; roll-ups of a month use the relations of its last day.
fn value(owners: &Owners, share: &Share, key: Key, last: NaiveDate) -> String {
    match key {
        Key::Project => share.project.clone(),
        Key::Team => owners.of(&share.project, last).0.to_owned(),
        Key::CostCenter => owners.of(&share.project, last).1.to_owned(),
        Key::Site => share.site.clone(),
        Key::Pool => share.pool.clone(),
        Key::Month => share.month.to_string(),
        _ => String::new(),
    }
}

fn last_day(month: Month) -> Option<NaiveDate> {
    month.plus(1).first_day()?.pred_opt()
}
