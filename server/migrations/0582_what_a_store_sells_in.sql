-- What the store said it sells in; null where it was connected before.
alter table store_connections add column currency text;
-- The currency that an owner agreed to, and what of typed amounts they had seen then.
alter table merchants add column agreed_currency text, add column agreed_amounts text;
