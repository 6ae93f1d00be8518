-- Searching and counting read this narrow index alone instead of the wide rows; statements that only change sums leave it be
-- where neither text nor consent changes.
create index customers_to_search on customers (merchant_id, marketing_state, search_text);
