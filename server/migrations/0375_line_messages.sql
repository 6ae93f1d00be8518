-- What merchants write for LINE: messages in order, and quick replies below the last.
create table line_messages (
  merchant_id uuid not null,
  id uuid not null,
  name text not null,
  messages jsonb not null,
  quick_replies jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (merchant_id, id)
);
create index line_messages_by_created on line_messages (merchant_id, created_at desc, id desc) where deleted_at is null;
