-- Every open and click as it came, stored before it is answered, with the verdict and what it rests on.
create table tracking_hits (
  merchant_id uuid not null,
  id uuid not null,
  delivery_id uuid not null,
  kind text not null check (kind in ('open', 'click')),
  link_position int,
  occurred_at timestamptz not null,
  user_agent text not null default '',
  -- Network only (/24, /48): enough to tell a data centre, not a person.
  network text not null default '',
  verdict text check (verdict in ('human', 'machine')),
  evidence text,
  judged_at timestamptz,
  primary key (merchant_id, id)
);
create index tracking_hits_by_delivery on tracking_hits (merchant_id, delivery_id);
create index tracking_hits_unjudged on tracking_hits (merchant_id, id) where judged_at is null;

-- Which delivery an order is credited to; at most one.
create table conversions (
  merchant_id uuid not null,
  order_id uuid not null,
  delivery_id uuid not null,
  campaign_id uuid,
  email_id uuid,
  customer_id uuid,
  credited_by text not null check (credited_by in ('click', 'open')),
  amount bigint not null,
  currency text not null,
  ordered_at timestamptz not null,
  -- Cancelled or refunded: taken out again.
  withdrawn_at timestamptz,
  primary key (merchant_id, order_id)
);
create index conversions_by_campaign on conversions (merchant_id, campaign_id);
create index conversions_by_delivery on conversions (merchant_id, delivery_id);
