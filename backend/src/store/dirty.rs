//! Which ledger days must be computed again, and which device time must be laid into minutes again.
//!
//! An import marks them in its own transaction. A day is settled only up to the mark its reader had seen, so that
//! facts which arrive while it is computed are not lost.

use accounting::time::{Ms, Span};
use chrono::{NaiveDate, TimeDelta};
use sqlx::postgres::{PgConnection, PgPool};
use sqlx::{AssertSqlSafe, Row as _};

use super::bulk::Touches;
use super::instants::{at, ms};

/// Days to be computed again: half-open ranges, missing bounds open, in order and apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dirty {
    /// Pass it to [`settle`] once the facts read after this call are in the books.
    pub upto: i64,
    pub days: Vec<(Option<NaiveDate>, Option<NaiveDate>)>,
}

impl Dirty {
    #[must_use]
    pub fn contains(&self, day: NaiveDate) -> bool {
        self.days
            .iter()
            .any(|(from, to)| from.is_none_or(|from| from <= day) && to.is_none_or(|to| day < to))
    }
}

/// What is marked and not settled.
///
/// # Errors
/// When the database cannot be reached.
pub async fn pending(db: &PgPool) -> Result<Dirty, sqlx::Error> {
    let rows = sqlx::query(
        "WITH marks AS (SELECT max(id) AS upto, range_agg(days) AS days FROM \
             (SELECT id, unnest(days) AS days FROM dirty_days) d) \
         SELECT coalesce(upto, 0) AS upto, lower(day) AS lower, upper(day) AS upper \
         FROM marks LEFT JOIN LATERAL unnest(marks.days) AS day ON true ORDER BY lower(day) NULLS FIRST",
    )
    .fetch_all(db)
    .await?;
    let mut dirty = Dirty::default();
    for row in &rows {
        dirty.upto = row.try_get("upto")?;
        if dirty.upto > 0 {
            dirty
                .days
                .push((row.try_get("lower")?, row.try_get("upper")?));
        }
    }
    Ok(dirty)
}

/// Takes `[from, to)` out of every mark up to `upto`; call it in the transaction that writes these days' books.
///
/// # Errors
/// When the database cannot be reached.
pub async fn settle(
    db: &mut PgConnection,
    upto: i64,
    from: NaiveDate,
    to: NaiveDate,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE dirty_days SET days = days - datemultirange(daterange($2, $3)) \
         WHERE id <= $1 AND days && daterange($2, $3)",
    )
    .bind(upto)
    .bind(from)
    .bind(to)
    .execute(&mut *db)
    .await?;
    sqlx::query("DELETE FROM dirty_days WHERE id <= $1 AND isempty(days)")
        .bind(upto)
        .execute(db)
        .await?;
    Ok(())
}

/// Marks the days of the rows in the temporary table `touched`.
pub(super) async fn mark_touched(
    db: &mut PgConnection,
    touches: Touches,
    zone: &str,
) -> Result<(), sqlx::Error> {
    let (from, to, source) = match touches {
        Touches::Always => (
            String::from("NULL::date"),
            String::from("NULL::date"),
            TOUCHED,
        ),
        Touches::Between(from, to) => (day(from, "-"), day(to, "+"), TOUCHED),
        Touches::Onward(from) => (day(from, "-"), "NULL::date".to_owned(), TOUCHED),
        // A month of a site's zone begins up to a day before the ledger's.
        Touches::OnwardDay(from) => (format!("\"{from}\" - 1"), "NULL::date".to_owned(), TOUCHED),
        Touches::Months(from, to) => (
            format!("\"{from}\" - 1"),
            format!("(\"{to}\" + interval '1 month')::date"),
            TOUCHED,
        ),
        Touches::Day(date) => (
            format!("\"{date}\" - 1"),
            format!("\"{date}\" + 1"),
            TOUCHED,
        ),
        Touches::State(from, to) => (
            day(from, "-"),
            format!("CASE WHEN {ANY_LOST} THEN NULL ELSE {} END", day(to, "+")),
            TOUCHED,
        ),
        Touches::Sample => (day("time", "-"), day("until", "+"), SAMPLED),
        Touches::Reading => (day("low", "-"), day("high", "+"), READ),
    };
    sqlx::query(AssertSqlSafe(format!(
        "INSERT INTO dirty_days (days) SELECT range_agg(day) FROM \
         (SELECT DISTINCT daterange({from}, {to}, '[]') AS day, $1::text FROM ({source}) r) d HAVING count(*) > 0"
    )))
    .bind(zone)
    .execute(db)
    .await?;
    Ok(())
}

/// A node that comes up ends the loss of its devices for good, or its correction lets them be lost for longer.
const ANY_LOST: &str =
    "EXISTS (SELECT 1 FROM device_hours WHERE lost_minute > coalesce(healthy_minute, -1))";

const TOUCHED: &str = "SELECT * FROM touched";

const SAMPLED: &str =
    "SELECT time, time + interval_ms * interval '1 millisecond' AS until FROM touched";

/// A counter's value reaches to its neighbours, and theirs decide about dips and epochs.
const READ: &str = "SELECT \
    coalesce((SELECT time FROM meter_readings r WHERE r.meter = m.meter AND r.time < m.first \
        ORDER BY time DESC OFFSET 1 LIMIT 1), \
        (SELECT min(time) FROM meter_readings r WHERE r.meter = m.meter), m.first) AS low, \
    coalesce((SELECT time FROM meter_readings r WHERE r.meter = m.meter AND r.time > m.last \
        ORDER BY time OFFSET 1 LIMIT 1), \
        (SELECT max(time) FROM meter_readings r WHERE r.meter = m.meter), m.last) AS high \
    FROM (SELECT meter, min(time) AS first, max(time) AS last FROM touched GROUP BY meter) m";

fn day(column: &str, sign: &str) -> String {
    format!("((\"{column}\" {sign} interval '60 minutes') AT TIME ZONE $1)::date")
}

/// Marks device time to be laid again: what changed samples span, or all of a device whose power limit or faults
/// now read otherwise.
pub(super) async fn mark_minutes(db: &mut PgConnection, table: &str) -> Result<(), sqlx::Error> {
    let statement = match table {
        "samples" => {
            "INSERT INTO dirty_hours (device, \"start\", \"end\") \
             SELECT device, min(time), max(time + interval_ms * interval '1 millisecond') FROM touched \
             GROUP BY device, date_trunc('day', time, 'UTC')"
        }
        "devices" => {
            "INSERT INTO dirty_hours (device, \"start\", \"end\") \
             SELECT device, min(time), max(time + interval_ms * interval '1 millisecond') FROM samples \
             WHERE device IN (SELECT device FROM touched) GROUP BY device"
        }
        "device_models" | "fault_classes" => {
            "INSERT INTO dirty_hours (device, \"start\", \"end\") \
             SELECT device, min(time), max(time + interval_ms * interval '1 millisecond') FROM samples \
             GROUP BY device"
        }
        _ => return Ok(()),
    };
    sqlx::query(statement).execute(db).await?;
    Ok(())
}

/// Marks the ledger days, and one more on each side, that `span` may lie in.
///
/// # Errors
/// When the database cannot be reached.
pub async fn mark_span(db: &mut PgConnection, span: Span) -> Result<(), sqlx::Error> {
    mark_from(db, span.start, Some(span.end)).await
}

/// Marks the ledger days, and one more on each side, from an instant on: to another one, or all that follow.
///
/// # Errors
/// When the database cannot be reached.
pub async fn mark_from(
    db: &mut PgConnection,
    from: Ms,
    until: Option<Ms>,
) -> Result<(), sqlx::Error> {
    let day = |ms, days| (at(ms) + TimeDelta::days(days)).date_naive();
    sqlx::query("INSERT INTO dirty_days (days) VALUES (datemultirange(daterange($1, $2, '[]')))")
        .bind(day(from, -1))
        .bind(until.map(|until| day(until, 1)))
        .execute(db)
        .await?;
    Ok(())
}

/// Device time to be laid again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirtyHours {
    pub device: String,
    /// Apart and in order.
    pub spans: Vec<Span>,
}

/// What is marked, device by device, and the mark seen last.
///
/// # Errors
/// When the database cannot be reached.
pub async fn pending_hours(db: &PgPool) -> Result<(i64, Vec<DirtyHours>), sqlx::Error> {
    let upto: i64 = sqlx::query_scalar("SELECT coalesce(max(id), 0) FROM dirty_hours")
        .fetch_one(db)
        .await?;
    let rows = sqlx::query(
        "SELECT device, lower(span) AS lower, upper(span) AS upper FROM \
         (SELECT device, unnest(range_agg(tstzrange(\"start\", \"end\"))) AS span FROM dirty_hours \
          WHERE id <= $1 GROUP BY device) d ORDER BY device COLLATE \"C\", lower(span)",
    )
    .bind(upto)
    .fetch_all(db)
    .await?;
    let mut dirty: Vec<DirtyHours> = Vec::new();
    for row in &rows {
        let device: String = row.try_get("device")?;
        let span = Span::new(ms(row.try_get("lower")?), ms(row.try_get("upper")?));
        match dirty.last_mut() {
            Some(last) if last.device == device => last.spans.push(span),
            _ => dirty.push(DirtyHours {
                device,
                spans: vec![span],
            }),
        }
    }
    Ok((upto, dirty))
}

/// Takes the marks of `device` up to `upto` away.
///
/// # Errors
/// When the database cannot be reached.
pub async fn settle_hours(
    db: &mut PgConnection,
    upto: i64,
    device: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM dirty_hours WHERE id <= $1 AND device = $2")
        .bind(upto)
        .bind(device)
        .execute(db)
        .await?;
    Ok(())
}
