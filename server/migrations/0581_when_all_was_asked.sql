-- When a worker last looked for due work that no wake-up told of. One of them does, for all.
alter table installation add column all_asked_at timestamptz;
