-- People whose event a scenario failed to look at: counted on its page, and tried again or put aside by a person (`dropped`).
create index scenario_entries_failed on scenario_entries (merchant_id, scenario_id, at)
  where refused_by = 'failed' and not waits and detail ->> 'dropped' is null;
-- The order a coupon was used with.
alter table coupons add column order_id uuid;
update coupons c set order_id = o.id from orders o
  where o.merchant_id = c.merchant_id and c.status = 'used' and o.customer_id = c.customer_id and c.code = any(o.discount_codes);
