-- By which an order finds the checkout and the cart it came of; told by webhooks only.
alter table orders add column checkout_token text;
alter table orders add column cart_token text;
create index orders_by_checkout on orders (merchant_id, checkout_token) where checkout_token is not null;
create index orders_by_cart on orders (merchant_id, cart_token) where cart_token is not null;
create index checkouts_by_token on checkouts (merchant_id, token) where token is not null;
alter table checkouts add column cart_token text;
create index checkouts_by_cart on checkouts (merchant_id, cart_token) where cart_token is not null;
