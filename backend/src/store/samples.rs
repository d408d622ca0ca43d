//! Samples as they rest until their minutes are laid, and the device-hours laid from them.
//!
//! Both tables have a partition per UTC month, made when the first row of the month comes.

use accounting::facts::Sample;
use accounting::ids::Id;
use accounting::minutes::{LostDevice, MinuteHour, pack};
use accounting::time::{HOUR_MS, Ms, Span};
use chrono::{Datelike, Months, NaiveDate};
use sqlx::postgres::{PgConnection, PgExecutor, PgPool, PgRow};
use sqlx::{AssertSqlSafe, Row as _};

use super::copy::Lines;
use super::instants::{Instant, at, ms};
use super::words::word;

/// Makes the partitions of `samples` that the staged rows need.
///
/// # Errors
/// When the database cannot be reached or is full.
pub async fn partitions_for_stage(db: &mut PgConnection) -> Result<(), sqlx::Error> {
    let months: Vec<NaiveDate> = sqlx::query_scalar(
        "SELECT DISTINCT date_trunc('month', time AT TIME ZONE 'UTC')::date FROM stage",
    )
    .fetch_all(&mut *db)
    .await?;
    for month in months {
        partition(db, "samples", month).await?;
    }
    Ok(())
}

async fn partition(
    db: &mut PgConnection,
    table: &str,
    month: NaiveDate,
) -> Result<(), sqlx::Error> {
    let first = month.with_day(1).unwrap_or(month);
    let next = first.checked_add_months(Months::new(1)).unwrap_or(first);
    let name = format!("{table}_{:04}_{:02}", first.year(), first.month());
    // Asked first: CREATE TABLE IF NOT EXISTS says so on every import otherwise.
    let exists: bool = sqlx::query_scalar("SELECT to_regclass($1) IS NOT NULL")
        .bind(&name)
        .fetch_one(&mut *db)
        .await?;
    if !exists {
        sqlx::query(AssertSqlSafe(format!(
            "CREATE TABLE {name} PARTITION OF {table} FOR VALUES FROM ('{first} 00:00+00') TO ('{next} 00:00+00')"
        )))
        .execute(db)
        .await?;
    }
    Ok(())
}

/// Staged samples whose power is above the limit of their device (µW), `other` where it is not named.
///
/// # Errors
/// When the database cannot be reached.
pub async fn staged_above_power(
    db: &mut PgConnection,
    limits: &[(Id, i64)],
    other: i64,
) -> Result<i64, sqlx::Error> {
    let (devices, powers): (Vec<&str>, Vec<i64>) = limits.iter().map(|(d, p)| (&**d, *p)).unzip();
    sqlx::query_scalar(
        "SELECT count(*) FROM stage s LEFT JOIN unnest($1::text[], $2::bigint[]) AS l(device, power) \
         ON s.device = l.device WHERE s.power_uw > coalesce(l.power, $3)",
    )
    .bind(devices)
    .bind(powers)
    .bind(other)
    .fetch_one(db)
    .await
}

/// How far a change inside `span` reaches: to the second counter reading on both sides, and over the bridges beside it.
///
/// # Errors
/// When the database cannot be reached.
pub async fn reach(db: &PgPool, device: &str, span: Span) -> Result<Span, sqlx::Error> {
    let row = sqlx::query(
        "SELECT (SELECT min(time) FROM (SELECT time FROM samples WHERE device = $1 AND time < $2 \
                    AND energy_mj IS NOT NULL ORDER BY time DESC LIMIT 2) r) AS read_before, \
                (SELECT max(time + interval_ms * interval '1 millisecond') FROM (SELECT time, interval_ms FROM samples \
                    WHERE device = $1 AND time >= $3 AND energy_mj IS NOT NULL ORDER BY time LIMIT 2) r) AS read_after, \
                (SELECT max(time) FROM samples WHERE device = $1 AND time < $2) AS before, \
                (SELECT min(time) FROM samples WHERE device = $1 AND time >= $3) AS after",
    )
    .bind(device)
    .bind(at(span.start))
    .bind(at(span.end))
    .fetch_one(db)
    .await?;
    let instant = |name| -> Result<Option<Ms>, sqlx::Error> {
        Ok(row.try_get::<Option<Instant>, _>(name)?.map(ms))
    };
    let starts = [instant("read_before")?, instant("before")?];
    let ends = [instant("read_after")?, instant("after")?];
    Ok(Span {
        start: starts.into_iter().flatten().fold(span.start, Ms::min),
        end: ends.into_iter().flatten().fold(span.end, Ms::max),
    })
}

/// The samples of a device that overlap `span`, with the neighbours that laying asks for: the nearest sample and two
/// counter readings on both sides. In order of (time, interval).
///
/// # Errors
/// When the database cannot be reached.
pub async fn of_device(
    db: &mut PgConnection,
    device: &str,
    span: Span,
) -> Result<Vec<Sample>, sqlx::Error> {
    // An interval is at most a day, so an overlapping sample starts at most a day before the span.
    let rows = sqlx::query(
        "SELECT * FROM samples WHERE device = $1 AND time >= $2 - interval '1 day' AND time < $3 \
         UNION (SELECT * FROM samples WHERE device = $1 AND time < $2 ORDER BY time DESC, interval_ms LIMIT 2) \
         UNION (SELECT * FROM samples WHERE device = $1 AND time < $2 AND energy_mj IS NOT NULL \
                ORDER BY time DESC, interval_ms LIMIT 2) \
         UNION (SELECT * FROM samples WHERE device = $1 AND time >= $3 ORDER BY time, interval_ms LIMIT 2) \
         UNION (SELECT * FROM samples WHERE device = $1 AND time >= $3 AND energy_mj IS NOT NULL \
                ORDER BY time, interval_ms LIMIT 2) \
         ORDER BY time, interval_ms",
    )
    .bind(device)
    .bind(at(span.start))
    .bind(at(span.end))
    .fetch_all(db)
    .await?;
    rows.iter().map(sample).collect()
}

fn sample(row: &PgRow) -> Result<Sample, sqlx::Error> {
    let fraction = |name: &str| -> Result<Option<i64>, sqlx::Error> {
        Ok(row.try_get::<Option<i16>, _>(name)?.map(i64::from))
    };
    Ok(Sample {
        time: ms(row.try_get("time")?),
        interval_ms: i64::from(row.try_get::<i32, _>("interval_ms")?),
        g: fraction("g")?,
        s: fraction("s")?,
        t: fraction("t")?,
        d: fraction("d")?,
        fp32: fraction("fp32")?,
        fp64: fraction("fp64")?,
        comm: fraction("comm")?,
        comm_kind: row.try_get::<Option<&str>, _>("comm_kind")?.and_then(word),
        host_evidence: fraction("host_evidence")?,
        throttle: fraction("throttle")?,
        link_bytes_s: row.try_get("link_bytes_s")?,
        mem_used_bytes: row.try_get("mem_used_bytes")?,
        power_uw: row.try_get("power_uw")?,
        energy_mj: row.try_get("energy_mj")?,
        fault: row.try_get::<Option<&str>, _>("fault")?.map(Id::from),
    })
}

/// Lets one process at a time lay minutes, until its transaction ends: a reading older than another's writing must not
/// overwrite it.
///
/// # Errors
/// When the database cannot be reached.
pub async fn lock_hours(db: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query("SELECT pg_advisory_xact_lock(hashtext('suanzhang.roll_up'))")
        .execute(db)
        .await?;
    Ok(())
}

/// A device that is lost and since when, as far as the hours that begin before an instant tell.
const LOST: &str = "SELECT l.device, l.hour + l.lost_minute * interval '1 minute' AS at FROM (\
        SELECT DISTINCT ON (device) device, hour, lost_minute FROM device_hours \
        WHERE lost_minute > coalesce(healthy_minute, -1) AND hour < $1 AND ($2::text IS NULL OR device = $2) \
        ORDER BY device, hour DESC) l \
    WHERE NOT EXISTS (SELECT 1 FROM device_hours h WHERE h.device = l.device AND h.hour > l.hour AND h.hour < $1 \
        AND h.healthy_minute IS NOT NULL) ORDER BY l.device COLLATE \"C\"";

/// The devices (or the one asked for) whose last sign in the hours that begin before `before` is a loss.
///
/// # Errors
/// When the database cannot be reached.
pub async fn lost_before(
    db: impl PgExecutor<'_>,
    before: Ms,
    device: Option<&str>,
) -> Result<Vec<LostDevice>, sqlx::Error> {
    let rows = sqlx::query(LOST)
        .bind(at(before))
        .bind(device)
        .fetch_all(db)
        .await?;
    rows.iter()
        .map(|row| {
            Ok(LostDevice {
                device: Id::from(row.try_get::<&str, _>("device")?),
                at: ms(row.try_get("at")?),
            })
        })
        .collect()
}

/// Where the next hour begins, from `after` on, that says whether the device is lost; `None` when none does.
///
/// # Errors
/// When the database cannot be reached.
pub async fn next_sign(
    db: &mut PgConnection,
    device: &str,
    after: Ms,
) -> Result<Option<Ms>, sqlx::Error> {
    let hour: Option<Instant> = sqlx::query_scalar(
        "SELECT hour FROM device_hours WHERE device = $1 AND hour >= $2 \
         AND (lost_minute IS NOT NULL OR healthy_minute IS NOT NULL) ORDER BY hour LIMIT 1",
    )
    .bind(device)
    .bind(at(after))
    .fetch_optional(db)
    .await?;
    Ok(hour.map(ms))
}

/// Puts `hours` in the place of the device's hours within `span`.
///
/// # Errors
/// When the database cannot be reached or is full.
pub async fn replace_hours(
    db: &mut PgConnection,
    device: &str,
    span: Span,
    samples: &[Sample],
    hours: &[MinuteHour],
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "DELETE FROM device_hours h USING generate_series($1, $2 - interval '1 hour', interval '1 hour') AS g(hour) \
         WHERE h.hour = g.hour AND h.device = $3",
    )
    .bind(at(span.start))
    .bind(at(span.end))
    .bind(device)
    .execute(&mut *db)
    .await?;
    let mut month = None;
    for hour in hours {
        let first = at(hour.hour).date_naive().with_day(1);
        if let Some(first) = first.filter(|_| month != first) {
            partition(db, "device_hours", first).await?;
            month = Some(first);
        }
    }
    let mut lines = Lines::default();
    for hour in hours {
        hour_line(&mut lines, device, samples, hour);
    }
    let mut copy = db
        .copy_in_raw(
            "COPY device_hours (hour, device, samples, covered_ms, g, s, t, d, energy_mj, energy_ms, \
             lost_minute, healthy_minute, minutes) FROM STDIN",
        )
        .await?;
    copy.send(lines.take()).await?;
    copy.finish().await?;
    Ok(())
}

fn hour_line(lines: &mut Lines, device: &str, samples: &[Sample], hour: &MinuteHour) {
    let span = Span::new(hour.hour, hour.hour + HOUR_MS);
    let from = samples.partition_point(|s| s.time < span.start);
    let to = samples.partition_point(|s| s.time < span.end);
    let covered: i64 = hour.minutes.iter().map(|m| m.covered).sum();
    let mean = |of: fn(&accounting::minutes::Minute) -> Option<i64>| {
        let (mut sum, mut weight) = (0i64, 0i64);
        for minute in &hour.minutes {
            if let Some(value) = of(minute) {
                sum += value * minute.covered;
                weight += minute.covered;
            }
        }
        accounting::money::round_half_away(i128::from(sum), i128::from(weight))
    };
    lines.instant(hour.hour);
    lines.text(device);
    lines.number(i64::try_from(to.saturating_sub(from)).unwrap_or(i64::MAX));
    // A fraction of 1e-4 of a minute is 6 ms.
    lines.number(covered * 6);
    for value in [mean(|m| m.g), mean(|m| m.s), mean(|m| m.t), mean(|m| m.d)] {
        match value {
            Some(value) => lines.number(value),
            None => lines.null(),
        }
    }
    lines.number(hour.minutes.iter().map(|m| m.energy_mj).sum());
    lines.number(hour.minutes.iter().map(|m| m.energy_ms).sum());
    let (lost, healthy) = hour.last_signs();
    for minute in [lost, healthy] {
        match minute.and_then(|minute| i64::try_from(minute).ok()) {
            Some(minute) => lines.number(minute),
            None => lines.null(),
        }
    }
    lines.bytes(&pack(hour));
    lines.end();
}
