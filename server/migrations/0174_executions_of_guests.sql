create index executions_of_guest on executions (merchant_id, guest_id) where guest_id is not null;
