-- Whether what LINE tells is known to reach us: a signed webhook came, or the platform's try of our address was answered.
alter table line_accounts add column webhook_arrives boolean not null default false;
update line_accounts a set webhook_arrives = true where exists (select 1 from line_events e where e.merchant_id = a.merchant_id);
