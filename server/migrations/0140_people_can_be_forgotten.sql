-- Requests to tell or to forget what is held about a person, or about a whole store; and what stays of one who was forgotten.

create table privacy_requests (
  merchant_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('data_request', 'customer_redact', 'shop_redact')),
  -- Who asked: the store platform, or a member on the customer's page.
  source text not null check (source in ('store', 'member')),
  -- The platform's event, so that a repetition is told; for members the row's own id.
  event_key text not null,
  status text not null check (status in ('waiting', 'done', 'skipped', 'failed')),
  -- HMAC of who it is about: tells two requests about one person, and nothing else.
  person_hash text,
  -- What came and who was found, encrypted; gone once everything is done.
  sealed text,
  -- Data requests only, while their file is kept.
  customer_id uuid,
  member_id uuid,
  received_at timestamptz not null,
  -- The platform wants it done by then (30 days).
  due_at timestamptz not null,
  done_at timestamptz,
  -- Rows by table.
  outcome jsonb not null default '{}',
  skip_reason text,
  -- What was being written while the person was forgotten is looked for once more then.
  sweep_at timestamptz,
  attempts int not null default 0,
  next_attempt_at timestamptz,
  error text,
  primary key (merchant_id, id),
  unique (merchant_id, event_key)
);
create index privacy_requests_due on privacy_requests (merchant_id, next_attempt_at) where next_attempt_at is not null;

-- What a data request found, compressed and encrypted.
create table privacy_files (
  merchant_id uuid not null,
  id uuid not null,
  sealed text not null,
  size_bytes int not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (merchant_id, id)
);

-- HMACs of the store's numbers and the addresses of people who were forgotten: what is told late, or imported, does not bring back
-- who they were nor what they had permitted.
create table erased_marks (
  merchant_id uuid not null,
  mark_hash text not null,
  erased_at timestamptz not null,
  primary key (merchant_id, mark_hash)
);

-- Proof of consent outlives the person's data (three years for mail-order sellers): the address only as an HMAC, the customer only as a
-- number of nobody.
alter table consent_changes add column address_hash text;
alter table consent_changes add column proof_until timestamptz;
create index consent_changes_by_hash on consent_changes (merchant_id, address_hash) where address_hash is not null;

-- Set when the store had everything erased.
alter table merchants add column closed_at timestamptz;

-- Where a person is known by the address alone.
create index deliveries_of_tests on deliveries (merchant_id, lower(address)) where kind = 'test' and address is not null;
create index orders_of_guests on orders (merchant_id, email_key) where customer_id is null and email_key is not null;
create index restock_requests_by_email on restock_requests (merchant_id, email_key) where email_key is not null;
create index favorites_by_guest on favorites (merchant_id, guest_id) where guest_id is not null;
create index restock_requests_by_guest on restock_requests (merchant_id, guest_id) where guest_id is not null;
