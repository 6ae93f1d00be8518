-- A delivery's newest hits are read when it is judged, however many times its address was called.
create index tracking_hits_newest on tracking_hits (merchant_id, delivery_id, id desc);
drop index tracking_hits_by_delivery;
-- The dashboard asks whether any message may have been sent twice if it were repeated.
create index deliveries_uncertain on deliveries (merchant_id, campaign_id) where status = 'uncertain';
