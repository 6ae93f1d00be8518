-- A new domain sends few mails at first, and more each day. Null: it is not being warmed up.
alter table sender_domains add column warm_up_since timestamptz;
-- How many mails were handed over on each day of it, by the merchant's calendar.
create table warm_up_days (
  merchant_id uuid not null,
  domain_id uuid not null,
  day date not null,
  sent int not null,
  primary key (merchant_id, domain_id, day)
);
