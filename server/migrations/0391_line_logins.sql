-- People on their way through LINE Login, for ten minutes. A step is taken with a token that is good once; only its hash is here.
create table line_logins (
  merchant_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  -- begun: at the store. sent: to LINE. returned: from there, and asked whether to link. Then what they chose.
  step text not null check (step in ('begun', 'sent', 'returned', 'linked', 'kept')),
  -- Of `begun` the ticket, of `sent` the state.
  token_hash bytea,
  -- Of the key in the cookie of the browser, from `sent` on.
  browser_hash bytea,
  -- Encrypted (kernel/keyring): nonce and PKCE verifier, while `sent`.
  secrets text,
  -- Who came back from LINE.
  line_user_id text,
  display_name text,
  picture_url text,
  is_friend boolean,
  expires_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, token_hash)
);
create index line_logins_of_customers on line_logins (merchant_id, customer_id);

-- What logins have shown of the Login channel: it gives people the ids by which the Messaging API channel knows them; it gives others; or no
-- official account is linked to it, so that it cannot be told.
alter table line_accounts add column login_shown text;
alter table line_accounts add constraint line_accounts_login_shown_check check (login_shown in ('same', 'elsewhere', 'unlinked'));
