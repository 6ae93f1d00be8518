-- By which channels a campaign goes, and the LINE message it carries.
alter table campaigns add column channels text not null default 'email';
alter table campaigns add constraint campaigns_channels_check check (channels in ('email', 'line', 'line_else_email', 'both'));
alter table campaigns add column line_message_id uuid;
create index messages_of_campaign on messages (merchant_id, campaign_id) where campaign_id is not null;

-- One message to a person by each of a campaign's channels.
create unique index deliveries_once_per_channel on deliveries (merchant_id, campaign_id, customer_id, channel) where campaign_id is not null;
drop index deliveries_once_per_campaign;
-- By which channel something left in a time the database has forgotten; null: it was not noted yet.
alter table unrecorded_departures add column channel text;
