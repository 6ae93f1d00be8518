-- What segments ask of everyone at once, each answered from an index alone (a million customers: docs/performance.md).

-- Orders in a window: how many, and for how much.
create index orders_standing on orders (merchant_id, processed_at) include (customer_id, current_amount)
  where cancelled_at is null;
-- Who bought a product, how much of it, and in which order (cancelled ones are left out by their id).
create index order_lines_of_product on order_lines (merchant_id, store_product_id, processed_at)
  include (customer_id, order_id, quantity, amount);
drop index order_lines_by_product;
-- Mails received, opened and clicked in a window, of some campaigns or any; no tests.
create index deliveries_sent on deliveries (merchant_id, sent_at) include (customer_id, campaign_id)
  where status = 'sent' and channel = 'email' and kind <> 'test' and not test_mode;
create index deliveries_opened on deliveries (merchant_id, opened_at) include (customer_id, campaign_id)
  where opened_at is not null and status = 'sent' and channel = 'email' and kind <> 'test' and not test_mode;
create index deliveries_clicked on deliveries (merchant_id, clicked_at) include (customer_id, campaign_id)
  where clicked_at is not null and status = 'sent' and channel = 'email' and kind <> 'test' and not test_mode;
