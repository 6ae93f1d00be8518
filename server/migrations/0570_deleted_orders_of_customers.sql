-- Which orders of a customer do not count is one look at each of two small indexes, instead of one at the order of each line.
create index orders_deleted_of_customer on orders (merchant_id, customer_id) where deleted_at is not null;
drop index orders_deleted;
