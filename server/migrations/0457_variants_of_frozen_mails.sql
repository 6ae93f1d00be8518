-- What a frozen mail says in other languages. Their links stand behind those of the base in `messages.links`, from `first_link` on.
create table email_content_variants (
  merchant_id uuid not null,
  message_id uuid not null,
  language text not null,
  subject text not null,
  preheader text not null,
  html text not null,
  text text not null,
  first_link int not null,
  primary key (merchant_id, message_id, language)
);
-- In which language the base is, where it is not the merchant's.
alter table email_contents add column language text;
-- The sender of a mail with variants. `from_email` is empty then: a worker of before, which would send the base to everyone, takes the sender for
-- unconfirmed and leaves the mail to a newer one.
alter table email_contents add column sender_email text;
-- The variant its recipient got, decided at the claim; null: the base.
alter table deliveries add column language text;
