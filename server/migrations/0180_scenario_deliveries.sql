-- A mail of a scenario is a delivery like any other: written before it is sent, once per execution, node and round.
alter table deliveries
  add column scenario_id uuid,
  add column execution_id uuid,
  add column node_id text,
  add column round smallint,
  -- What this recipient's mail can say beside the customer: the event and the coupon (emails: MessageData).
  add column variables jsonb;
-- Partial: a campaign's rows are in neither.
create unique index deliveries_once_per_step on deliveries (merchant_id, execution_id, node_id, round) where execution_id is not null;
create index deliveries_of_scenario on deliveries (merchant_id, scenario_id, sent_at) where scenario_id is not null;

-- The content of a scenario's mail as it is when it is first needed; another content (or setting) is another message.
alter table messages
  add column scenario_id uuid,
  add column node_id text,
  add column version int,
  -- Of the email and everything else frozen here, so that it is made once.
  add column fingerprint text,
  -- `always`: neither counted nor held back by the cap on how often one person is mailed.
  add column priority text not null default 'normal' check (priority in ('normal', 'always')),
  add column post_purchase boolean not null default false,
  -- Test executions: to the test addresses only.
  add column for_tests boolean not null default false,
  -- Which of the recipient's variables it writes.
  add column uses_event boolean not null default false,
  add column uses_coupon boolean not null default false,
  -- What was sent of it since then is not yet in the sums; null: all is.
  add column uncounted_from timestamptz;
create unique index messages_of_scenario on messages (merchant_id, scenario_id, node_id, version, fingerprint)
  where scenario_id is not null;
create index messages_uncounted on messages (merchant_id, scenario_id) where uncounted_from is not null;

-- Sums are of a program, a campaign or a scenario, and of its node ('' for campaigns).
alter table message_stats rename column campaign_id to program_id;
alter index message_stats_by_campaign rename to message_stats_by_program;
alter table message_stats add column node_id text not null default '';
alter table message_stats drop constraint message_stats_pkey;
alter table message_stats add primary key (merchant_id, bucket, program_id, email_id, node_id);

-- A scenario runs for years: its sums over all time beside those of each quarter of an hour.
create table scenario_stats (
  merchant_id uuid not null,
  scenario_id uuid not null,
  node_id text not null,
  sent int not null default 0,
  opened int not null default 0,
  clicked int not null default 0,
  machine_opened int not null default 0,
  machine_clicked int not null default 0,
  unsubscribed int not null default 0,
  bounced int not null default 0,
  complained int not null default 0,
  orders int not null default 0,
  revenue bigint not null default 0,
  primary key (merchant_id, scenario_id, node_id)
);

alter table conversions add column scenario_id uuid, add column node_id text;

-- How often one person is mailed: at most so many within so many days, campaigns and scenarios together. Null: no cap.
alter table merchants
  add column frequency_cap_count int,
  add column frequency_cap_days int not null default 7;
