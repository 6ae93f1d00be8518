-- When a customer got, opened and clicked mails, beside the sums over them: "five mails within a year" is read from a row for each
-- customer instead of counted from the ledger, and the ledger needs no index for it that every mail sent would have to be written to.
create table customer_mail_times (
  merchant_id uuid not null,
  customer_id uuid not null,
  -- Minutes since 1970, the oldest first.
  sent int[] not null,
  opened int[] not null,
  clicked int[] not null
);
insert into customer_mail_times (merchant_id, customer_id, sent, opened, clicked)
select merchant_id, customer_id,
  array_agg(floor(extract(epoch from sent_at) / 60)::int order by sent_at),
  coalesce(array_agg(floor(extract(epoch from opened_at) / 60)::int order by opened_at) filter (where opened_at is not null), '{}'),
  coalesce(array_agg(floor(extract(epoch from clicked_at) / 60)::int order by clicked_at) filter (where clicked_at is not null), '{}')
from deliveries
where status = 'sent' and channel = 'email' and kind <> 'test' and not test_mode and customer_id is not null and sent_at is not null
group by merchant_id, customer_id;
alter table customer_mail_times add primary key (merchant_id, customer_id);

-- What is asked of some campaigns is found by campaign: who got it by deliveries_once_per_campaign, who opened or clicked it here.
drop index deliveries_sent;
drop index deliveries_opened;
drop index deliveries_clicked;
create index deliveries_opened on deliveries (merchant_id, campaign_id, opened_at) include (customer_id)
  where opened_at is not null and status = 'sent' and channel = 'email' and kind <> 'test' and not test_mode;
create index deliveries_clicked on deliveries (merchant_id, campaign_id, clicked_at) include (customer_id)
  where clicked_at is not null and status = 'sent' and channel = 'email' and kind <> 'test' and not test_mode;
