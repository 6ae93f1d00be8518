-- Pictures of merchants. Their files are in the storage; a row is there before its files and goes after them, so that no file is forgotten.
create table media (
  merchant_id uuid not null,
  id uuid not null,
  folder text not null default '',
  name text not null,
  alt_text text not null default '',
  -- Nobody sees one that is pending (not looked at yet), missing (its file is not there) or deleted (its files are about to go).
  state text not null default 'pending' check (state in ('pending', 'ready', 'missing', 'deleted')),
  -- When the file of an upload arrived: it is taken once.
  received_at timestamptz,
  -- When a worker is to look at it: whether the file of an upload has come, or its files are to go.
  look_at timestamptz,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);
create index media_by_created on media (merchant_id, created_at desc, id) where state in ('ready', 'missing');
create index media_looks on media (look_at) where look_at is not null;

-- The files of one picture: itself and its smaller copies.
create table media_copies (
  merchant_id uuid not null,
  media_id uuid not null,
  copy text not null check (copy in ('full', 'mail', 'line', 'small')),
  type text not null,
  width integer not null,
  height integer not null,
  size_bytes bigint not null,
  primary key (merchant_id, media_id, copy)
);

-- When rows and files of a merchant are next compared.
create table media_sweeps (
  merchant_id uuid primary key,
  sweep_at timestamptz not null
);
