create index restock_notices_under_way on restock_notices (merchant_id, return_id) where outcome = 'under_way';
