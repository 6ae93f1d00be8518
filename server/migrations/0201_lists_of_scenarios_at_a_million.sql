-- Lists of a scenario with a million executions and mails: what there is little of among them. None of it is written while a scenario
-- runs as it should.
create index executions_of_tests on executions (merchant_id, scenario_id, id desc) where test;
create index executions_resolved on executions (merchant_id, scenario_id, id desc) where status = 'resolved';
create index deliveries_of_scenario_not_sent on deliveries (merchant_id, scenario_id, status, id desc)
  where scenario_id is not null and status in ('failed', 'uncertain', 'skipped');
