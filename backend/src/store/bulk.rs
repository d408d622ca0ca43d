//! One fact file into its table: COPY into a staging table, then one comparison and one write.
//!
//! The staging table lives in the file's transaction. Rows that repeat a key with other values are taken out of it,
//! what is left is compared with what is stored, and the days touched by what really changed are marked.

use sqlx::postgres::{PgConnection, PgCopyIn};
use sqlx::{AssertSqlSafe, Row as _};

/// What makes a row itself.
#[derive(Clone, Copy, Debug)]
pub enum Identity {
    /// The same key again replaces the row.
    Key(&'static [&'static str]),
    /// Rows with the same `of` are replaced together; where the last column of `unless` is given, only the row with
    /// the same `of` and `unless`.
    Group {
        of: &'static [&'static str],
        unless: Option<&'static [&'static str]>,
    },
}

/// Which days a changed row touches; instants reach 60 minutes further on both sides.
#[derive(Clone, Copy, Debug)]
pub enum Touches {
    Always,
    /// From one instant to another; missing is open.
    Between(&'static str, &'static str),
    /// From an instant on.
    Onward(&'static str),
    /// From a date on.
    OnwardDay(&'static str),
    /// From the first day of a month to the last of another.
    Months(&'static str, &'static str),
    Day(&'static str),
    /// `[time, time + interval_ms)`; the device's minutes are laid again, too.
    Sample,
    /// From the readings before to the readings after.
    Reading,
    /// Like `Between`; where a device was ever lost, on without end, since a node that comes up ends that.
    State(&'static str, &'static str),
}

/// The table a file goes to.
#[derive(Clone, Debug)]
pub struct Target {
    pub table: &'static str,
    /// Column and whether it may be NULL, in the order they are copied.
    pub columns: Vec<(&'static str, bool)>,
    pub identity: Identity,
    pub touches: Touches,
}

/// Files of one kind that lie together: what they replace as a whole, they replace together.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'b> {
    /// The imports of the files before this one.
    pub earlier: &'b [i64],
    pub is_last: bool,
}

impl Batch<'_> {
    /// All imports up to this one, as an array of SQL.
    fn with(&self, import: i64) -> String {
        let ids: Vec<String> = self
            .earlier
            .iter()
            .chain([&import])
            .map(i64::to_string)
            .collect();
        format!("ARRAY[{}]::bigint[]", ids.join(", "))
    }
}

/// What became of the rows that were staged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub new: i64,
    pub replaced: i64,
    pub unchanged: i64,
    /// Rows that went without another in their place.
    pub removed: i64,
}

/// One key with different values in one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    pub lines: Vec<i64>,
    pub key: String,
}

/// Clashes told one by one; further ones are only counted.
const CLASHES_TOLD: i64 = 100;

/// A fact file on its way into its table, inside one transaction.
pub struct Stage<'c> {
    db: &'c mut PgConnection,
    target: Target,
}

impl<'c> Stage<'c> {
    /// An empty staging table for `target`.
    ///
    /// # Errors
    /// When the database cannot be reached or is full.
    pub async fn new(db: &'c mut PgConnection, target: Target) -> Result<Self, sqlx::Error> {
        let mut stage = Self { db, target };
        let columns = stage.list("");
        let table = stage.target.table;
        // Sorting and hashing the rows of a large file, in one process at a time.
        stage.run("SET LOCAL work_mem = '64MB'".to_owned()).await?;
        stage
            .run(format!(
                "CREATE TEMP TABLE stage ON COMMIT DROP AS SELECT 0::bigint AS line, {columns} FROM {table} WITH NO DATA"
            ))
            .await?;
        Ok(stage)
    }

    /// Rows in COPY's text format, the line first, then the target's columns.
    ///
    /// # Errors
    /// When the database cannot be reached or is full.
    pub async fn copy(&mut self) -> Result<PgCopyIn<&mut PgConnection>, sqlx::Error> {
        self.db.copy_in_raw("COPY stage FROM STDIN").await
    }

    /// The transaction's connection, for what one kind alone needs.
    pub fn connection(&mut self) -> &mut PgConnection {
        self.db
    }

    /// Collapses identical rows and takes out every key with different values; returns how many rows each of them
    /// cost, and the first clashes with their lines.
    ///
    /// # Errors
    /// When the database cannot be reached or is full.
    pub async fn single_out(&mut self) -> Result<(i64, i64, Vec<Clash>), sqlx::Error> {
        self.run("ANALYZE stage".to_owned()).await?;
        match self.target.identity {
            Identity::Key(key) => {
                if !self.find_twice(key, "").await? {
                    return Ok((0, 0, Vec::new()));
                }
                let (clashing, clashes) = self.clash(key).await?;
                Ok((self.collapse().await?, clashing, clashes))
            }
            Identity::Group { of, unless } => {
                let all: Vec<&'static str> = self.target.columns.iter().map(|c| c.0).collect();
                let collapsed = match self.find_twice(&all, "").await? {
                    true => self.collapse().await?,
                    false => 0,
                };
                let Some((unless, last)) = unless.and_then(|u| u.last().map(|last| (u, last)))
                else {
                    return Ok((collapsed, 0, Vec::new()));
                };
                let key = [of, unless].concat();
                let only = format!("WHERE s.\"{last}\" IS NOT NULL");
                self.run("DROP TABLE twice, keys_twice".to_owned()).await?;
                self.find_twice(&key, &only).await?;
                let (clashing, clashes) = self.clash(&key).await?;
                Ok((collapsed, clashing, clashes))
            }
        }
    }

    /// The rows whose `key` stands more than once, into the temporary table `twice`; false when there are none.
    async fn find_twice(&mut self, key: &[&str], only: &str) -> Result<bool, sqlx::Error> {
        let keys = qualified("s", key);
        let all = self.list("s.");
        let same = self.same("s", "k", key);
        self.run(format!(
            "CREATE TEMP TABLE keys_twice ON COMMIT DROP AS \
             SELECT {keys} FROM stage s {only} GROUP BY {keys} HAVING count(*) > 1"
        ))
        .await?;
        self.run(format!(
            "CREATE TEMP TABLE twice ON COMMIT DROP AS \
             SELECT s.line, {all} FROM stage s JOIN keys_twice k ON {same}"
        ))
        .await?;
        Ok(self.count("twice").await? > 0)
    }

    /// Takes the keys with different values out of `twice` and the staging table.
    async fn clash(&mut self, key: &[&str]) -> Result<(i64, Vec<Clash>), sqlx::Error> {
        let keys = qualified("s", key);
        let all = self.list("s.");
        let same = self.same("s", "c", key);
        self.run(format!(
            "CREATE TEMP TABLE clash ON COMMIT DROP AS \
             SELECT {keys}, array_agg(s.line ORDER BY s.line) AS lines FROM twice s \
             GROUP BY {keys} HAVING count(DISTINCT ({all})) > 1"
        ))
        .await?;
        let text = key
            .iter()
            .map(|column| format!("coalesce(\"{column}\"::text, '')"))
            .collect::<Vec<_>>()
            .join(" || ', ' || ");
        let rows = sqlx::query(AssertSqlSafe(format!(
            "SELECT lines[1:20] AS lines, {text} AS key FROM clash ORDER BY lines[1] LIMIT {CLASHES_TOLD}"
        )))
        .fetch_all(&mut *self.db)
        .await?;
        let clashes = rows
            .iter()
            .map(|row| {
                Ok(Clash {
                    lines: row.try_get("lines")?,
                    key: row.try_get("key")?,
                })
            })
            .collect::<Result<_, sqlx::Error>>()?;
        self.run(format!("DELETE FROM twice s USING clash c WHERE {same}"))
            .await?;
        let taken = self
            .run(format!("DELETE FROM stage s USING clash c WHERE {same}"))
            .await?;
        Ok((taken, clashes))
    }

    /// Leaves the first of each of the identical rows in `twice`.
    async fn collapse(&mut self) -> Result<i64, sqlx::Error> {
        let all = self.list("");
        self.run(format!(
            "DELETE FROM stage WHERE line IN (SELECT line FROM \
             (SELECT line, row_number() OVER (PARTITION BY {all} ORDER BY line) AS number FROM twice) t \
             WHERE number > 1)"
        ))
        .await
    }

    /// Compares what is staged with what is stored, writes the difference as of `import`, and marks the days (cut in
    /// `zone`) it touches. `None` for `batch` where the file is alone.
    ///
    /// # Errors
    /// When the database cannot be reached or is full.
    pub async fn write(
        &mut self,
        import: i64,
        batch: Option<Batch<'_>>,
        zone: &str,
    ) -> Result<Counts, sqlx::Error> {
        let staged = self.count("stage").await?;
        let counts = match self.target.identity {
            Identity::Key(key) => self.write_rows(key, import, staged).await?,
            Identity::Group { of, unless } => {
                self.write_groups(of, unless, import, batch, staged).await?
            }
        };
        if counts.new + counts.replaced + counts.removed > 0 {
            self.mark(zone).await?;
        }
        self.run("DROP VIEW touched".to_owned()).await?;
        Ok(counts)
    }

    async fn write_rows(
        &mut self,
        key: &[&str],
        import: i64,
        staged: i64,
    ) -> Result<Counts, sqlx::Error> {
        let table = self.target.table;
        let (columns, staged_columns, stored) = (self.list(""), self.list("s."), self.list("t."));
        let same = self.same("s", "t", key);
        self.run(format!(
            "CREATE TEMP TABLE old ON COMMIT DROP AS SELECT s.line, \
             ({staged_columns}) IS DISTINCT FROM ({stored}) AS differs, {stored} FROM stage s JOIN {table} t ON {same}"
        ))
        .await?;
        let unchanged = self.count("old WHERE NOT differs").await?;
        let replaced = self.count("old WHERE differs").await?;
        if unchanged > 0 {
            self.run(
                "DELETE FROM stage s USING old o WHERE s.line = o.line AND NOT o.differs"
                    .to_owned(),
            )
            .await?;
        }
        self.run(format!(
            "CREATE TEMP VIEW touched AS SELECT {columns} FROM stage \
             UNION ALL SELECT {columns} FROM old WHERE differs"
        ))
        .await?;
        let set = self
            .target
            .columns
            .iter()
            .filter(|column| !key.contains(&column.0))
            .map(|(column, _)| format!("\"{column}\" = excluded.\"{column}\", "))
            .collect::<String>();
        let keys = qualified("", key);
        self.run(format!(
            "INSERT INTO {table} ({columns}, import) SELECT {columns}, {import} FROM stage \
             ON CONFLICT ({keys}) DO UPDATE SET {set}import = excluded.import"
        ))
        .await?;
        Ok(Counts {
            new: staged - unchanged - replaced,
            replaced,
            unchanged,
            removed: 0,
        })
    }

    async fn write_groups(
        &mut self,
        of: &[&str],
        unless: Option<&[&str]>,
        import: i64,
        batch: Option<Batch<'_>>,
        staged: i64,
    ) -> Result<Counts, sqlx::Error> {
        let table = self.target.table;
        let (columns, stored) = (self.list(""), self.list("t."));
        let same = self.same("s", "t", of);
        let one = unless.and_then(|u| u.last().map(|last| (u, last)));
        let is_one = one.map_or_else(
            || "false".to_owned(),
            |(unless, last)| {
                let same = self.same("s", "t", unless);
                format!("s.\"{last}\" IS NOT NULL AND {same}")
            },
        );
        let is_all = one.map_or_else(
            || "true".to_owned(),
            |(_, last)| format!("s.\"{last}\" IS NULL"),
        );
        // Of a batch, what is replaced as a whole goes when its last file is read.
        let going = match batch {
            None => format!("(({is_one}) OR {is_all})"),
            Some(_) => format!("({is_one})"),
        };
        for (name, condition) in [("old", "true"), ("going", going.as_str())] {
            self.run(format!(
                "CREATE TEMP TABLE {name} ON COMMIT DROP AS SELECT {stored} FROM {table} t \
                 WHERE EXISTS (SELECT FROM stage s WHERE {same} AND {condition})"
            ))
            .await?;
        }
        for (name, from, without) in [("added", "stage", "old"), ("removed", "going", "stage")] {
            self.run(format!(
                "CREATE TEMP TABLE {name} ON COMMIT DROP AS \
                 SELECT {columns} FROM {from} EXCEPT SELECT {columns} FROM {without}"
            ))
            .await?;
        }
        self.remove(&same, &stored).await?;
        self.run(format!(
            "INSERT INTO {table} ({columns}, import) SELECT {columns}, {import} FROM added"
        ))
        .await?;
        if let Some(batch) = batch {
            self.own(import).await?;
            if batch.is_last {
                let ids = batch.with(import);
                self.run("TRUNCATE going".to_owned()).await?;
                self.run(format!(
                    "INSERT INTO going SELECT {stored} FROM {table} t WHERE t.import <> ALL ({ids}) \
                     AND EXISTS (SELECT FROM {table} s WHERE s.import = ANY ({ids}) AND {same} AND {is_all})"
                ))
                .await?;
                self.run("INSERT INTO removed TABLE going".to_owned())
                    .await?;
                self.remove(&same, &stored).await?;
            }
        }
        let (added, removed) = (self.count("added").await?, self.count("removed").await?);
        self.run("CREATE TEMP VIEW touched AS TABLE added UNION ALL TABLE removed".to_owned())
            .await?;
        let replaced = added.min(removed);
        Ok(Counts {
            new: added - replaced,
            replaced,
            unchanged: staged - added,
            removed: removed - replaced,
        })
    }

    /// Takes the rows of `removed` out of the table.
    async fn remove(&mut self, same: &str, stored: &str) -> Result<(), sqlx::Error> {
        if self.count("removed").await? > 0 {
            let (table, gone) = (self.target.table, self.list("s."));
            self.run(format!(
                "DELETE FROM {table} t USING removed s WHERE {same} AND ({stored}) IS NOT DISTINCT FROM ({gone})"
            ))
            .await?;
        }
        Ok(())
    }

    /// Makes rows that were stored before and stand in this file, too, rows of this import.
    async fn own(&mut self, import: i64) -> Result<(), sqlx::Error> {
        let table = self.target.table;
        let all: Vec<&str> = self.target.columns.iter().map(|column| column.0).collect();
        let same = self.same("s", "t", &all);
        self.run(format!(
            "UPDATE {table} t SET import = {import} FROM stage s WHERE {same} AND t.import <> {import}"
        ))
        .await?;
        Ok(())
    }

    async fn mark(&mut self, zone: &str) -> Result<(), sqlx::Error> {
        super::dirty::mark_touched(self.db, self.target.touches, zone).await?;
        super::dirty::mark_minutes(self.db, self.target.table).await
    }

    /// The sum of a column by currency, over what is staged.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn amounts(&mut self, column: &str) -> Result<Vec<(String, String)>, sqlx::Error> {
        sqlx::query_as(AssertSqlSafe(format!(
            "SELECT currency, sum(\"{column}\")::text FROM stage GROUP BY currency ORDER BY currency"
        )))
        .fetch_all(&mut *self.db)
        .await
    }

    async fn count(&mut self, what: &str) -> Result<i64, sqlx::Error> {
        sqlx::query_scalar(AssertSqlSafe(format!("SELECT count(*) FROM {what}")))
            .fetch_one(&mut *self.db)
            .await
    }

    /// Every name in these statements is one of ours; no text of a file gets into them.
    async fn run(&mut self, statement: String) -> Result<i64, sqlx::Error> {
        let done = sqlx::query(AssertSqlSafe(statement))
            .execute(&mut *self.db)
            .await?;
        Ok(i64::try_from(done.rows_affected()).unwrap_or(i64::MAX))
    }

    fn list(&self, prefix: &str) -> String {
        let names: Vec<String> = self
            .target
            .columns
            .iter()
            .map(|(column, _)| format!("{prefix}\"{column}\""))
            .collect();
        names.join(", ")
    }

    /// Equality of `columns`; NULL equals NULL where a column may be NULL (an ordinary `=` can be hashed).
    fn same(&self, left: &str, right: &str, columns: &[&str]) -> String {
        columns
            .iter()
            .map(|column| {
                let nullable = self
                    .target
                    .columns
                    .iter()
                    .any(|(name, nullable)| name == column && *nullable);
                let equals = if nullable {
                    "IS NOT DISTINCT FROM"
                } else {
                    "="
                };
                format!("{left}.\"{column}\" {equals} {right}.\"{column}\"")
            })
            .collect::<Vec<_>>()
            .join(" AND ")
    }
}

fn qualified(prefix: &str, columns: &[&str]) -> String {
    columns
        .iter()
        .map(|column| match prefix {
            "" => format!("\"{column}\""),
            _ => format!("{prefix}.\"{column}\""),
        })
        .collect::<Vec<_>>()
        .join(", ")
}
