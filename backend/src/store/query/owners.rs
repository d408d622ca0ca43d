//! Whose a project was on a ledger day: team and cost centre, as disjoint runs of days, so that a join cannot double.

use std::collections::BTreeMap;

use accounting::time::{Ms, Zone, day_start, local_at};
use chrono::NaiveDate;
use sqlx::{PgPool, Postgres, QueryBuilder, Row as _};

/// Runs of days `[first, after)` in which a project had one team and cost centre; empty text is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Owners {
    runs: Vec<Run>,
    /// The latest name of every project.
    pub names: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Run {
    project: String,
    team: String,
    cost_center: String,
    first: NaiveDate,
    after: NaiveDate,
}

/// One effective-dated row: id, what it says, and its validity.
type Dated = (String, String, Option<Ms>, Option<Ms>);

impl Owners {
    /// Reads projects and teams.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn read(pool: &PgPool, zone: Zone) -> Result<Self, sqlx::Error> {
        let projects = dated(pool, Table::Projects).await?;
        let teams = dated(pool, Table::Teams).await?;
        let mut names = BTreeMap::new();
        let rows =
            sqlx::query("SELECT project, name FROM projects ORDER BY valid_from NULLS FIRST")
                .fetch_all(pool)
                .await?;
        for row in rows {
            names.insert(row.try_get(0)?, row.try_get(1)?);
        }
        Ok(Self {
            runs: runs(zone, &projects, &teams),
            names,
        })
    }

    /// `owners (project, team, cost_center, first, after)` for a `WITH` clause.
    pub fn push_cte(&self, sql: &mut QueryBuilder<Postgres>) {
        let column = |pick: fn(&Run) -> &String| -> Vec<String> {
            self.runs.iter().map(|run| pick(run).clone()).collect()
        };
        sql.push("owners (project, team, cost_center, first, after) AS (SELECT * FROM unnest(");
        sql.push_bind(column(|run| &run.project));
        sql.push("::text[], ");
        sql.push_bind(column(|run| &run.team));
        sql.push("::text[], ");
        sql.push_bind(column(|run| &run.cost_center));
        sql.push("::text[], ");
        sql.push_bind(self.runs.iter().map(|run| run.first).collect::<Vec<_>>());
        sql.push("::date[], ");
        sql.push_bind(self.runs.iter().map(|run| run.after).collect::<Vec<_>>());
        sql.push("::date[]))");
    }

    /// Team and cost centre of a project on a day.
    #[must_use]
    pub fn of(&self, project: &str, day: NaiveDate) -> (&str, &str) {
        self.runs
            .iter()
            .find(|run| run.project == project && run.first <= day && day < run.after)
            .map_or(("", ""), |run| (&run.team, &run.cost_center))
    }

    /// The projects a team has on a day.
    #[must_use]
    pub fn projects_of(&self, team: &str, day: NaiveDate) -> Vec<String> {
        self.runs
            .iter()
            .filter(|run| run.team == team && run.first <= day && day < run.after)
            .map(|run| run.project.clone())
            .collect()
    }

    /// The project's latest name; its id where it has none.
    #[must_use]
    pub fn name<'a>(&'a self, project: &'a str) -> &'a str {
        self.names
            .get(project)
            .map_or(project, |name| if name.is_empty() { project } else { name })
    }
}

enum Table {
    Projects,
    Teams,
}

async fn dated(pool: &PgPool, table: Table) -> Result<Vec<Dated>, sqlx::Error> {
    let statement = match table {
        Table::Projects => {
            "SELECT project, team, (extract(epoch FROM valid_from) * 1000)::bigint,
                    (extract(epoch FROM valid_to) * 1000)::bigint FROM projects"
        }
        Table::Teams => {
            "SELECT team, coalesce(cost_center, ''), (extract(epoch FROM valid_from) * 1000)::bigint,
                    (extract(epoch FROM valid_to) * 1000)::bigint FROM teams"
        }
    };
    sqlx::query_as(statement).fetch_all(pool).await
}

/// The row valid at the first instant of a day, else the first that begins within it.
fn valid_on<'a>(zone: Zone, rows: &[&'a Dated], day: NaiveDate) -> Option<&'a str> {
    let start = day_start(zone, day);
    let end = day_start(zone, day.succ_opt().unwrap_or(day));
    rows.iter()
        .filter(|(_, _, from, to)| {
            from.is_none_or(|from| from < end) && to.is_none_or(|to| to > start)
        })
        .min_by_key(|(_, _, from, _)| from.map_or(Ms::MIN, |from| from.max(start)))
        .map(|(_, says, _, _)| says.as_str())
}

fn runs(zone: Zone, projects: &[Dated], teams: &[Dated]) -> Vec<Run> {
    let by_id = |rows: &[Dated]| -> BTreeMap<String, Vec<usize>> {
        let mut map: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, (id, ..)) in rows.iter().enumerate() {
            map.entry(id.clone()).or_default().push(index);
        }
        map
    };
    let team_rows = by_id(teams);
    let team_changes = changes(zone, teams);
    let mut out: Vec<Run> = Vec::new();
    for (project, indexes) in by_id(projects) {
        let rows: Vec<&Dated> = indexes
            .iter()
            .filter_map(|index| projects.get(*index))
            .collect();
        let mut days = changes(zone, projects);
        days.extend(&team_changes);
        days.sort_unstable();
        days.dedup();
        for (index, first) in days.iter().enumerate() {
            let Some(team) = valid_on(zone, &rows, *first) else {
                continue;
            };
            let teams: Vec<&Dated> = team_rows
                .get(team)
                .into_iter()
                .flatten()
                .filter_map(|index| teams.get(*index))
                .collect();
            let run = Run {
                project: project.clone(),
                team: team.to_owned(),
                cost_center: valid_on(zone, &teams, *first).unwrap_or("").to_owned(),
                first: *first,
                after: days.get(index.saturating_add(1)).copied().unwrap_or(LAST),
            };
            match out.last_mut() {
                Some(last)
                    if last.after == run.first
                        && (&last.project, &last.team, &last.cost_center)
                            == (&run.project, &run.team, &run.cost_center) =>
                {
                    last.after = run.after;
                }
                _ => out.push(run),
            }
        }
    }
    out
}

/// PostgreSQL's dates reach further than any ledger; these two bound every run.
const FIRST: NaiveDate = date(1900, 1, 1);
const LAST: NaiveDate = date(9999, 12, 31);

const fn date(year: i32, month: u32, day: u32) -> NaiveDate {
    match NaiveDate::from_ymd_opt(year, month, day) {
        Some(date) => date,
        None => NaiveDate::MIN,
    }
}

/// The days on which what is valid can differ from the day before.
fn changes(zone: Zone, rows: &[Dated]) -> Vec<NaiveDate> {
    let mut out = vec![FIRST];
    for (_, _, from, to) in rows {
        for at in [from, to].into_iter().flatten() {
            if let Some(local) = local_at(zone, *at) {
                let day = local.date();
                out.push(day);
                out.extend(day.succ_opt());
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may")]
    use super::*;

    fn at(text: &str) -> Option<Ms> {
        Some(day_start(Zone::Asia__Shanghai, text.parse().unwrap()))
    }

    #[test]
    fn the_owner_is_the_one_of_the_day() {
        let projects = vec![
            ("p".to_owned(), "red".to_owned(), None, at("2026-07-10")),
            ("p".to_owned(), "blue".to_owned(), at("2026-07-10"), None),
            (
                "late".to_owned(),
                "red".to_owned(),
                at("2026-07-05").map(|ms| ms + 36_000_000),
                None,
            ),
        ];
        let teams = vec![
            ("red".to_owned(), "c1".to_owned(), None, None),
            ("blue".to_owned(), "c2".to_owned(), None, at("2026-08-01")),
        ];
        let owners = Owners {
            runs: runs(Zone::Asia__Shanghai, &projects, &teams),
            names: BTreeMap::new(),
        };
        let check = |project: &str, day: &str, team: &str, cost_center: &str| {
            assert_eq!(
                owners.of(project, day.parse().unwrap()),
                (team, cost_center),
                "{project} {day}"
            );
        };
        check("p", "2026-07-09", "red", "c1");
        check("p", "2026-07-10", "blue", "c2");
        check("p", "2026-08-01", "blue", "");
        check("late", "2026-07-04", "", "");
        check("late", "2026-07-05", "red", "c1");
        check("nobody", "2026-07-05", "", "");
        for (run, next) in owners.runs.iter().zip(owners.runs.iter().skip(1)) {
            assert!(run.project != next.project || run.after <= next.first);
        }
    }
}
