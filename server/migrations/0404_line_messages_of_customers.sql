-- How many LINE messages a customer got or clicked in a window is read from this index alone, of all customers or of some. Only rows of LINE
-- are written to it, once when they are sent and once when they are clicked.
create index deliveries_line_of_customer on deliveries (merchant_id, customer_id, sent_at) include (clicked_at)
  where channel = 'line' and status = 'sent' and kind <> 'test' and not test_mode;
-- What is asked of some campaigns is found by campaign: who got it by deliveries_once_per_channel, who clicked it here.
create index deliveries_line_clicked on deliveries (merchant_id, campaign_id, clicked_at) include (customer_id)
  where clicked_at is not null and channel = 'line' and status = 'sent' and kind <> 'test' and not test_mode;
