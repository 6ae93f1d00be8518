-- Under which name the platform counts who opened a campaign's message (its unit); null: it does not count it. `unit_refused`: the month's units
-- were used up, so it goes without. That is written before anything leaves without it.
alter table line_contents add column unit text;
alter table line_contents add column unit_refused boolean not null default false;
-- When the first of it was sent; how many people opened it, as the platform says, null also where it keeps fewer than 20 to itself; when it was
-- read; and when it is read next, null: no more.
alter table line_contents add column first_sent_at timestamptz;
alter table line_contents add column opened_count integer;
alter table line_contents add column opened_read_at timestamptz;
alter table line_contents add column opened_due_at timestamptz;
create index line_contents_due on line_contents (opened_due_at) where opened_due_at is not null;
