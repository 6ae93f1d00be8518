-- What is sent, frozen: the content of a campaign (later: of a scenario node version) as it was when it was reserved.
create table messages (
  merchant_id uuid not null,
  id uuid not null,
  campaign_id uuid,
  email_id uuid,
  subject text not null,
  preheader text not null default '',
  from_name text not null,
  from_email text not null,
  reply_to text,
  -- Prepared: links and pixel are markers that each recipient's own address is put in for (emails feature).
  html text not null,
  text text not null,
  -- The addresses of the links in the order they stand in the mail; a click names one by its number.
  links text[] not null default '{}',
  tracking_enabled boolean not null,
  tracking_parameters jsonb not null default '{}',
  -- held: its deliveries wait (reserved, outside sending hours, stopped). released: the senders may claim them.
  -- done: none of them is pending or sending any more.
  state text not null default 'held' check (state in ('held', 'released', 'done')),
  -- Frozen in test mode: its deliveries go to the test addresses, whatever the merchant switches to later.
  test_mode boolean not null default false,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);
create index messages_released on messages (merchant_id, id) where state = 'released';

-- The ledger (domain.md §2): one row for one message to one person, written before anything is sent.
-- No foreign keys: customers can be forgotten, and 100,000 checks at a freeze buy nothing the code does not already hold.
create table deliveries (
  merchant_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('campaign', 'scenario', 'test')),
  channel text not null default 'email' check (channel in ('email', 'line')),
  campaign_id uuid,
  customer_id uuid,
  message_id uuid not null,
  status text not null check (status in ('pending', 'sending', 'sent', 'failed', 'skipped', 'uncertain')),
  reason text,
  detail text,
  -- The address it goes (went) to; in test mode the customer's own, the mail itself goes to the test addresses.
  address text,
  test_mode boolean not null default false,
  ignores_consent boolean not null default false,
  attempts smallint not null default 0,
  -- Null: at once.
  next_attempt_at timestamptz,
  -- The lease it is being sent under; its number is the fence.
  lease_id bigint,
  created_at timestamptz not null,
  sent_at timestamptz,
  delivered_at timestamptz,
  opened_at timestamptz,
  machine_opened_at timestamptz,
  clicked_at timestamptz,
  machine_clicked_at timestamptz,
  bounced_at timestamptz,
  bounce_kind text,
  complained_at timestamptz,
  unsubscribed_at timestamptz,
  primary key (merchant_id, id)
);
create unique index deliveries_once_per_campaign on deliveries (merchant_id, campaign_id, customer_id) where campaign_id is not null;
create index deliveries_due on deliveries (merchant_id, message_id, id) where status = 'pending';
create index deliveries_by_customer on deliveries (merchant_id, customer_id, id desc);
create index deliveries_by_message on deliveries (merchant_id, message_id, id desc);

-- A worker's hold on a batch. `handed_over` lists the deliveries whose message body may have left: if the worker dies they are
-- uncertain, the rest of the batch is not. `expires_at` is in real time, never in the movable clock's.
create table delivery_leases (
  merchant_id uuid not null,
  id bigint generated always as identity,
  worker_id text not null,
  message_id uuid not null,
  handed_over uuid[] not null default '{}',
  expires_at timestamptz not null,
  primary key (merchant_id, id)
);

-- Postponements of a mailer (quota answers): nothing is sent through it before `until`.
create table mailer_pauses (
  merchant_id uuid not null,
  mailer text not null,
  until timestamptz not null,
  detail text,
  primary key (merchant_id, mailer)
);
