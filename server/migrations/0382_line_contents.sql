-- What a message of LINE says, as the platform takes it.
create table line_contents (
  merchant_id uuid not null,
  message_id uuid not null,
  messages jsonb not null,
  -- It says something of its own to each person, so it goes to one at a time.
  is_personal boolean not null,
  primary key (merchant_id, message_id)
);

-- Who gets the messages of test mode.
alter table line_friends add column is_tester boolean not null default false;

-- A pause because the month's messages are used up lasts until the month turns; others end within minutes.
alter table channel_pauses add column by_quota boolean not null default false;
