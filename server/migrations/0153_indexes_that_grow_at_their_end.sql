-- The orders customers are listed in, all read from either side. Ascending, because whoever is new has the largest id: of the many with
-- the same sum (none) or moment they then come last, where a page is filled before the next one is begun. Descending, each of them split
-- a page in the middle: twice the size, twice the log, and a tenth more work for everyone a first copy brings.
drop index customers_by_amount;
drop index customers_by_created;
drop index customers_by_last_order;
drop index customers_by_orders;
drop index customers_by_sent;
create index customers_by_amount on customers (merchant_id, orders_amount, id);
create index customers_by_created on customers (merchant_id, created_at, id);
create index customers_by_last_order on customers (merchant_id, last_order_at nulls first, id);
create index customers_by_orders on customers (merchant_id, orders_count, id);
create index customers_by_sent on customers (merchant_id, email_sent_count, id);
