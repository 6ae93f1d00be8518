-- Customers whose birthday metafield is no date: few, and asked for each time the customer setting is looked at.
create table unreadable_birthdays (
  merchant_id uuid not null,
  customer_id uuid not null,
  value text not null,
  primary key (merchant_id, customer_id)
);
