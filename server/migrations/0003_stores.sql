create table store_connections (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  shop_domain text not null,
  name text,
  storefront_url text,
  status text not null check (status in ('connected', 'disconnected')),
  scopes text not null default '',
  -- Encrypted (AES-256-GCM, see kernel/keyring): access and refresh token.
  access_token text,
  access_token_expires_at timestamptz,
  refresh_token text,
  under_review boolean not null default false,
  connected_at timestamptz not null,
  disconnected_at timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, shop_domain)
);

-- Directory: which merchant a store belongs to. A store has one merchant.
create table store_directory (
  shop_domain text primary key,
  merchant_id uuid not null
);

-- Directory: authorizations under way, by the state given to the platform. merchant_id is null when a store signs up by itself.
create table store_authorizations (
  state text primary key,
  shop_domain text not null,
  merchant_id uuid,
  created_at timestamptz not null
);
