-- Further senders beside the one of the settings: emails are sent from them by their address.
create table senders (
  merchant_id uuid not null,
  id uuid not null,
  name text not null,
  email text not null,
  -- Lower case.
  email_key text not null,
  reply_to text,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, email_key)
);
