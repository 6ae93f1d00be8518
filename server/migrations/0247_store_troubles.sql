-- Why the platform keeps a connected store from us, and since when.
alter table store_connections add column trouble text
  check (trouble in ('frozen', 'locked', 'forbidden', 'gone', 'app_credentials'));
alter table store_connections add column trouble_since timestamptz;

-- What a copy that goes on trying is held up by, and since when. It looks again at next_step_at, which is product time from now on.
alter table sync_runs add column trouble text;
alter table sync_runs add column trouble_since timestamptz;
update sync_runs set next_step_at = null where status = 'running';
