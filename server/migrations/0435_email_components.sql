-- Parts that emails share. An email names them in its content; what they say then is put in when the mail is shown or frozen.
create table email_components (
  merchant_id uuid not null,
  id uuid not null,
  -- As the tag names it; never changed.
  key text not null,
  name text not null,
  content text not null,
  -- Keys of the components whose tags stand in the content.
  components text[] not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, key)
);

alter table emails add column components text[] not null default '{}';
