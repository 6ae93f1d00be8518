-- People who added the merchant's official account, by the platform's id for them. The friendship is the consent.
create table line_friends (
  merchant_id uuid not null,
  line_user_id text not null,
  customer_id uuid,
  is_friend boolean not null,
  friend_since timestamptz,
  blocked_at timestamptz,
  display_name text,
  picture_url text,
  language text,
  last_contact_at timestamptz,
  -- When the event happened that decided whether they are a friend: an older one changes nothing.
  changed_at timestamptz not null,
  -- When the platform was last asked for name and picture.
  profile_read_at timestamptz,
  created_at timestamptz not null,
  primary key (merchant_id, line_user_id)
);
-- One LINE account of a customer, and one customer of a LINE account.
create unique index line_friends_of_customers on line_friends (merchant_id, customer_id);
create index line_friends_without_profile on line_friends (merchant_id) where profile_read_at is null and is_friend;

-- What the platform told, as it told it.
create table line_events (
  merchant_id uuid not null,
  id uuid not null,
  -- The platform's own id (webhookEventId): it tells an event again under the same.
  event_id text not null,
  line_user_id text,
  type text not null,
  event jsonb not null,
  happened_at timestamptz not null,
  received_at timestamptz not null,
  processed_at timestamptz,
  attempts smallint not null default 0,
  error text,
  primary key (merchant_id, id),
  unique (merchant_id, event_id)
);
create index line_events_waiting on line_events (merchant_id, happened_at) where processed_at is null;
create index line_events_of_users on line_events (merchant_id, line_user_id, happened_at);
