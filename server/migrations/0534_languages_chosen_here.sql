-- The customer chose their language on the preference page, and the store does not have it yet: until then no copy of the store takes it back.
alter table customers add column language_unsent boolean not null default false;
create index customers_language_unsent on customers (merchant_id, id) where language_unsent;
