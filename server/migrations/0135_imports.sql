-- Files of other applications, read into customers, points and restock requests.

create table imports (
  merchant_id uuid not null,
  id uuid not null,
  app text not null check (app in ('points', 'restock', 'customers')),
  status text not null default 'mapping' check (status in ('mapping', 'running', 'done', 'failed', 'cancelled')),
  file_name text not null,
  size_bytes bigint not null,
  encoding text not null check (encoding in ('utf-8', 'utf-8-bom', 'shift_jis', 'utf-16le', 'utf-16be')),
  delimiter text not null check (delimiter in (',', E'\t', ';')),
  line_ending text not null check (line_ending in ('lf', 'crlf', 'cr')),
  has_header boolean not null,
  -- [{header, field, metafield}], in the file's order.
  columns jsonb not null default '[]',
  -- Whom to create, what a known value is worth; the contract says which.
  options jsonb not null,
  -- How far the file was read, in bytes of its text as UTF-8 or, where every byte is its own (UTF-8, Shift_JIS), of the file; moved on in
  -- the transaction that writes what stood before it.
  position_bytes bigint not null default 0,
  next_line int not null default 1,
  rows_count int not null default 0,
  created_count int not null default 0,
  changed_count int not null default 0,
  unchanged_count int not null default 0,
  error_count int not null default 0,
  -- Why it failed, as a reason of the contract.
  failure text,
  member_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (merchant_id, id)
);
create index imports_by_created on imports (merchant_id, created_at desc, id desc);

-- Rows that were not taken over, with the cells they came with.
create table import_errors (
  merchant_id uuid not null,
  import_id uuid not null,
  -- Of the file, where the row begins; the first is 1.
  line int not null,
  reason text not null,
  -- The column that is wrong, where it is one.
  header text,
  cells jsonb not null,
  -- Whose row it is as far as it says, so that it is forgotten with the person.
  email_key text,
  store_customer_id bigint,
  primary key (merchant_id, import_id, line)
);
create index import_errors_of_address on import_errors (merchant_id, email_key) where email_key is not null;
create index import_errors_of_number on import_errors (merchant_id, store_customer_id) where store_customer_id is not null;

-- Points of one import, added up over its rows before any of them counts. Empty when the import is over.
create table import_points (
  merchant_id uuid not null,
  import_id uuid not null,
  customer_id uuid not null,
  points bigint not null,
  -- The earliest end of validity.
  expires_on date,
  primary key (merchant_id, import_id, customer_id)
);

-- What a customer's note says; the store's or an import's.
alter table customers add column note text;
-- By field, a hash of what an import filled in: while the field still says that, rows of imports that contradict each other are settled
-- without regard to their order.
alter table customers add column imported jsonb;
