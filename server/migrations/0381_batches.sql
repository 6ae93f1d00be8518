-- Whom one hand-over carries, where many get the same content under one retry key: fixed before it leaves, so that it can be repeated.
alter table deliveries add column batch_id uuid;
