-- Each request to count has a number, so that a count of conditions since changed is thrown away; and a time, so that one whose
-- worker died can be told from one under way.
alter table segments add column count_number int not null default 0;
alter table segments add column count_requested_at timestamptz;
