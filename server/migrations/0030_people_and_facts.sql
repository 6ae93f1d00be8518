-- When the store's tags were last known whole: tag webhooks carry differences, and those older than this are in already.
alter table customers add column tags_known_at timestamptz;

-- Set once an order has been told of as placed now ('order.placed'); orders copied from the store's past never are.
alter table orders add column announced_at timestamptz;

-- Who works at a sync run and until when others leave it alone (real time); when it is to be looked at next.
alter table sync_runs add column lease_id uuid;
alter table sync_runs add column lease_expires_at timestamptz;
alter table sync_runs add column next_step_at timestamptz;
-- Exports that failed or expired and were asked for again.
alter table sync_steps add column attempts int not null default 0;

-- Given up after too many tries; kept for whoever looks into it, and in nobody's way.
alter table store_webhooks add column parked_at timestamptz;
drop index store_webhooks_due;
create index store_webhooks_due on store_webhooks (merchant_id, next_attempt_at)
  where processed_at is null and parked_at is null;
-- Also over what is done: whether something newer about a subject was worked in before.
drop index store_webhooks_by_subject;
create index store_webhooks_by_subject on store_webhooks (merchant_id, subject, triggered_at);
