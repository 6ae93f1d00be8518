-- Okaeri was back from an outage then, in product time: until the store was asked who opted out meanwhile, mail to customers waits a while.
alter table store_watches add column opt_outs_unknown_at timestamptz;
