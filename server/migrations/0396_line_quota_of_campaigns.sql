-- A person said that only so many get a campaign by LINE, because the messages of the month do not suffice for more. Null: all.
alter table campaigns add column line_most integer;
