-- Friends and menus belong to one channel of the platform.
alter table line_accounts
  -- The channel that was connected last; it stays when it is disconnected.
  add column last_channel_id text;
update line_accounts set last_channel_id = channel_id;

alter table line_friends
  -- They were a friend of that channel when it was replaced, and are again if the merchant returns to it.
  add column former_channel_id text;

alter table rich_menu_looks
  -- Counts changes of the channel, so that a worker that was at the former one records nothing of it.
  add column channel_changes integer not null default 0;
