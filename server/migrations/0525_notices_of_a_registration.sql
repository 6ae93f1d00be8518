create index restock_notices_by_request on restock_notices (merchant_id, request_id);
