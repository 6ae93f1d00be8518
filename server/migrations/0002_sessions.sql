-- A session is a family of refresh tokens: each is used once and replaced by the next; a used one coming back ends the family.
create table sessions (
  merchant_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  remember boolean not null default false,
  user_agent text not null default '',
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_reason text,
  primary key (merchant_id, id)
);
create index sessions_by_member on sessions (merchant_id, member_id);

create table refresh_tokens (
  merchant_id uuid not null,
  session_id uuid not null,
  token_hash bytea not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (merchant_id, session_id, token_hash)
);

-- Single-use secrets sent outside: password reset links, one-time sign-in codes of the store sign-in.
create table one_time_tokens (
  merchant_id uuid not null,
  id uuid not null,
  purpose text not null check (purpose in ('password_reset', 'store_sign_in')),
  member_id uuid not null,
  token_hash bytea not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (merchant_id, id)
);
