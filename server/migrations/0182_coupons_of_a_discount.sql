-- The pool is counted for each discount in use, every minute: without this each time all coupons there ever were are read.
create index coupons_of_discount on coupons (merchant_id, discount_id);
