-- The blocks an email is made of; null where its content was written as code. The content is made from it at each save.
alter table emails add column design jsonb;
