-- Nothing is sent for an account, to a test address or from a sender whose owner has not said so by a mailed link. `account` is the
-- address a member signed up with, `sign_in` one a member wants to sign in by from now on.
alter table members add column email_confirmed_at timestamptz;
create table address_confirmations (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  purpose text not null check (purpose in ('account', 'sign_in', 'test', 'sender')),
  email text not null,
  email_key text not null,
  member_id uuid,
  asked_at timestamptz not null,
  expires_at timestamptz not null,
  confirmed_at timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, purpose, email_key)
);

-- How many mails went to test addresses on a day (UTC, product time), for all processes together.
create table test_mail_days (
  merchant_id uuid not null,
  day date not null,
  mails int not null,
  primary key (merchant_id, day)
);

-- Who was there before goes on as before.
update members set email_confirmed_at = created_at;
insert into address_confirmations (merchant_id, id, purpose, email, email_key, asked_at, expires_at, confirmed_at)
select merchant_id, okaeri_uuidv7(now()), purpose, min(email), lower(trim(email)), now(), now(), now()
from (
  select id as merchant_id, 'test' as purpose, unnest(test_emails) as email from merchants
  union all select id, 'test', staff_email from merchants
  union all select id, 'sender', sender_email from merchants
  union all select merchant_id, 'sender', from_email from emails
  union all select merchant_id, 'sender', from_email from messages where state <> 'done'
) known
where trim(email) <> ''
group by merchant_id, purpose, lower(trim(email));
