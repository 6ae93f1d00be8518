-- What came back from the addresses that mails lead to, asked in the background and kept for a while.
create table checked_addresses (
  merchant_id uuid not null,
  -- A hash of kind and target, which may be long.
  key text not null,
  -- A page that a link leads to, a picture, or a discount code of the store.
  kind text not null check (kind in ('page', 'picture', 'coupon')),
  target text not null,
  asked_at timestamptz not null,
  -- It waits to be looked at.
  is_due boolean not null default true,
  lease_expires_at timestamptz,
  -- Null: never yet. What follows is of then.
  checked_at timestamptz,
  -- 'answers', 'gone', 'no_host' or 'unknown'
  outcome text,
  status int,
  reason text,
  -- Where it led in the end.
  leads_to text,
  size_bytes int,
  -- Of a code: when it begins and ends, and how many more people can use it.
  begins_at timestamptz,
  ends_at timestamptz,
  uses_left int,
  primary key (merchant_id, key)
);
create index checked_addresses_due on checked_addresses (merchant_id, asked_at) where is_due;
create index products_of_handle on products (merchant_id, handle);
