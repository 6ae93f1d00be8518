-- Which tab typed it: another one of the same member does not overwrite it without a word. Null: from before.
alter table email_drafts add column writer text;

-- As email_drafts, of a component.
create table email_component_drafts (
  merchant_id uuid not null,
  component_id uuid not null,
  member_id uuid not null,
  saved_at timestamptz not null,
  -- When the component it was typed over had last been saved.
  began_at timestamptz not null,
  fields jsonb not null,
  writer text,
  primary key (merchant_id, component_id, member_id)
);
