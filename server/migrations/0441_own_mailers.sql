-- A merchant's own account at a mail server or a sending service.
create table own_mailers (
  merchant_id uuid primary key,
  -- Another after each change of server or sign-in: what was learned of the former, and its pauses, are not about this one.
  id uuid not null,
  kind text not null check (kind in ('smtp', 'ses', 'sendgrid')),
  host text not null,
  port int not null,
  -- Encrypted from the first byte, or by STARTTLS, which is then required.
  security text not null check (security in ('tls', 'starttls')),
  username text not null,
  -- Encrypted.
  password text not null,
  connections int not null,
  -- Mails come back to the installation's own domain, as with its own mailers, not to the sender's address.
  returns_to_us boolean not null default false,
  -- By which the service's notices are known to be of this account: a topic of Amazon SNS, a public key of SendGrid.
  feedback_key text,
  -- When a mail went out by it and was taken.
  tested_at timestamptz,
  updated_at timestamptz not null
);
-- By which of them the merchant sends; null: by a mailer of the installation.
alter table merchants add column own_mailer_id uuid;
alter table merchants add column own_mailer_connections int;
