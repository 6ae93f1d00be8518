-- Metafields of customers: filled from the store, followed by webhooks, birthdays among them.
alter table metafield_settings add column unreadable_count int not null default 0;
-- Asked for after this, a webhook of a customer carries the namespace: what is missing in one told later is gone.
alter table metafield_settings add column told_since timestamptz;
-- False: the value is not what the setting's type says; it is compared as text only.
alter table customer_metafields add column readable boolean not null default true;

-- The specification's customer setting.
create table customer_settings (
  merchant_id uuid not null,
  -- Whose values are the customers' birthdays.
  birthday_setting_id uuid,
  updated_at timestamptz not null,
  primary key (merchant_id)
);

-- One export of the store's customers with the metafields asked for. Where it stands is here, so that a killed worker's goes on.
create table metafield_fills (
  merchant_id uuid not null,
  id uuid not null,
  setting_ids uuid[] not null,
  status text not null default 'running' check (status in ('running', 'done', 'failed')),
  error text,
  bulk_operation_id text,
  -- When the export was asked for: what was told later is newer than what is in it.
  exported_at timestamptz,
  exported_count int not null default 0,
  loaded_count int not null default 0,
  attempts int not null default 0,
  lease_id uuid,
  lease_expires_at timestamptz,
  next_step_at timestamptz,
  started_at timestamptz not null,
  finished_at timestamptz,
  primary key (merchant_id, id)
);
create unique index metafield_fills_running on metafield_fills (merchant_id) where status = 'running';
