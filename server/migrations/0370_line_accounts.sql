-- The LINE channels of a merchant, one of each kind. Secrets and the token are encrypted (AES-256-GCM, see kernel/keyring).
create table line_accounts (
  merchant_id uuid primary key,
  -- Of the Messaging API; null where only the Login channel is set up.
  channel_id text,
  channel_secret text,
  access_token text,
  -- Made from id and secret and renewed by us; else the merchant gave one.
  token_is_issued boolean not null default false,
  access_token_expires_at timestamptz,
  bot_user_id text,
  basic_id text,
  display_name text,
  picture_url text,
  login_channel_id text,
  login_channel_secret text,
  login_enabled boolean not null default false,
  multipass_secret text,
  -- Why the platform does not let us in; null while it does.
  trouble text check (trouble in ('unauthorized', 'refused')),
  trouble_since timestamptz,
  checked_at timestamptz,
  updated_at timestamptz not null
);

-- Directory: which merchant a channel belongs to. A channel has one webhook address, and so one merchant.
create table line_channel_directory (
  channel_id text primary key,
  merchant_id uuid not null
);
