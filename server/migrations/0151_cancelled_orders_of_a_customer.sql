-- For the timeline: of someone's thousands of orders the few cancelled ones.
create index orders_cancelled_of_customer on orders (merchant_id, customer_id, cancelled_at desc) where cancelled_at is not null;
