-- The days between everyone's orders are read from the index alone, customer by customer, without a sort of all orders.
drop index orders_by_customer;
create index orders_by_customer on orders (merchant_id, customer_id, processed_at desc) include (cancelled_at);
