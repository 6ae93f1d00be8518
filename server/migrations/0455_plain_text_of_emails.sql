-- The plain-text part of an email as it was written; null: it is made from the content.
alter table emails add column plain_text text;
-- md5 of the content it was written for: another one was changed since.
alter table emails add column plain_text_for text;
alter table email_versions add column plain_text text;
