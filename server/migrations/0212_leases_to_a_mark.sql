-- A lease claims deliveries in the order of their ids and clears them in it: one id says which may have left, instead of a list of them
-- that is written anew with each commit.
alter table delivery_leases add column cleared_to uuid;
-- Of a worker that an update ended: its list reaches up to its greatest.
update delivery_leases set cleared_to = (select id from unnest(handed_over) as listed (id) order by id desc limit 1);
alter table delivery_leases drop column handed_over;
