-- Steps of scenarios whose emails go wrong: what is to be looked at, and what is held back until a person says how it goes on.
create table step_brakes (
  merchant_id uuid not null,
  scenario_id uuid not null,
  node_id text not null,
  -- Something went wrong since the last look. Null: nothing did.
  look_at timestamptz,
  -- A person let it go on: what was written before is not looked at again.
  looks_from timestamptz,
  -- Both null, or neither.
  held_since timestamptz,
  result jsonb,
  primary key (merchant_id, scenario_id, node_id)
);
create index step_brakes_due on step_brakes (look_at) where look_at is not null;
