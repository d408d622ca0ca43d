//! What ids are called: the names beside an answer, so that a reader need not know ids.

use std::collections::{BTreeMap, BTreeSet};

use api::query::{NamedAnswer, QueryAnswer};

use super::question::{Key, Question};
use super::{Books, BooksReadError};

impl Books {
    /// An answer with the names of the ids it is grouped by. Only ids of the answer's own rows are named, so that a scope
    /// that does not see something is not told what it is called either.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn named(
        &self,
        question: &Question,
        answer: QueryAnswer,
    ) -> Result<NamedAnswer, BooksReadError> {
        let mut names = BTreeMap::new();
        for (index, key) in question.groups.iter().enumerate() {
            let Some(statement) = statement(*key) else {
                continue;
            };
            let groups = answer.rows.iter().filter_map(|row| row.groups.get(index));
            let ids: BTreeSet<&String> = groups.flatten().filter(|id| !id.is_empty()).collect();
            let ids: Vec<&str> = ids.into_iter().map(String::as_str).collect();
            // The latest name comes last, and stays.
            let found: Vec<(String, String)> = sqlx::query_as(statement)
                .bind(ids)
                .fetch_all(&self.pool)
                .await?;
            names.insert(key.name().to_owned(), found.into_iter().collect());
        }
        Ok(NamedAnswer { answer, names })
    }

    /// The latest name of every site.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) async fn site_names(&self) -> Result<BTreeMap<String, String>, sqlx::Error> {
        let rows: Vec<(String, String)> = sqlx::query_as(
            "SELECT site, name FROM sites WHERE name <> '' ORDER BY valid_from NULLS FIRST",
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows.into_iter().collect())
    }
}

/// Ids and names of what has a name of its own, the latest last.
const fn statement(key: Key) -> Option<&'static str> {
    match key {
        Key::Project => Some(
            "SELECT project, name FROM projects WHERE project = ANY($1) AND name <> ''
             ORDER BY valid_from NULLS FIRST",
        ),
        Key::Team => Some(
            "SELECT team, name FROM teams WHERE team = ANY($1) AND name <> '' ORDER BY valid_from NULLS FIRST",
        ),
        Key::Site => Some(
            "SELECT site, name FROM sites WHERE site = ANY($1) AND name <> '' ORDER BY valid_from NULLS FIRST",
        ),
        Key::Person => Some(
            "SELECT person, name FROM people WHERE person = ANY($1) AND name <> ''
             ORDER BY valid_from NULLS FIRST",
        ),
        Key::Workload => {
            Some("SELECT workload, name FROM workloads WHERE workload = ANY($1) AND name <> ''")
        }
        _ => None,
    }
}
