//! Teams, projects, people, and the rules and policies that say who pays.

use accounting::facts::{Applies, Person, Policy, Project, Rule, Team};
use accounting::ids::Id;
use sqlx::postgres::PgPool;

use super::cells::{Cells, all, end_where_the_next_begins};
use crate::store::StoreError;
use crate::store::written::{conditions, pool, weights};

pub async fn teams(db: &PgPool) -> Result<Vec<Team>, StoreError> {
    let mut teams = all(
        db,
        "SELECT team, name, cost_center, entity, valid_from, valid_to FROM teams \
         ORDER BY team COLLATE \"C\", valid_from NULLS FIRST",
        |row| {
            Ok(Team {
                team: row.id("team")?,
                name: row.string("name")?,
                cost_center: row.maybe_id("cost_center")?,
                entity: row.maybe_id("entity")?,
                valid: row.validity("valid_from", "valid_to")?,
            })
        },
    )
    .await?;
    end_where_the_next_begins(&mut teams, |a, b| a.team == b.team, |t| &mut t.valid);
    Ok(teams)
}

pub async fn projects(db: &PgPool) -> Result<Vec<Project>, StoreError> {
    let mut projects = all(
        db,
        "SELECT project, name, team, entity, valid_from, valid_to FROM projects \
         ORDER BY project COLLATE \"C\", valid_from NULLS FIRST",
        |row| {
            Ok(Project {
                project: row.id("project")?,
                name: row.string("name")?,
                team: row.id("team")?,
                entity: row.maybe_id("entity")?,
                valid: row.validity("valid_from", "valid_to")?,
            })
        },
    )
    .await?;
    end_where_the_next_begins(
        &mut projects,
        |a, b| a.project == b.project,
        |p| &mut p.valid,
    );
    Ok(projects)
}

pub async fn people(db: &PgPool) -> Result<Vec<Person>, StoreError> {
    let mut people = all(
        db,
        "SELECT person, name, team, email, valid_from, valid_to FROM people \
         ORDER BY person COLLATE \"C\", valid_from NULLS FIRST",
        |row| {
            Ok(Person {
                person: row.id("person")?,
                name: row.maybe_text("name")?.map(str::to_owned),
                team: row.maybe_id("team")?,
                email: row.maybe_text("email")?.map(str::to_owned),
                valid: row.validity("valid_from", "valid_to")?,
            })
        },
    )
    .await?;
    end_where_the_next_begins(&mut people, |a, b| a.person == b.person, |p| &mut p.valid);
    Ok(people)
}

/// In the order they are tried in.
pub async fn rules(db: &PgPool) -> Result<Vec<Rule>, StoreError> {
    let mut rules = all(
        db,
        "SELECT \"order\", rule, applies, match, project, pool, person, valid_from, valid_to FROM rules \
         ORDER BY rule COLLATE \"C\", valid_from NULLS FIRST",
        rule,
    )
    .await?;
    end_where_the_next_begins(&mut rules, |a, b| a.rule == b.rule, |r| &mut r.valid);
    rules.sort_by(|a, b| (a.order, &a.rule).cmp(&(b.order, &b.rule)));
    Ok(rules)
}

fn rule(row: &Cells<'_>) -> Result<Rule, StoreError> {
    let applies = row.maybe_word("applies")?.unwrap_or(Applies::Workload);
    Ok(Rule {
        order: row.whole("order")?,
        rule: row.id("rule")?,
        applies,
        conditions: row.read("match", |text| conditions(text, applies))?,
        project: row.maybe_id("project")?,
        pool: row.maybe_id("pool")?,
        person: row.maybe_id("person")?,
        valid: row.validity("valid_from", "valid_to")?,
    })
}

pub async fn policies(db: &PgPool) -> Result<Vec<Policy>, StoreError> {
    all(
        db,
        "SELECT pool, policy, weights, from_month FROM policies ORDER BY pool COLLATE \"C\", from_month",
        |row| {
            let (pool, site) = row.read("pool", pool)?;
            Ok(Policy {
                pool: Id::from(pool.name()),
                site,
                policy: row.word("policy")?,
                weights: match row.maybe_text("weights")? {
                    Some(_) => row.read("weights", weights)?,
                    None => Vec::new(),
                },
                from_month: row.month("from_month")?,
            })
        },
    )
    .await
}
