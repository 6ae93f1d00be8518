-- What a message says stands in a table of its channel; this one is for mail. A process of before goes on writing the columns of `messages`
-- alone, so whoever reads a mail looks there where this table has nothing (channels/email/content-sql.ts).
create table email_contents (
  merchant_id uuid not null,
  message_id uuid not null,
  subject text not null,
  preheader text not null,
  from_name text not null,
  from_email text not null,
  reply_to text,
  html text not null,
  text text not null,
  primary key (merchant_id, message_id)
);
insert into email_contents (merchant_id, message_id, subject, preheader, from_name, from_email, reply_to, html, text)
select merchant_id, id, subject, preheader, from_name, from_email, reply_to, html, text from messages where channel = 'email';
