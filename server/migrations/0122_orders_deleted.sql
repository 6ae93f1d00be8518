-- Deleted in the store: counts no more; kept for what was credited to it.
alter table orders add column deleted_at timestamptz;
