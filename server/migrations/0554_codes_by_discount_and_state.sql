-- Which codes of a discount are wanted or made, and the next of them, are read from one index. Before, the planner that knew nothing yet of a campaign's
-- new rows read all of them for each 250 that the store made.
create index coupons_by_discount on coupons (merchant_id, discount_id, status, id);
drop index coupons_of_discount;
drop index coupons_wanted;
