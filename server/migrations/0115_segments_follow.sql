-- Segments that stay current by themselves, and the store platform's own segments.

-- Why the last calculation or fetch came to nothing.
alter table segments add column failure text;
-- The last request (count_number) that was answered; a campaign that asked for fresh members waits for its own.
alter table segments add column answered_number int not null default 0;
-- Zone that members_day is a day of.
alter table segments add column members_zone text;
-- Remote: the platform's id of the members query being read, the page read last, and how many it named so far. What a process
-- that dies while fetching leaves behind is gone on with.
alter table segments add column store_members_query text;
alter table segments add column store_cursor text;
alter table segments add column store_fetched_count int;
alter table segments add column store_unknown_count int not null default 0;

-- Members as the platform names them, while they are fetched; afterwards only those who are no customers here.
create table remote_segment_members (
  merchant_id uuid not null,
  segment_id uuid not null,
  store_customer_id bigint not null,
  primary key (merchant_id, segment_id, store_customer_id)
);

-- One row per merchant with segments.
create table segment_following (
  merchant_id uuid not null,
  -- Of all customers, for percentages; counted again at most once a minute where there are many.
  customers_total int,
  customers_counted_at timestamptz,
  -- Taking over the list of the platform's segments.
  remote_status text not null default 'waiting' check (remote_status in ('waiting', 'listing', 'ready', 'failed')),
  remote_failure text,
  remote_requested_at timestamptz,
  remote_listed_at timestamptz,
  primary key (merchant_id)
);

-- The fetch a campaign on a remote segment waits for (segments.count_number).
alter table campaigns add column collecting_number int;
