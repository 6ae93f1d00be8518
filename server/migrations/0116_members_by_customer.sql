-- With the segment, so that the segments of ten thousand customers are read off the index.
drop index segment_members_by_customer;
create index segment_members_by_customer on segment_members (merchant_id, customer_id, segment_id);
