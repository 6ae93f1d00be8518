alter table executions
  -- Null while nothing but the time wakes it: 'event' when what it awaited came, 'effect' when what was to be done outside has an answer.
  add column woken_by text,
  -- When it fell asleep at its node: waits count from here, also after the merchant moved to another zone.
  add column asleep_since timestamptz;

-- What is awaited also comes while an execution is paused.
drop index executions_awaiting;
create index executions_awaiting on executions (merchant_id, customer_id, awaits) where awaits is not null;
-- Who is where: counts per node, and per scenario and status.
create index executions_going_on on executions (merchant_id, scenario_id, status, node_id) where ended_at is null;
