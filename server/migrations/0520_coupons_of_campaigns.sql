-- Each recipient of a campaign gets a code of their own. What it is worth (contract: CouponTerms); the discount its codes belong to and when that
-- ends are known once the recipients are.
alter table campaigns add column coupon jsonb;
alter table campaigns add column coupon_discount_id uuid;
alter table campaigns add column coupon_ends_at timestamptz;

-- Of a campaign, which has discounts of its own, named after it.
alter table discounts add column campaign_id uuid;
alter table discounts add column title text;

alter table coupons add column campaign_id uuid;
create unique index coupons_once_per_recipient on coupons (merchant_id, campaign_id, customer_id)
  where campaign_id is not null and customer_id is not null;
create index coupons_of_campaign on coupons (merchant_id, campaign_id, status) where campaign_id is not null;

-- The pool: belongs to nobody, and to no campaign.
drop index coupons_free;
create index coupons_free on coupons (merchant_id, discount_id, id)
  where status = 'made' and execution_id is null and campaign_id is null;
-- What belongs to somebody is issued, by a scenario or a campaign.
drop index coupons_issued;
create index coupons_issued on coupons (merchant_id, issued_at desc, id desc) where issued_at is not null;
