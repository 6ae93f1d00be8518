-- The words people type to find a customer: each word of search_text behind the end of the merchant's id, so that one inverted index
-- serves all merchants and a search reads the merchant's own words only. Apart from customers: their sums change with every order and
-- mail, these words do not. No extension needed: a tsvector finds beginnings of words (decision 0030).
create table customer_search (
  merchant_id uuid not null,
  customer_id uuid not null,
  words tsvector not null,
  primary key (merchant_id, customer_id)
);
-- A short list of what is not sorted in yet: each search reads it from end to end.
create index customer_search_words on customer_search using gin (words) with (gin_pending_list_limit = 1024);
insert into customer_search (merchant_id, customer_id, words)
select merchant_id, id, array_to_tsvector(array(
  select distinct right(merchant_id::text, 6) || word from unnest(string_to_array(search_text, ' ')) as word where word <> ''
)) from customers;
-- Reading every text to find one is over; counting by permission and language needs no texts.
drop index customers_to_search;
create index customers_to_count on customers (merchant_id, marketing_state, language);
create index customers_with_line on customers (merchant_id, line_connected_at) where line_connected_at is not null;

-- What a member's change of a customer lost against a newer one.
create table customer_conflicts (
  merchant_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  field text not null,
  -- As texts; null: nothing.
  used_value text,
  unused_value text,
  -- Who changed it meanwhile, and when.
  used_from text not null check (used_from in ('store', 'member')),
  used_at timestamptz not null,
  member_id uuid,
  occurred_at timestamptz not null,
  primary key (merchant_id, id)
);
create index customer_conflicts_by_customer on customer_conflicts (merchant_id, customer_id, occurred_at desc);

alter table suppressions add column added_by uuid;
alter table suppressions add column lift_reason text;
create index suppressions_by_created on suppressions (merchant_id, created_at desc, id desc);
create index suppressions_by_address on suppressions (merchant_id, address_key, created_at desc);
create index saved_views_by_page on saved_views (merchant_id, page, name);
