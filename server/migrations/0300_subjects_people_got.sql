-- The subject of the mail as this recipient got it, written with the outcome. Null where it says the same to everybody (`messages.subject`), and
-- of mails from before this column.
alter table deliveries add column filled_subject text;
