-- How often the store told of a change of a discount. In doubt: it said that its codes no longer hold, and we have not looked there since; meanwhile
-- nobody is sent one.
alter table discounts add column times_told integer not null default 0;
alter table discounts add column in_doubt boolean not null default false;
create index discounts_in_store on discounts (merchant_id, store_discount_id) where store_discount_id is not null;
-- What was found wrong in the store with the discount of a code that somebody has and the store still takes.
alter table coupons add column flaw text;
-- Raised when codes that its mails show may no longer hold: what workers have claimed by then and not let leave goes back, and is asked about again.
alter table messages add column code_doubts integer not null default 0;
