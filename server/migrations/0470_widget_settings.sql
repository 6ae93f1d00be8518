-- What a merchant decides of the script on their shop's pages. What they never changed is not here.
create table widget_settings (
  merchant_id uuid primary key,
  parts jsonb not null default '{}',
  texts jsonb not null default '{}',
  colors jsonb not null default '{}',
  updated_at timestamptz not null
);
