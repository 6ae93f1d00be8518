-- What an email said after each save, to be looked at and brought back.
create table email_versions (
  merchant_id uuid not null,
  id uuid not null,
  email_id uuid not null,
  saved_at timestamptz not null,
  -- Null: not by a member, or before versions were kept.
  member_id uuid,
  subject text not null,
  preheader text not null,
  content text not null,
  design jsonb,
  primary key (merchant_id, id)
);
create index email_versions_of_email on email_versions (merchant_id, email_id, saved_at desc, id desc);

-- What a member typed and has not saved: one for each email, seen by nobody else and sent to nobody.
create table email_drafts (
  merchant_id uuid not null,
  email_id uuid not null,
  member_id uuid not null,
  saved_at timestamptz not null,
  -- When the email it was typed over had last been saved.
  began_at timestamptz not null,
  fields jsonb not null,
  primary key (merchant_id, email_id, member_id)
);
