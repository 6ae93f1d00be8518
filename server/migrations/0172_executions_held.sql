-- Those a stopped scenario holds, to be let go when it runs again.
create index executions_held on executions (merchant_id, scenario_id) where held;
create index executions_late on executions (merchant_id, scenario_id) where status = 'late';
