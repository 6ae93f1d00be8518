-- The same person had the same product or variant among their favorites before: their rows are one line of the list. So the lines are counted
-- without looking at all rows.
alter table favorites add column is_again boolean not null default false;
update favorites f set is_again = true
from (
  select merchant_id, id, row_number() over (
    partition by merchant_id, customer_id, guest_id, store_product_id, store_variant_id order by created_at, id) as n
  from favorites
) k
where k.n > 1 and f.merchant_id = k.merchant_id and f.id = k.id;
create index favorites_again on favorites (merchant_id, store_product_id) where is_again;

-- The list of all favorites, the latest first.
create index favorites_by_date on favorites (merchant_id, created_at desc, id desc);

-- Most favorites are those of guests, which have no customer to be found by.
drop index favorites_by_customer;
create index favorites_by_customer on favorites (merchant_id, customer_id, created_at desc) where customer_id is not null;
