create table segments (
  merchant_id uuid not null,
  id uuid not null,
  name text not null,
  origin text not null default 'own' check (origin in ('own', 'remote')),
  conditions jsonb,
  status text not null check (status in ('calculating', 'ready', 'failed')),
  customer_count int,
  customers_total int,
  counted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (merchant_id, id)
);
create index segments_by_created on segments (merchant_id, created_at desc, id desc) where deleted_at is null;

create table emails (
  merchant_id uuid not null,
  id uuid not null,
  name text not null,
  subject text not null,
  preheader text not null default '',
  from_email text,
  from_name text,
  content text not null,
  size_bytes int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (merchant_id, id)
);
create index emails_by_created on emails (merchant_id, created_at desc, id desc) where deleted_at is null;

-- Counts by quarter of an hour (every zone's hours and days are whole numbers of them), kept as events arrive.
-- Test messages are not counted. campaign_id and email_id are the nil UUID where there is none.
create table message_stats (
  merchant_id uuid not null,
  bucket timestamptz not null,
  campaign_id uuid not null,
  email_id uuid not null,
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
  primary key (merchant_id, bucket, campaign_id, email_id)
);
create index message_stats_by_campaign on message_stats (merchant_id, campaign_id);
create index message_stats_by_email on message_stats (merchant_id, email_id);
