-- What happened to a customer or a guest, as far as scenarios can be started by it. `key` names the happening, so that it is written once
-- however often it is told. Kept for 90 days.
create table events (
  merchant_id uuid not null,
  id uuid not null,
  kind text not null,
  key text not null,
  customer_id uuid,
  guest_id uuid,
  -- Only this scenario may be started by it (clock-driven and manual events).
  scenario_id uuid,
  -- contract: EventSubject
  subject jsonb not null default '{}',
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  -- When the scenarios looked at it; null: still to be looked at.
  looked_at timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, key)
);
create index events_to_look_at on events (merchant_id, id) where looked_at is null;
create index events_by_customer on events (merchant_id, customer_id, id desc);
create index events_by_kind on events (merchant_id, kind, id desc);

create table scenarios (
  merchant_id uuid not null,
  id uuid not null,
  name text not null,
  status text not null check (status in ('draft', 'active', 'stopped', 'deleted')),
  mode text not null check (mode in ('form', 'flow')),
  -- Class name of the template it was begun with, and the values of its fields while in form mode.
  template text,
  form jsonb,
  include_all_customers boolean not null default false,
  priority text not null default 'normal' check (priority in ('normal', 'always')),
  holdout_percent smallint not null default 0,
  -- The number of the present version, and its trigger's kind, beside the version itself: entering finds scenarios by it.
  version int not null,
  trigger_kind text not null,
  -- Entries of the present hour, for the brake.
  entries_hour timestamptz,
  entries_in_hour int not null default 0,
  braked_at timestamptz,
  enabled_at timestamptz,
  stopped_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id)
);
create index scenarios_active on scenarios (merchant_id, trigger_kind) where status = 'active';

-- A saved flow. A running execution stays on its own.
create table scenario_versions (
  merchant_id uuid not null,
  scenario_id uuid not null,
  number int not null,
  -- contract: Flow
  flow jsonb not null,
  created_at timestamptz not null,
  primary key (merchant_id, scenario_id, number)
);

-- Which scenarios looked at an event, and the rule that kept it out where one did.
create table scenario_entries (
  merchant_id uuid not null,
  event_id uuid not null,
  scenario_id uuid not null,
  customer_id uuid,
  execution_id uuid,
  refused_by text,
  detail jsonb,
  at timestamptz not null,
  primary key (merchant_id, event_id, scenario_id)
);
create index scenario_entries_by_customer on scenario_entries (merchant_id, scenario_id, customer_id, at desc);

-- One customer's (or guest's) way through one version. A wait is this row.
create table executions (
  merchant_id uuid not null,
  id uuid not null,
  scenario_id uuid not null,
  version int not null,
  event_id uuid,
  customer_id uuid,
  guest_id uuid,
  status text not null check (status in ('running', 'paused', 'late', 'failed', 'done', 'resolved')),
  end_reason text,
  -- Where it is. `asleep`: the node was begun, and goes on at `wake_at` (or earlier, when what it `awaits` comes).
  node_id text,
  asleep boolean not null default false,
  wake_at timestamptz,
  -- An event kind, or 'effect' while something outside is being done.
  awaits text,
  -- Its scenario is stopped; nothing wakes it.
  held boolean not null default false,
  round smallint not null default 1,
  attempts smallint not null default 0,
  steps int not null default 0,
  test boolean not null default false,
  held_out boolean not null default false,
  -- Answered: send although late.
  late_accepted boolean not null default false,
  coupon_id uuid,
  last_error text,
  last_error_detail text,
  last_error_at timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (merchant_id, id)
);
create unique index executions_once_per_event on executions (merchant_id, scenario_id, event_id) where event_id is not null and not test;
create index executions_due on executions (merchant_id, wake_at) where status = 'running' and not held;
create index executions_of_scenario on executions (merchant_id, scenario_id, id desc);
create index executions_of_customer on executions (merchant_id, customer_id, id desc);
create index executions_awaiting on executions (merchant_id, customer_id, awaits) where status = 'running' and awaits is not null;

create table execution_steps (
  merchant_id uuid not null,
  execution_id uuid not null,
  seq int not null,
  round smallint not null,
  node_id text not null,
  node_kind text not null,
  outcome text not null,
  detail jsonb,
  delivery_id uuid,
  at timestamptz not null,
  primary key (merchant_id, execution_id, seq)
);

-- Sums per node over all versions; what waits there now is counted from the executions.
create table scenario_node_counts (
  merchant_id uuid not null,
  scenario_id uuid not null,
  node_id text not null,
  entered bigint not null default 0,
  passed bigint not null default 0,
  failed bigint not null default 0,
  primary key (merchant_id, scenario_id, node_id)
);

-- What a node wants done outside (a call, tags in the store): written with the step, done by a worker, tried again. The execution waits at
-- its node meanwhile.
create table execution_effects (
  merchant_id uuid not null,
  id uuid not null,
  execution_id uuid not null,
  node_id text not null,
  round smallint not null,
  kind text not null,
  payload jsonb not null,
  status text not null default 'pending' check (status in ('pending', 'done', 'failed')),
  attempts smallint not null default 0,
  next_attempt_at timestamptz not null,
  -- Real time: whoever works on it holds it until then.
  lease_expires_at timestamptz,
  answer text,
  created_at timestamptz not null,
  done_at timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, execution_id, node_id, round)
);
create index execution_effects_due on execution_effects (merchant_id, next_attempt_at) where status = 'pending';
