-- How long a campaign that was just confirmed can be taken back, as the merchant wants it and as it is for one campaign.
alter table merchants add column undo_seconds int not null default 10;
alter table campaigns add column undo_until timestamptz;
