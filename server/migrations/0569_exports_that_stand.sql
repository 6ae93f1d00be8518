-- When the store last said that an export had come further. A person may have it given up: the next look cancels it, and it is asked for again.
alter table sync_steps add column progressed_at timestamptz;
alter table sync_steps add column given_up boolean not null default false;
