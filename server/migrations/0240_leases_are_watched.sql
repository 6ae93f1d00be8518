-- A lease runs out when its beat has stood still for as long as it lasts, as whoever takes it over has watched it: no clock that somebody can
-- set is asked. The journal is the file in which its worker notes what leaves.
alter table delivery_leases
  drop column expires_at,
  add column beat bigint not null default 0,
  add column journal_id uuid;
