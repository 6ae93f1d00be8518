-- When a LINE account became a customer's, and when it ceased to be theirs.
create table line_link_changes (
  merchant_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  line_user_id text not null,
  is_linked boolean not null,
  occurred_at timestamptz not null,
  primary key (merchant_id, id)
);
create index line_link_changes_of_customers on line_link_changes (merchant_id, customer_id, occurred_at);
