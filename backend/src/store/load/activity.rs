//! What happened around a span of time: placements, states, coverage, workloads, readings, work and minutes.

use std::collections::BTreeMap;

use accounting::facts::{
    Coverage, Facts, MeterReading, NodeState, Placement, Sampled, Work, Workload,
};
use accounting::ids::Id;
use accounting::minutes::unpack;
use accounting::quantity::Share;
use accounting::time::{HOUR_MS, Ms, Span};
use futures_util::TryStreamExt as _;
use sqlx::Row as _;
use sqlx::postgres::PgPool;

use super::cells::Cells;
use crate::store::StoreError;
use crate::store::instants::{Instant, at, ms};
use crate::store::samples::lost_before;
use crate::store::written::labels;

/// Puts into `facts` what overlaps `window`, in place of the activity it had.
///
/// # Errors
/// The database cannot be reached, or holds what this version cannot read.
pub async fn activity(db: &PgPool, facts: &mut Facts, window: Span) -> Result<(), StoreError> {
    facts.coverage = within(db, COVERAGE, window, coverage).await?;
    facts.workloads = within(db, WORKLOADS, window, workload).await?;
    facts.placements = within(db, PLACEMENTS, window, placement).await?;
    let first = minutes_from(window);
    facts.lost_before = lost_before(db, first, None).await?;
    facts.node_states = node_states(db, window, &since_lost(facts)).await?;
    facts.meter_readings = within(db, METER_READINGS, window, meter_reading).await?;
    facts.work = within(db, WORK, window, work).await?;
    facts.minutes = minutes(db, first, window).await?;
    Ok(())
}

/// Minutes are kept by UTC hours: the one that a window begins in belongs to it.
fn minutes_from(window: Span) -> Ms {
    window.start.div_euclid(HOUR_MS).saturating_mul(HOUR_MS)
}

/// The nodes whose devices were lost before the window, since when: a state after that may have ended the loss.
fn since_lost(facts: &Facts) -> Vec<(&Id, Ms)> {
    let lost: BTreeMap<&Id, Ms> = facts
        .lost_before
        .iter()
        .map(|lost| (&lost.device, lost.at))
        .collect();
    let mut since: BTreeMap<&Id, Ms> = BTreeMap::new();
    for device in &facts.devices {
        if let Some(at) = lost.get(&device.device) {
            let first = since.entry(&device.node).or_insert(*at);
            *first = (*first).min(*at);
        }
    }
    since.into_iter().collect()
}

async fn within<T>(
    db: &PgPool,
    statement: &'static str,
    window: Span,
    make: fn(&Cells<'_>) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    let mut rows = sqlx::query(statement)
        .bind(at(window.start))
        .bind(at(window.end))
        .fetch(db);
    let mut facts = Vec::new();
    while let Some(row) = rows.try_next().await? {
        facts.push(make(&Cells(&row))?);
    }
    Ok(facts)
}

const COVERAGE: &str = "SELECT source, scope, name, kind, \"start\", \"end\" FROM coverage \
    WHERE \"start\" < $2 AND \"end\" > $1 \
    ORDER BY name COLLATE \"C\", scope, kind, \"start\", source COLLATE \"C\"";

fn coverage(row: &Cells<'_>) -> Result<Coverage, StoreError> {
    Ok(Coverage {
        source: row.id("source")?,
        scope: row.word("scope")?,
        name: row.id("name")?,
        kind: row.word("kind")?,
        span: Span::new(row.ms("start")?, row.ms("end")?),
    })
}

/// Those that run in the window, and those that hold a device in it whatever they say of themselves.
const WORKLOADS: &str = "SELECT workload, source, kind, name, \"user\", project, queue, namespace, account, labels, \
    submitted, started, ended, state, attempt, model_params::text, active_params::text, precision, seq_len \
    FROM workloads w WHERE (started < $2 AND (ended IS NULL OR ended >= $1)) \
    OR workload IN (SELECT workload FROM placements p \
        WHERE p.\"start\" < $2 AND (p.\"end\" IS NULL OR p.\"end\" > $1)) \
    ORDER BY workload COLLATE \"C\", attempt NULLS FIRST";

fn workload(row: &Cells<'_>) -> Result<Workload, StoreError> {
    Ok(Workload {
        workload: row.id("workload")?,
        source: row.id("source")?,
        kind: row.word("kind")?,
        name: row.string("name")?,
        user: row.maybe_id("user")?,
        project: row.maybe_id("project")?,
        queue: row.maybe_id("queue")?,
        namespace: row.maybe_id("namespace")?,
        account: row.maybe_id("account")?,
        labels: match row.maybe_text("labels")? {
            Some(_) => row.read("labels", labels)?,
            None => Vec::new(),
        },
        submitted: row.maybe_ms("submitted")?,
        started: row.ms("started")?,
        ended: row.maybe_ms("ended")?,
        state: row.word("state")?,
        attempt: row.maybe_whole("attempt")?,
        model_params: row.maybe_number("model_params")?,
        active_params: row.maybe_number("active_params")?,
        precision: row.maybe_word("precision")?,
        seq_len: row.maybe_whole("seq_len")?,
    })
}

const PLACEMENTS: &str = "SELECT workload, device, \"start\", \"end\", share, seq FROM placements \
    WHERE \"start\" < $2 AND (\"end\" IS NULL OR \"end\" > $1) \
    ORDER BY workload COLLATE \"C\", device COLLATE \"C\", seq NULLS FIRST, \"start\", \"end\", share";

fn placement(row: &Cells<'_>) -> Result<Placement, StoreError> {
    Ok(Placement {
        workload: row.id("workload")?,
        device: row.id("device")?,
        start: row.ms("start")?,
        end: row.maybe_ms("end")?,
        share: row.maybe_share("share")?.unwrap_or(Share::WHOLE),
        seq: row.maybe_whole("seq")?,
    })
}

/// Without an end a state lasts until the node's next one, which is looked up here, so that old ones stay away.
const NODE_STATES: &str = "SELECT node, \"start\", \"end\", state FROM (SELECT *, \
        coalesce(\"end\", lead(\"start\") OVER (PARTITION BY node ORDER BY \"start\")) AS until FROM node_states) s \
    LEFT JOIN unnest($3::text[], $4::timestamptz[]) AS l(lost_node, since) ON l.lost_node = s.node \
    WHERE \"start\" < $2 AND (until IS NULL OR until > least($1, l.since)) ORDER BY node COLLATE \"C\", \"start\"";

/// States of the window; of the nodes named, from the instant named on.
async fn node_states(
    db: &PgPool,
    window: Span,
    since: &[(&Id, Ms)],
) -> Result<Vec<NodeState>, StoreError> {
    let (nodes, instants): (Vec<&str>, Vec<Instant>) =
        since.iter().map(|(node, ms)| (&***node, at(*ms))).unzip();
    let rows = sqlx::query(NODE_STATES)
        .bind(at(window.start))
        .bind(at(window.end))
        .bind(nodes)
        .bind(instants)
        .fetch_all(db)
        .await?;
    rows.iter().map(|row| node_state(&Cells(row))).collect()
}

fn node_state(row: &Cells<'_>) -> Result<NodeState, StoreError> {
    Ok(NodeState {
        node: row.id("node")?,
        start: row.ms("start")?,
        end: row.maybe_ms("end")?,
        state: row.word("state")?,
    })
}

/// With two readings of each meter on both sides: a counter's value reaches to its neighbours, and theirs tell a dip
/// from a new epoch.
const METER_READINGS: &str = "SELECT meter, time, kwh::text, kw::text FROM (\
        SELECT * FROM meter_readings WHERE time >= $1 AND time < $2 \
        UNION SELECT r.* FROM (SELECT DISTINCT meter FROM meters) m CROSS JOIN LATERAL \
            (SELECT * FROM meter_readings r WHERE r.meter = m.meter AND r.time < $1 ORDER BY time DESC LIMIT 2) r \
        UNION SELECT r.* FROM (SELECT DISTINCT meter FROM meters) m CROSS JOIN LATERAL \
            (SELECT * FROM meter_readings r WHERE r.meter = m.meter AND r.time >= $2 ORDER BY time LIMIT 2) r\
    ) r ORDER BY meter COLLATE \"C\", time";

fn meter_reading(row: &Cells<'_>) -> Result<MeterReading, StoreError> {
    Ok(MeterReading {
        meter: row.id("meter")?,
        time: row.ms("time")?,
        kwh: row.maybe_number("kwh")?,
        kw: row.maybe_number("kw")?,
    })
}

const WORK: &str = "SELECT * FROM work WHERE \"start\" < $2 AND \"end\" > $1 \
    ORDER BY workload COLLATE \"C\", attempt NULLS FIRST, \"start\"";

fn work(row: &Cells<'_>) -> Result<Work, StoreError> {
    Ok(Work {
        workload: row.id("workload")?,
        attempt: row.maybe_whole("attempt")?,
        span: Span::new(row.ms("start")?, row.ms("end")?),
        tokens_trained: row.maybe_whole("tokens_trained")?,
        tokens_prompt: row.maybe_whole("tokens_prompt")?,
        tokens_cached: row.maybe_whole("tokens_cached")?,
        tokens_generated: row.maybe_whole("tokens_generated")?,
        samples: row.maybe_whole("samples")?,
        steps: row.maybe_whole("steps")?,
        replayed_steps: row.maybe_whole("replayed_steps")?,
        model_flops: row.0.try_get("model_flops")?,
    })
}

async fn minutes(db: &PgPool, first: Ms, window: Span) -> Result<Vec<Sampled>, StoreError> {
    let mut rows = sqlx::query(
        "SELECT device, hour, minutes FROM device_hours \
         WHERE hour >= $1 AND hour < $2 AND minutes IS NOT NULL ORDER BY device COLLATE \"C\", hour",
    )
    .bind(at(first))
    .bind(at(window.end))
    .fetch(db);
    let mut sampled: Vec<Sampled> = Vec::new();
    while let Some(row) = rows.try_next().await? {
        let device: &str = row.try_get("device")?;
        let start = ms(row.try_get("hour")?);
        let hour = unpack(start, row.try_get("minutes")?).map_err(|error| {
            StoreError::Unreadable(format!("minutes of device {device}: {error}"))
        })?;
        match sampled.last_mut() {
            Some(last) if &*last.device == device => last.hours.push(hour),
            _ => sampled.push(Sampled {
                device: Id::from(device),
                hours: vec![hour],
            }),
        }
    }
    Ok(sampled)
}

/// From the first to the last instant that activity names, coverage included; `None` when there is none.
///
/// # Errors
/// The database cannot be reached.
pub async fn extent(db: &PgPool) -> Result<Option<Span>, StoreError> {
    let row = sqlx::query(
        "SELECT min(first) AS first, max(last) AS last FROM (\
         SELECT min(\"start\") AS first, max(\"end\") AS last FROM coverage \
         UNION ALL SELECT min(\"start\"), max(greatest(\"start\", \"end\")) FROM placements \
         UNION ALL SELECT min(\"start\"), max(greatest(\"start\", \"end\")) FROM node_states \
         UNION ALL SELECT min(started), max(greatest(started, ended)) FROM workloads \
         UNION ALL SELECT min(time), max(time) FROM meter_readings \
         UNION ALL SELECT min(\"start\"), max(\"end\") FROM work \
         UNION ALL SELECT min(hour), max(hour + interval '1 hour') FROM device_hours) e",
    )
    .fetch_one(db)
    .await?;
    let first: Option<Instant> = row.try_get("first")?;
    let last: Option<Instant> = row.try_get("last")?;
    Ok(first
        .zip(last)
        .map(|(first, last)| Span::new(ms(first), ms(last))))
}
