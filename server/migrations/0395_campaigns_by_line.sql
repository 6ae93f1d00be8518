-- By which channels a campaign goes, and the LINE message it carries.
alter table campaigns add column channels text not null default 'email';
alter table campaigns add constraint campaigns_channels_check check (channels in ('email', 'line', 'line_else_email'));
alter table campaigns add column line_message_id uuid;
create index messages_of_campaign on messages (merchant_id, campaign_id) where campaign_id is not null;
