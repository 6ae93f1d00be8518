-- When a merchant's customers were scored last, and over whom.
create table score_runs (
  merchant_id uuid not null,
  computed_at timestamptz not null,
  -- People who ordered.
  customer_count int not null,
  -- The merchant's median of days between orders; null while nobody ordered twice.
  usual_interval_days int,
  primary key (merchant_id)
);

-- What people did with their mails, beside the customer: "within the last N days" and "at any time" are read there. Whole-table, once.
with counted as (
  select merchant_id, customer_id, max(sent_at) as last_sent_at, max(opened_at) as last_opened_at,
    max(clicked_at) as last_clicked_at, count(*) as sent, count(opened_at) as opened, count(clicked_at) as clicked
  from deliveries
  where status = 'sent' and channel = 'email' and kind <> 'test' and not test_mode and customer_id is not null
  group by merchant_id, customer_id
)
update customers c set last_sent_at = d.last_sent_at, last_opened_at = d.last_opened_at, last_clicked_at = d.last_clicked_at,
  email_sent_count = d.sent, opened_count = d.opened, clicked_count = d.clicked
from counted d where c.merchant_id = d.merchant_id and c.id = d.customer_id;

-- Orders that do not count are few; questions about lines leave them out by this.
create index orders_cancelled on orders (merchant_id, id) where cancelled_at is not null;
