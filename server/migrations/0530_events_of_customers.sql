-- Most events are of guests where many like a product, and those have no customer to be found by.
drop index events_by_customer;
create index events_by_customer on events (merchant_id, customer_id, id desc) where customer_id is not null;
