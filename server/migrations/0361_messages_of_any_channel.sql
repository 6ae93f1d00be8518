-- A message of another channel has no mail. By itself, after the long copy of 0360: nobody can read `messages` while this is done.
alter table messages
  alter column subject drop not null,
  alter column from_name drop not null,
  alter column from_email drop not null,
  alter column html drop not null,
  alter column text drop not null;

-- By which channel it was. Not of the key: what was sent (`email_id`) and by which node says it already, and the keys are those that a
-- process of before names in its ON CONFLICT.
alter table message_stats add column channel text not null default 'email';
alter table message_stats add constraint message_stats_channel_check check (channel in ('email', 'line'));
alter table scenario_stats add column channel text not null default 'email';
alter table scenario_stats add constraint scenario_stats_channel_check check (channel in ('email', 'line'));
