-- Mails that came back, and complaints about them, as far as they say something of an address: one for each delivery and verdict.
create table bounces (
  merchant_id uuid not null,
  id uuid not null,
  delivery_id uuid not null,
  -- In lower case: where the mail went. Null once the person was forgotten.
  address_key text,
  verdict text not null check (verdict in ('hard', 'soft', 'full', 'blocked', 'complaint')),
  -- A carrier's "unknown user", which it says of filtered mail too.
  is_doubted boolean not null default false,
  -- How it came.
  way text not null check (way in ('smtp', 'imap', 'ses', 'sendgrid')),
  -- How its delivery was found: signed by us in the return path, in the Message-ID or in a link; or by the recipient alone, which anybody
  -- can write.
  matched_by text not null check (matched_by in ('return_path', 'message_id', 'link', 'recipient')),
  status text,
  server text,
  diagnostic text,
  evidence text,
  at timestamptz not null,
  primary key (merchant_id, id)
);
create unique index bounces_once on bounces (merchant_id, delivery_id, verdict);
create index bounces_by_address on bounces (merchant_id, address_key, at desc);

alter table suppressions drop constraint suppressions_reason_check;
alter table suppressions add constraint suppressions_reason_check check (reason in ('hard_bounce', 'soft_bounce', 'complaint', 'manual'));
