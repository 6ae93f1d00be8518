-- With the id, so that those found are read off this index alone too.
drop index customers_to_search;
create index customers_to_search on customers (merchant_id, marketing_state, search_text, id);
