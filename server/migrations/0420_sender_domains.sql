-- Domains whose owner has proved, to this merchant, that mail may be sent from them: all their addresses are confirmed senders.
create table confirmed_domains (
  merchant_id uuid not null,
  -- Lower case, A-labels.
  domain text not null,
  confirmed_at timestamptz not null,
  primary key (merchant_id, domain)
);

-- The domains a merchant sends from, and how they stand in DNS.
create table sender_domains (
  merchant_id uuid not null,
  id uuid not null,
  -- Lower case, A-labels.
  name text not null,
  -- What its owner publishes to prove it to this merchant alone.
  token text not null,
  status text not null default 'pending' check (status in ('pending', 'verified', 'failing', 'lost')),
  -- What was asked for and what was found, as the page shows it.
  records jsonb not null default '[]',
  -- How many checks, one after another, did not find what was there before.
  gone_checks smallint not null default 0,
  verified_at timestamptz,
  failing_since timestamptz,
  warned_at timestamptz,
  checked_at timestamptz,
  next_check_at timestamptz not null,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, name)
);
create index sender_domains_due on sender_domains (next_check_at);

-- The DKIM keys of a domain: one that signs, one that waits to be published, and those that signed before.
create table sender_domain_keys (
  merchant_id uuid not null,
  domain_id uuid not null,
  selector text not null,
  state text not null check (state in ('active', 'next', 'former')),
  -- SubjectPublicKeyInfo, base64.
  public_key text not null,
  -- PKCS #8, encrypted (kernel/keyring); null once it signs no more.
  private_key text,
  created_at timestamptz not null,
  -- Of a former one: until when mail it signed may still be under way.
  published_until timestamptz,
  primary key (merchant_id, domain_id, selector)
);
create unique index sender_domain_keys_one on sender_domain_keys (merchant_id, domain_id, state) where state <> 'former';
