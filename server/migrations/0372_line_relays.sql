-- Addresses that LINE's webhooks are passed on to: a channel has only one address of its own.
create table line_relays (
  merchant_id uuid not null,
  id uuid not null,
  url text not null,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, url)
);

-- What is to be passed on, and what came of it. Bytes and signature as they came.
create table line_relay_calls (
  merchant_id uuid not null,
  id uuid not null,
  relay_id uuid not null,
  body bytea not null,
  signature text not null,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
  received_at timestamptz not null,
  tries smallint not null default 0,
  answer text,
  next_try_at timestamptz,
  primary key (merchant_id, id)
);
create index line_relay_calls_due on line_relay_calls (merchant_id, relay_id, next_try_at) where state = 'waiting';
create index line_relay_calls_of_relay on line_relay_calls (merchant_id, relay_id, state);
