//! The ledger, its detail books, and the day-level sums that pages read; written day by day, each in one transaction.
//!
//! Detail is folded into arrays (a ledger row's reasons, a source's devices), so that a day is few wide rows instead of
//! many narrow ones; `unnest` gives them back. Ledger and sources are partitioned by month, on demand.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const UP: &str = r"
CREATE TABLE cell_codes (
    cell smallint PRIMARY KEY,
    category text NOT NULL,
    reason text NOT NULL,
    UNIQUE (category, reason)
);
COMMENT ON TABLE cell_codes IS 'The (category, sub-reason) pairs that cells of the books name by number';

CREATE TABLE ledger (
    day date NOT NULL,
    site text NOT NULL,
    node text,
    device text,
    workload text,
    bearer text,
    pool text,
    project text,
    person text,
    kind text,
    model text,
    depreciation bigint NOT NULL,
    recurring bigint NOT NULL,
    electricity bigint NOT NULL,
    cloud bigint NOT NULL,
    tokens bigint NOT NULL,
    other bigint NOT NULL,
    energy_mwh bigint,
    measured_mwh bigint NOT NULL,
    unpriced_ms bigint NOT NULL,
    flags integer NOT NULL,
    mode text,
    status text NOT NULL,
    mode_ms bigint[] NOT NULL,
    cells smallint[] NOT NULL,
    cell_time bigint[] NOT NULL,
    cell_energy bigint[] NOT NULL,
    cell_ms bigint[] NOT NULL
) PARTITION BY RANGE (day);
CREATE INDEX ledger_day ON ledger USING brin (day) WITH (pages_per_range = 32);
COMMENT ON TABLE ledger IS 'One row per (day, device, workload or none, bearer), and lines without device; money in micro-yuan';
COMMENT ON COLUMN ledger.mode_ms IS 'Milliseconds by evidence mode, M0 first, trailing zeros cut';
COMMENT ON COLUMN ledger.cells IS 'Reasons of the row: cells[i] of cell_codes has cell_time[i], cell_energy[i] micro-yuan and cell_ms[i]';

CREATE TABLE sources (
    day date NOT NULL,
    kind text NOT NULL,
    source text NOT NULL,
    version text NOT NULL,
    site text NOT NULL,
    pool text,
    rule text NOT NULL,
    component text NOT NULL,
    total bigint NOT NULL,
    devices text[] NOT NULL,
    amounts bigint[] NOT NULL
) PARTITION BY RANGE (day);
CREATE INDEX sources_day ON sources USING brin (day) WITH (pages_per_range = 32);
COMMENT ON TABLE sources IS 'Where a component came from: devices[i] bore amounts[i] micro-yuan; no devices on lines of a pool';

CREATE TABLE site_hours (
    day date NOT NULL,
    site text NOT NULL,
    hour_start timestamptz NOT NULL,
    hour_end timestamptz NOT NULL,
    level text,
    energy_mwh bigint NOT NULL,
    facility_mwh bigint,
    amount bigint,
    pue double precision,
    quality text NOT NULL
);
COMMENT ON COLUMN site_hours.facility_mwh IS 'IT energy x PUE; missing without PUE';
CREATE INDEX site_hours_day ON site_hours (day, site);

CREATE TABLE doubts (
    day date,
    kind text NOT NULL,
    subject text NOT NULL,
    site text,
    amount bigint,
    lasted_ms bigint NOT NULL,
    detail text NOT NULL
);
CREATE INDEX doubts_day ON doubts (day);
COMMENT ON COLUMN doubts.day IS 'Missing: a doubt of the facts as such, not of one day';

CREATE TABLE measured_power (
    day date NOT NULL,
    site text NOT NULL,
    model text NOT NULL,
    held boolean NOT NULL,
    energy_mj bigint NOT NULL,
    time_ms bigint NOT NULL
);
CREATE INDEX measured_power_day ON measured_power (day);

CREATE TABLE accounted_days (
    day date PRIMARY KEY,
    computed_at timestamptz NOT NULL,
    zone text NOT NULL,
    currency text NOT NULL,
    rows bigint NOT NULL,
    total bigint NOT NULL,
    differences integer
);
COMMENT ON COLUMN accounted_days.differences IS 'What the audit of the day found; missing when it has not run';

CREATE TABLE audit_differences (
    day date NOT NULL,
    difference text NOT NULL
);
CREATE INDEX audit_differences_day ON audit_differences (day);

CREATE TABLE book_days (
    day date NOT NULL,
    site text NOT NULL,
    project text,
    kind text,
    model text,
    bearer text,
    pool text,
    mode text,
    status text NOT NULL,
    depreciation bigint NOT NULL,
    recurring bigint NOT NULL,
    electricity bigint NOT NULL,
    cloud bigint NOT NULL,
    tokens bigint NOT NULL,
    other bigint NOT NULL,
    total bigint NOT NULL,
    energy_mwh bigint,
    measured_mwh bigint NOT NULL,
    device_ms bigint NOT NULL,
    unpriced_ms bigint NOT NULL
);
CREATE INDEX book_days_day ON book_days (day);
COMMENT ON TABLE book_days IS 'The ledger summed for the pages: costs';

CREATE TABLE cell_days (
    day date NOT NULL,
    site text NOT NULL,
    project text,
    kind text,
    model text,
    bearer text,
    pool text,
    mode text,
    status text NOT NULL,
    cell smallint NOT NULL,
    cell_time bigint NOT NULL,
    cell_energy bigint NOT NULL,
    cell_ms bigint NOT NULL
);
CREATE INDEX cell_days_day ON cell_days (day);
COMMENT ON TABLE cell_days IS 'The ledger summed for the pages: categories and reasons';

CREATE TABLE workload_days (
    day date NOT NULL,
    site text NOT NULL,
    workload text NOT NULL,
    project text,
    person text,
    kind text,
    model text,
    bearer text,
    mode text,
    status text NOT NULL,
    depreciation bigint NOT NULL,
    recurring bigint NOT NULL,
    electricity bigint NOT NULL,
    cloud bigint NOT NULL,
    tokens bigint NOT NULL,
    other bigint NOT NULL,
    total bigint NOT NULL,
    energy_mwh bigint,
    measured_mwh bigint NOT NULL,
    device_ms bigint NOT NULL,
    unpriced_ms bigint NOT NULL,
    tokens_trained bigint,
    tokens_prompt bigint,
    tokens_cached bigint,
    tokens_generated bigint,
    model_flops double precision,
    peak_flops double precision,
    unpeaked_ms bigint NOT NULL
);
CREATE INDEX workload_days_day ON workload_days (day);
COMMENT ON TABLE workload_days IS 'The ledger summed by workload, with the work it did; peak_flops is peak x device time, unpeaked_ms has no known peak';

CREATE TABLE reporting_workloads (
    workload text PRIMARY KEY,
    trained boolean NOT NULL,
    prompt boolean NOT NULL,
    cached boolean NOT NULL,
    generated boolean NOT NULL,
    flops boolean NOT NULL
);
COMMENT ON TABLE reporting_workloads IS 'Which work a workload reports at all: its whole direct cost is what that work cost';
";

const DOWN: &str = r"
DROP TABLE reporting_workloads, workload_days, cell_days, book_days, audit_differences, accounted_days, measured_power, doubts, site_hours,
    sources, ledger, cell_codes;
";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .get_connection()
            .execute_unprepared(UP)
            .await
            .map(drop)
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .get_connection()
            .execute_unprepared(DOWN)
            .await
            .map(drop)
    }
}
