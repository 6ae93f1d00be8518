-- Mailboxes whose owner asked for no marketing for a while. Not a withdrawal: the permission stays as it is.
create table marketing_pauses (
  merchant_id uuid not null,
  -- In lower case.
  address_key text not null,
  until timestamptz not null,
  created_at timestamptz not null,
  primary key (merchant_id, address_key)
);
