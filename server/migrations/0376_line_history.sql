-- The history of LINE messages is read newest first, also where most of what was sent are mails.
create index deliveries_by_line on deliveries (merchant_id, id desc) where channel = 'line';
