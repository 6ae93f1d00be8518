-- Orders of a customer in another currency than the account counts in: their amounts are in no sum.
alter table customers add column orders_other_currency int not null default 0;
-- Finds those few where sums of single lines leave them out.
create index orders_currency on orders (merchant_id, currency);
