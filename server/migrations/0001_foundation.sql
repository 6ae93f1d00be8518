-- Ids are UUIDv7. The application makes them; this function makes them where one statement inserts many rows
-- (freezing an audience). PostgreSQL 18 has its own; we run on 15 and later.
create function okaeri_uuidv7(at timestamptz) returns uuid language sql volatile parallel safe as $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid()) placing
        substring(int8send((extract(epoch from at) * 1000)::bigint) from 3) from 1 for 6),
      52, 1), 53, 1), 'hex')::uuid
$$;

-- One row: what all processes of an installation must agree on.
create table installation (
  only_row boolean primary key default true check (only_row),
  secrets_fingerprint text not null,
  created_at timestamptz not null
);

create table merchants (
  id uuid primary key,
  site_name text not null,
  language text not null default 'ja',
  timezone text not null default 'Asia/Tokyo',
  currency text not null default 'JPY',
  sender_name text not null default '',
  sender_email text not null default '',
  reply_to text,
  email_provider text not null default 'global' check (email_provider in ('global', 'domestic')),
  test_mode boolean not null default true,
  test_emails text[] not null default '{}',
  sending_hours jsonb not null default '{"enabled": false, "start": "08:00", "end": "21:00", "exclude_post_purchase": true}',
  staff_email text,
  staff_phone text,
  postal_address text not null default '',
  attribution_days int not null default 5,
  attribution_counts_opens boolean not null default false,
  plan text not null default 'test' check (plan in ('test', 'standard', 'pro', 'plus', 'enterprise')),
  trial_ends_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table members (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  email text not null,
  email_key text not null,
  name text not null default '',
  role text not null check (role in ('owner', 'marketer', 'viewer')),
  language text not null default 'ja',
  password_hash text,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, email_key)
);

-- Directory (not tenant data): which merchant and member an address signs in to. Found before the merchant is known.
create table sign_in_directory (
  email_key text primary key,
  merchant_id uuid not null,
  member_id uuid not null
);
