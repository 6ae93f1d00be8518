-- `held`: what a scenario wants done outside fell due while it was stopped; it is done when that runs again.
alter table execution_effects drop constraint execution_effects_status_check;
alter table execution_effects add constraint execution_effects_status_check check (status in ('pending', 'held', 'done', 'failed'));
create index execution_effects_held on execution_effects (merchant_id, execution_id) where status = 'held';

-- Mails of scenarios that wait for their hour, by whom they are for: an order withdraws them.
create index deliveries_waiting_of_customer on deliveries (merchant_id, customer_id)
  where status in ('pending', 'sending') and execution_id is not null;

-- The next answer tells of nobody: it was asked for because so much was brought at once (a copy of the store, a file), and nothing
-- happened to those who come into the segment by it.
alter table segments add column tells_of_nobody boolean not null default false;
alter table changed_customers add column learned boolean not null default false;
