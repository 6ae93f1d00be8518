-- Counting the orders of a store: all of them, less these few.
create index orders_deleted on orders (merchant_id) where deleted_at is not null;
