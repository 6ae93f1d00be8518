-- Orders whose customer we do not have, found by the store's number of who ordered.
create index orders_of_strangers on orders (merchant_id, store_customer_id) where customer_id is null and store_customer_id is not null;
