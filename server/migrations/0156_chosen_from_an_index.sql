-- What is asked most of everyone, and all that counting the chosen reads of them: a third of the pages of `customers`.
create index customers_to_choose on customers (merchant_id, id) include (created_at, email_key, marketing_state, orders_count,
  orders_amount, last_order_at, province_code, last_sent_at, last_opened_at, last_clicked_at, line_connected_at);
