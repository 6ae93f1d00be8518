-- When a worker was last asked to compare, so that it is not asked with every look. Real time.
alter table store_watches add column asked_at timestamptz;
