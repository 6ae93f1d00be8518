-- One customer's favourites, the removed ones among them, for the timeline.
create index favorites_by_customer on favorites (merchant_id, customer_id, created_at desc);
