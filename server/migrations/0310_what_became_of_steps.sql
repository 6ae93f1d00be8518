-- What a flow says at each step: whom its mail was not sent to and why, and who ended there before the last step. The reasons at a step
-- are few, however many people they are about: found by steps into these.
create index deliveries_skipped_at_steps on deliveries (merchant_id, scenario_id, node_id, reason)
  where scenario_id is not null and status = 'skipped' and node_id is not null and reason is not null;
create index executions_ended_early on executions (merchant_id, scenario_id, node_id, end_reason)
  where status = 'done' and end_reason <> 'finished' and node_id is not null and not test;
