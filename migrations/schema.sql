CREATE TABLE public.accounted_days (
    day date NOT NULL,
    computed_at timestamp with time zone NOT NULL,
    zone text NOT NULL,
    currency text NOT NULL,
    rows bigint NOT NULL,
    total bigint NOT NULL,
    differences integer
);
COMMENT ON COLUMN public.accounted_days.differences IS 'What the audit of the day found; missing when it has not run';
CREATE TABLE public.assets (
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
CREATE TABLE public.audit_differences (
    day date NOT NULL,
    difference text NOT NULL
);
CREATE TABLE public.book_days (
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
COMMENT ON TABLE public.book_days IS 'The ledger summed for the pages: costs';
CREATE TABLE public.cell_codes (
    cell smallint NOT NULL,
    category text NOT NULL,
    reason text NOT NULL
);
COMMENT ON TABLE public.cell_codes IS 'The (category, sub-reason) pairs that cells of the books name by number';
CREATE TABLE public.cell_days (
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
COMMENT ON TABLE public.cell_days IS 'The ledger summed for the pages: categories and reasons';
CREATE TABLE public.coverage (
    source text NOT NULL,
    scope text NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    start timestamp with time zone NOT NULL,
    "end" timestamp with time zone NOT NULL,
    import bigint NOT NULL
);
CREATE TABLE public.device_hours (
    hour timestamp with time zone NOT NULL,
    device text NOT NULL,
    samples integer NOT NULL,
    covered_ms integer NOT NULL,
    g smallint,
    s smallint,
    t smallint,
    d smallint,
    energy_mj bigint NOT NULL,
    energy_ms integer NOT NULL,
    lost_minute smallint,
    healthy_minute smallint,
    minutes bytea
)
PARTITION BY RANGE (hour);
CREATE TABLE public.device_models (
    model text NOT NULL,
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
CREATE TABLE public.devices (
    device text NOT NULL,
    node text NOT NULL,
    slot text NOT NULL,
    model text NOT NULL,
    parent text,
    slice text,
    slice_weight text,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    import bigint NOT NULL
);
CREATE TABLE public.dirty_days (
    id bigint NOT NULL,
    days datemultirange NOT NULL
);
ALTER TABLE public.dirty_days ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.dirty_days_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.dirty_hours (
    id bigint NOT NULL,
    device text NOT NULL,
    start timestamp with time zone NOT NULL,
    "end" timestamp with time zone NOT NULL
);
ALTER TABLE public.dirty_hours ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.dirty_hours_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.doubts (
    day date,
    kind text NOT NULL,
    subject text NOT NULL,
    site text,
    amount bigint,
    lasted_ms bigint NOT NULL,
    detail text NOT NULL
);
COMMENT ON COLUMN public.doubts.day IS 'Missing: a doubt of the facts as such, not of one day';
CREATE TABLE public.fault_classes (
    code text NOT NULL,
    class text NOT NULL,
    import bigint NOT NULL
);
CREATE TABLE public.fx (
    month date NOT NULL,
    currency text NOT NULL,
    rate numeric NOT NULL,
    import bigint NOT NULL
);
CREATE TABLE public.holidays (
    date date NOT NULL,
    kind text NOT NULL,
    region text,
    import bigint NOT NULL
);
CREATE TABLE public.imports (
    id bigint NOT NULL,
    file text NOT NULL,
    kind text NOT NULL,
    outcome text NOT NULL,
    rows_read bigint DEFAULT 0 NOT NULL,
    rows_new bigint DEFAULT 0 NOT NULL,
    rows_replaced bigint DEFAULT 0 NOT NULL,
    rows_unchanged bigint DEFAULT 0 NOT NULL,
    rows_rejected bigint DEFAULT 0 NOT NULL,
    rejections jsonb DEFAULT '[]'::jsonb NOT NULL,
    dropped jsonb DEFAULT '[]'::jsonb NOT NULL,
    amounts jsonb DEFAULT '[]'::jsonb NOT NULL,
    first_at timestamp with time zone,
    last_at timestamp with time zone,
    at timestamp with time zone DEFAULT now() NOT NULL,
    by text NOT NULL,
    sha256 text NOT NULL,
    zone text,
    messages jsonb DEFAULT '[]'::jsonb NOT NULL
);
ALTER TABLE public.imports ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.imports_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ledger (
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
)
PARTITION BY RANGE (day);
COMMENT ON TABLE public.ledger IS 'One row per (day, device, workload or none, bearer), and lines without device; money in micro-yuan';
COMMENT ON COLUMN public.ledger.mode_ms IS 'Milliseconds by evidence mode, M0 first, trailing zeros cut';
COMMENT ON COLUMN public.ledger.cells IS 'Reasons of the row: cells[i] of cell_codes has cell_time[i], cell_energy[i] micro-yuan and cell_ms[i]';
CREATE TABLE public.measured_power (
    day date NOT NULL,
    site text NOT NULL,
    model text NOT NULL,
    held boolean NOT NULL,
    energy_mj bigint NOT NULL,
    time_ms bigint NOT NULL
);
CREATE TABLE public.meter_readings (
    meter text NOT NULL,
    "time" timestamp with time zone NOT NULL,
    kwh numeric,
    kw numeric,
    import bigint NOT NULL
);
CREATE TABLE public.meters (
    meter text NOT NULL,
    site text NOT NULL,
    node text,
    role text NOT NULL,
    multiplier numeric,
    parent text,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    import bigint NOT NULL
);
CREATE TABLE public.node_states (
    node text NOT NULL,
    start timestamp with time zone NOT NULL,
    "end" timestamp with time zone,
    state text NOT NULL,
    owner_project text,
    import bigint NOT NULL
);
CREATE TABLE public.nodes (
    node text NOT NULL,
    site text NOT NULL,
    ownership text NOT NULL,
    cloud_resource_id text,
    host_overhead_w numeric,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    import bigint NOT NULL
);
CREATE TABLE public.people (
    person text NOT NULL,
    name text,
    team text,
    email text,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    import bigint NOT NULL
);
CREATE TABLE public.placements (
    workload text NOT NULL,
    device text NOT NULL,
    start timestamp with time zone NOT NULL,
    "end" timestamp with time zone,
    share text,
    seq bigint,
    import bigint NOT NULL
);
CREATE TABLE public.policies (
    pool text NOT NULL,
    policy text NOT NULL,
    weights text,
    from_month date NOT NULL,
    import bigint NOT NULL
);
CREATE TABLE public.price_book (
    site text NOT NULL,
    model text NOT NULL,
    ownership text NOT NULL,
    price_per_device_hour numeric NOT NULL,
    vat_rate numeric,
    currency text NOT NULL,
    "from" timestamp with time zone NOT NULL,
    "to" timestamp with time zone,
    import bigint NOT NULL
);
CREATE TABLE public.projects (
    project text NOT NULL,
    name text NOT NULL,
    team text NOT NULL,
    entity text,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    import bigint NOT NULL
);
CREATE TABLE public.recurring (
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
    import bigint NOT NULL
);
CREATE TABLE public.reporting_workloads (
    workload text NOT NULL,
    trained boolean NOT NULL,
    prompt boolean NOT NULL,
    cached boolean NOT NULL,
    generated boolean NOT NULL,
    flops boolean NOT NULL
);
COMMENT ON TABLE public.reporting_workloads IS 'Which work a workload reports at all: its whole direct cost is what that work cost';
CREATE TABLE public.rules (
    "order" bigint NOT NULL,
    rule text NOT NULL,
    applies text,
    match text NOT NULL,
    project text,
    pool text,
    person text,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    import bigint NOT NULL
);
CREATE TABLE public.samples (
    device text NOT NULL,
    "time" timestamp with time zone NOT NULL,
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
    import bigint NOT NULL
)
PARTITION BY RANGE ("time");
CREATE TABLE public.seaql_migrations (
    version character varying NOT NULL,
    applied_at bigint NOT NULL
);
CREATE TABLE public.sessions (
    token_hash bytea NOT NULL,
    user_name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.settings (
    key text NOT NULL,
    value text NOT NULL
);
CREATE TABLE public.sign_in_attempts (
    subject text NOT NULL,
    attempts integer NOT NULL,
    first_at timestamp with time zone NOT NULL
);
CREATE TABLE public.site_hours (
    day date NOT NULL,
    site text NOT NULL,
    hour_start timestamp with time zone NOT NULL,
    hour_end timestamp with time zone NOT NULL,
    level text,
    energy_mwh bigint NOT NULL,
    facility_mwh bigint,
    amount bigint,
    pue double precision,
    quality text NOT NULL
);
COMMENT ON COLUMN public.site_hours.facility_mwh IS 'IT energy x PUE; missing without PUE';
CREATE TABLE public.sites (
    site text NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    zone text NOT NULL,
    region text,
    pue_default numeric,
    tariff text,
    entity text,
    valid_from timestamp with time zone,
    import bigint NOT NULL
);
CREATE TABLE public.sources (
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
)
PARTITION BY RANGE (day);
COMMENT ON TABLE public.sources IS 'Where a component came from: devices[i] bore amounts[i] micro-yuan; no devices on lines of a pool';
CREATE TABLE public.tariff_prices (
    tariff text NOT NULL,
    month date NOT NULL,
    level text NOT NULL,
    price_per_kwh numeric NOT NULL,
    vat_rate numeric,
    currency text NOT NULL,
    import bigint NOT NULL
);
CREATE TABLE public.tariffs (
    tariff text NOT NULL,
    "from" timestamp with time zone NOT NULL,
    "to" timestamp with time zone,
    months text NOT NULL,
    days text NOT NULL,
    slot text NOT NULL,
    level text NOT NULL,
    import bigint NOT NULL
);
CREATE TABLE public.teams (
    team text NOT NULL,
    name text NOT NULL,
    cost_center text,
    entity text,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    import bigint NOT NULL
);
CREATE TABLE public.users (
    name text NOT NULL,
    role text NOT NULL,
    team text,
    projects text[] DEFAULT '{}'::text[] NOT NULL,
    password_hash text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    disabled_at timestamp with time zone,
    CONSTRAINT users_check CHECK (((role = 'lead'::text) = (team IS NOT NULL))),
    CONSTRAINT users_check1 CHECK (((role = 'member'::text) OR (projects = '{}'::text[]))),
    CONSTRAINT users_name_check CHECK ((name <> ''::text)),
    CONSTRAINT users_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'finance'::text, 'viewer'::text, 'lead'::text, 'member'::text])))
);
CREATE TABLE public.work (
    workload text NOT NULL,
    attempt bigint,
    start timestamp with time zone NOT NULL,
    "end" timestamp with time zone NOT NULL,
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
CREATE TABLE public.workload_days (
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
COMMENT ON TABLE public.workload_days IS 'The ledger summed by workload, with the work it did; peak_flops is peak x device time, unpeaked_ms has no known peak';
CREATE TABLE public.workloads (
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
    submitted timestamp with time zone,
    started timestamp with time zone NOT NULL,
    ended timestamp with time zone,
    state text NOT NULL,
    attempt bigint,
    model_params numeric,
    active_params numeric,
    "precision" text,
    seq_len bigint,
    import bigint NOT NULL
);
ALTER TABLE ONLY public.accounted_days
    ADD CONSTRAINT accounted_days_pkey PRIMARY KEY (day);
ALTER TABLE ONLY public.cell_codes
    ADD CONSTRAINT cell_codes_category_reason_key UNIQUE (category, reason);
ALTER TABLE ONLY public.cell_codes
    ADD CONSTRAINT cell_codes_pkey PRIMARY KEY (cell);
ALTER TABLE ONLY public.coverage
    ADD CONSTRAINT coverage_pkey PRIMARY KEY (source, scope, name, kind, start);
ALTER TABLE ONLY public.device_hours
    ADD CONSTRAINT device_hours_pkey PRIMARY KEY (hour, device);
ALTER TABLE ONLY public.device_models
    ADD CONSTRAINT device_models_pkey PRIMARY KEY (model);
ALTER TABLE ONLY public.dirty_days
    ADD CONSTRAINT dirty_days_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.dirty_hours
    ADD CONSTRAINT dirty_hours_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.fault_classes
    ADD CONSTRAINT fault_classes_pkey PRIMARY KEY (code);
ALTER TABLE ONLY public.fx
    ADD CONSTRAINT fx_pkey PRIMARY KEY (month, currency);
ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.meter_readings
    ADD CONSTRAINT meter_readings_pkey PRIMARY KEY (meter, "time");
ALTER TABLE ONLY public.node_states
    ADD CONSTRAINT node_states_pkey PRIMARY KEY (node, start);
ALTER TABLE ONLY public.policies
    ADD CONSTRAINT policies_pkey PRIMARY KEY (pool, from_month);
ALTER TABLE ONLY public.price_book
    ADD CONSTRAINT price_book_pkey PRIMARY KEY (site, model, ownership, "from");
ALTER TABLE ONLY public.recurring
    ADD CONSTRAINT recurring_pkey PRIMARY KEY (charge, from_month);
ALTER TABLE ONLY public.reporting_workloads
    ADD CONSTRAINT reporting_workloads_pkey PRIMARY KEY (workload);
ALTER TABLE ONLY public.samples
    ADD CONSTRAINT samples_pkey PRIMARY KEY (device, "time", interval_ms);
ALTER TABLE ONLY public.seaql_migrations
    ADD CONSTRAINT seaql_migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.sign_in_attempts
    ADD CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (subject);
ALTER TABLE ONLY public.tariff_prices
    ADD CONSTRAINT tariff_prices_pkey PRIMARY KEY (tariff, month, level);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (name);
CREATE UNIQUE INDEX assets_key ON public.assets USING btree (asset, valid_from_month) NULLS NOT DISTINCT;
CREATE INDEX audit_differences_day ON public.audit_differences USING btree (day);
CREATE INDEX book_days_day ON public.book_days USING btree (day);
CREATE INDEX cell_days_day ON public.cell_days USING btree (day);
CREATE INDEX device_hours_by_device ON ONLY public.device_hours USING btree (device, hour);
CREATE INDEX device_hours_lost ON ONLY public.device_hours USING btree (device, hour) WHERE (lost_minute > COALESCE((healthy_minute)::integer, '-1'::integer));
CREATE UNIQUE INDEX devices_key ON public.devices USING btree (device, valid_from) NULLS NOT DISTINCT;
CREATE INDEX dirty_hours_device ON public.dirty_hours USING btree (device);
CREATE INDEX doubts_day ON public.doubts USING btree (day);
CREATE UNIQUE INDEX holidays_key ON public.holidays USING btree (date, region) NULLS NOT DISTINCT;
CREATE INDEX imports_sha256 ON public.imports USING btree (sha256);
CREATE INDEX ledger_day ON ONLY public.ledger USING brin (day) WITH (pages_per_range='32');
CREATE INDEX measured_power_day ON public.measured_power USING btree (day);
CREATE UNIQUE INDEX meters_key ON public.meters USING btree (meter, valid_from) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX nodes_key ON public.nodes USING btree (node, valid_from) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX people_key ON public.people USING btree (person, valid_from) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX placements_key ON public.placements USING btree (workload, device, seq) WHERE (seq IS NOT NULL);
CREATE INDEX placements_start ON public.placements USING btree (start);
CREATE INDEX placements_workload ON public.placements USING btree (workload);
CREATE UNIQUE INDEX projects_key ON public.projects USING btree (project, valid_from) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX rules_key ON public.rules USING btree (rule, valid_from) NULLS NOT DISTINCT;
CREATE INDEX sessions_expires_at ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_user_name ON public.sessions USING btree (user_name);
CREATE INDEX sign_in_attempts_first_at ON public.sign_in_attempts USING btree (first_at);
CREATE INDEX site_hours_day ON public.site_hours USING btree (day, site);
CREATE UNIQUE INDEX sites_key ON public.sites USING btree (site, valid_from) NULLS NOT DISTINCT;
CREATE INDEX sources_day ON ONLY public.sources USING brin (day) WITH (pages_per_range='32');
CREATE INDEX tariffs_group ON public.tariffs USING btree (tariff, "from");
CREATE UNIQUE INDEX teams_key ON public.teams USING btree (team, valid_from) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX work_key ON public.work USING btree (workload, attempt, start) NULLS NOT DISTINCT;
CREATE INDEX work_start ON public.work USING btree (start);
CREATE INDEX workload_days_day ON public.workload_days USING btree (day);
CREATE UNIQUE INDEX workloads_key ON public.workloads USING btree (workload, attempt) NULLS NOT DISTINCT;
CREATE INDEX workloads_started ON public.workloads USING btree (started);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_name_fkey FOREIGN KEY (user_name) REFERENCES public.users(name) ON DELETE CASCADE;
