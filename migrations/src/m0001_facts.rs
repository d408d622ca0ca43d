//! Facts as they came in, a table per fact file with the file's own column names, and the import ledger.
//!
//! Prices and amounts stand as written, `vat_rate` beside them; the net price is derived when they are read, so that
//! it stays exact. `import` names the import that last set a row.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const UP: &str = r#"
CREATE TABLE imports (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    file text NOT NULL,
    kind text NOT NULL,
    outcome text NOT NULL,
    rows_read bigint NOT NULL DEFAULT 0,
    rows_new bigint NOT NULL DEFAULT 0,
    rows_replaced bigint NOT NULL DEFAULT 0,
    rows_unchanged bigint NOT NULL DEFAULT 0,
    rows_rejected bigint NOT NULL DEFAULT 0,
    rejections jsonb NOT NULL DEFAULT '[]',
    dropped jsonb NOT NULL DEFAULT '[]',
    amounts jsonb NOT NULL DEFAULT '[]',
    first_at timestamptz,
    last_at timestamptz,
    at timestamptz NOT NULL DEFAULT now(),
    by text NOT NULL,
    sha256 text NOT NULL,
    zone text,
    messages jsonb NOT NULL DEFAULT '[]'
);
CREATE INDEX imports_sha256 ON imports (sha256);

-- Ledger days whose facts changed; `id` orders them, so that a day is settled only up to what its reader had seen.
CREATE TABLE dirty_days (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    days datemultirange NOT NULL
);

-- Device time whose samples changed and whose minutes are not laid again yet.
CREATE TABLE dirty_hours (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    device text NOT NULL,
    "start" timestamptz NOT NULL,
    "end" timestamptz NOT NULL
);
CREATE INDEX dirty_hours_device ON dirty_hours (device);

CREATE TABLE sites (
    site text NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    zone text NOT NULL,
    region text,
    pue_default numeric,
    tariff text,
    entity text,
    valid_from timestamptz,
    import bigint NOT NULL
);
CREATE UNIQUE INDEX sites_key ON sites (site, valid_from) NULLS NOT DISTINCT;

CREATE TABLE nodes (
    node text NOT NULL,
    site text NOT NULL,
    ownership text NOT NULL,
    cloud_resource_id text,
    host_overhead_w numeric,
    valid_from timestamptz,
    valid_to timestamptz,
    import bigint NOT NULL
);
CREATE UNIQUE INDEX nodes_key ON nodes (node, valid_from) NULLS NOT DISTINCT;

CREATE TABLE devices (
    device text NOT NULL,
    node text NOT NULL,
    slot text NOT NULL,
    model text NOT NULL,
    parent text,
    slice text,
    slice_weight text,
    valid_from timestamptz,
    valid_to timestamptz,
    import bigint NOT NULL
);
CREATE UNIQUE INDEX devices_key ON devices (device, valid_from) NULLS NOT DISTINCT;

CREATE TABLE device_models (
    model text NOT NULL PRIMARY KEY,
    aliases text,
    vendor text NOT NULL,
    memory_gib numeric,
    tdp_w numeric,
    idle_w numeric,
    peak_bf16_tflops numeric,
    peak_fp16_tflops numeric,
    peak_fp8_tflops numeric,
    peak_int8_tops numeric,
    peak_tf32_tflops numeric,
    peak_fp32_tflops numeric,
    peak_fp64_tflops numeric,
    mem_bw_gbps numeric,
    slices bigint,
    source text NOT NULL,
    confidence text NOT NULL,
    import bigint NOT NULL
);

CREATE TABLE fault_classes (
    code text NOT NULL PRIMARY KEY,
    class text NOT NULL,
    import bigint NOT NULL
);

CREATE TABLE assets (
    asset text NOT NULL,
    name text NOT NULL,
    site text NOT NULL,
    nodes text,
    price numeric NOT NULL,
    vat_rate numeric,
    currency text NOT NULL,
    in_service date NOT NULL,
    life_months bigint NOT NULL,
    residual_rate numeric NOT NULL,
    method text NOT NULL,
    start_rule text NOT NULL,
    retired date,
    share_key text,
    valid_from_month date,
    import bigint NOT NULL
);
CREATE UNIQUE INDEX assets_key ON assets (asset, valid_from_month) NULLS NOT DISTINCT;

CREATE TABLE recurring (
    charge text NOT NULL,
    name text NOT NULL,
    site text NOT NULL,
    nodes text,
    component text NOT NULL,
    amount numeric NOT NULL,
    vat_rate numeric,
    currency text NOT NULL,
    from_month date NOT NULL,
    to_month date,
    import bigint NOT NULL,
    PRIMARY KEY (charge, from_month)
);

CREATE TABLE tariffs (
    tariff text NOT NULL,
    "from" timestamptz NOT NULL,
    "to" timestamptz,
    months text NOT NULL,
    days text NOT NULL,
    slot text NOT NULL,
    level text NOT NULL,
    import bigint NOT NULL
);
CREATE INDEX tariffs_group ON tariffs (tariff, "from");

CREATE TABLE tariff_prices (
    tariff text NOT NULL,
    month date NOT NULL,
    level text NOT NULL,
    price_per_kwh numeric NOT NULL,
    vat_rate numeric,
    currency text NOT NULL,
    import bigint NOT NULL,
    PRIMARY KEY (tariff, month, level)
);

CREATE TABLE holidays (
    date date NOT NULL,
    kind text NOT NULL,
    region text,
    import bigint NOT NULL
);
CREATE UNIQUE INDEX holidays_key ON holidays (date, region) NULLS NOT DISTINCT;

CREATE TABLE price_book (
    site text NOT NULL,
    model text NOT NULL,
    ownership text NOT NULL,
    price_per_device_hour numeric NOT NULL,
    vat_rate numeric,
    currency text NOT NULL,
    "from" timestamptz NOT NULL,
    "to" timestamptz,
    import bigint NOT NULL,
    PRIMARY KEY (site, model, ownership, "from")
);

CREATE TABLE fx (
    month date NOT NULL,
    currency text NOT NULL,
    rate numeric NOT NULL,
    import bigint NOT NULL,
    PRIMARY KEY (month, currency)
);

CREATE TABLE teams (
    team text NOT NULL,
    name text NOT NULL,
    cost_center text,
    entity text,
    valid_from timestamptz,
    valid_to timestamptz,
    import bigint NOT NULL
);
CREATE UNIQUE INDEX teams_key ON teams (team, valid_from) NULLS NOT DISTINCT;

CREATE TABLE projects (
    project text NOT NULL,
    name text NOT NULL,
    team text NOT NULL,
    entity text,
    valid_from timestamptz,
    valid_to timestamptz,
    import bigint NOT NULL
);
CREATE UNIQUE INDEX projects_key ON projects (project, valid_from) NULLS NOT DISTINCT;

CREATE TABLE people (
    person text NOT NULL,
    name text,
    team text,
    email text,
    valid_from timestamptz,
    valid_to timestamptz,
    import bigint NOT NULL
);
CREATE UNIQUE INDEX people_key ON people (person, valid_from) NULLS NOT DISTINCT;

CREATE TABLE rules (
    "order" bigint NOT NULL,
    rule text NOT NULL,
    applies text,
    match text NOT NULL,
    project text,
    pool text,
    person text,
    valid_from timestamptz,
    valid_to timestamptz,
    import bigint NOT NULL
);
CREATE UNIQUE INDEX rules_key ON rules (rule, valid_from) NULLS NOT DISTINCT;

CREATE TABLE policies (
    pool text NOT NULL,
    policy text NOT NULL,
    weights text,
    from_month date NOT NULL,
    import bigint NOT NULL,
    PRIMARY KEY (pool, from_month)
);

CREATE TABLE coverage (
    source text NOT NULL,
    scope text NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    "start" timestamptz NOT NULL,
    "end" timestamptz NOT NULL,
    import bigint NOT NULL,
    PRIMARY KEY (source, scope, name, kind, "start")
);

CREATE TABLE workloads (
    workload text NOT NULL,
    source text NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    "user" text,
    project text,
    queue text,
    namespace text,
    account text,
    labels text,
    submitted timestamptz,
    started timestamptz NOT NULL,
    ended timestamptz,
    state text NOT NULL,
    attempt bigint,
    model_params numeric,
    active_params numeric,
    precision text,
    seq_len bigint,
    import bigint NOT NULL
);
CREATE UNIQUE INDEX workloads_key ON workloads (workload, attempt) NULLS NOT DISTINCT;
CREATE INDEX workloads_started ON workloads (started);

CREATE TABLE placements (
    workload text NOT NULL,
    device text NOT NULL,
    "start" timestamptz NOT NULL,
    "end" timestamptz,
    share text,
    seq bigint,
    import bigint NOT NULL
);
CREATE INDEX placements_workload ON placements (workload);
CREATE INDEX placements_start ON placements ("start");
CREATE UNIQUE INDEX placements_key ON placements (workload, device, seq) WHERE seq IS NOT NULL;

CREATE TABLE node_states (
    node text NOT NULL,
    "start" timestamptz NOT NULL,
    "end" timestamptz,
    state text NOT NULL,
    owner_project text,
    import bigint NOT NULL,
    PRIMARY KEY (node, "start")
);

CREATE TABLE meters (
    meter text NOT NULL,
    site text NOT NULL,
    node text,
    role text NOT NULL,
    multiplier numeric,
    parent text,
    valid_from timestamptz,
    valid_to timestamptz,
    import bigint NOT NULL
);
CREATE UNIQUE INDEX meters_key ON meters (meter, valid_from) NULLS NOT DISTINCT;

CREATE TABLE meter_readings (
    meter text NOT NULL,
    time timestamptz NOT NULL,
    kwh numeric,
    kw numeric,
    import bigint NOT NULL,
    PRIMARY KEY (meter, time)
);

CREATE TABLE work (
    workload text NOT NULL,
    attempt bigint,
    "start" timestamptz NOT NULL,
    "end" timestamptz NOT NULL,
    tokens_trained bigint,
    tokens_prompt bigint,
    tokens_cached bigint,
    tokens_generated bigint,
    samples bigint,
    steps bigint,
    replayed_steps bigint,
    model_flops double precision,
    import bigint NOT NULL
);
CREATE UNIQUE INDEX work_key ON work (workload, attempt, "start") NULLS NOT DISTINCT;
CREATE INDEX work_start ON work ("start");

-- Fractions in 1e-4, power in micro-watts, the energy counter in milli-joules. A partition per UTC month.
CREATE TABLE samples (
    device text NOT NULL,
    time timestamptz NOT NULL,
    interval_ms integer NOT NULL,
    g smallint,
    s smallint,
    t smallint,
    d smallint,
    fp32 smallint,
    fp64 smallint,
    comm smallint,
    comm_kind text,
    host_evidence smallint,
    throttle smallint,
    link_bytes_s bigint,
    mem_used_bytes bigint,
    power_uw bigint,
    energy_mj bigint,
    fault text,
    import bigint NOT NULL,
    PRIMARY KEY (device, time, interval_ms)
) PARTITION BY RANGE (time);

-- What the samples of a device say about a UTC hour: the facts for good, the minutes while the month is open.
CREATE TABLE device_hours (
    hour timestamptz NOT NULL,
    device text NOT NULL,
    samples integer NOT NULL,
    covered_ms integer NOT NULL,
    g smallint,
    s smallint,
    t smallint,
    d smallint,
    energy_mj bigint NOT NULL,
    energy_ms integer NOT NULL,
    -- The last minute (0-59) that reports the device lost, and the last one that shows it well.
    lost_minute smallint,
    healthy_minute smallint,
    minutes bytea,
    PRIMARY KEY (hour, device)
) PARTITION BY RANGE (hour);
CREATE INDEX device_hours_by_device ON device_hours (device, hour);
CREATE INDEX device_hours_lost ON device_hours (device, hour) WHERE lost_minute > coalesce(healthy_minute, -1);
"#;

const DOWN: &str = "
DROP TABLE device_hours, samples, work, meter_readings, meters, node_states, placements, workloads, coverage,
    policies, rules, people, projects, teams, fx, price_book, holidays, tariff_prices, tariffs, recurring, assets,
    fault_classes, device_models, devices, nodes, sites, dirty_hours, dirty_days, imports;
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
