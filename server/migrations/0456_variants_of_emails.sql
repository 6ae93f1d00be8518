-- The same email in other languages: language, subject, preheader, content, design, plain text of each. Who has none of these languages gets the
-- columns of the row itself.
alter table emails add column variants jsonb not null default '[]';
-- Null: of before, or saved by a process of before, which knew of none.
alter table email_versions add column variants jsonb;

-- As email_drafts, of an email's variants. The key of that table is named by a process of before in its ON CONFLICT.
create table email_variant_drafts (
  merchant_id uuid not null,
  email_id uuid not null,
  member_id uuid not null,
  language text not null,
  saved_at timestamptz not null,
  began_at timestamptz not null,
  fields jsonb not null,
  writer text,
  primary key (merchant_id, email_id, member_id, language)
);
