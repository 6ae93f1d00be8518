-- A large campaign goes to a few first; the rest waits until what came of that was looked at.
alter table messages add column is_canary boolean not null default false;
-- The share of the audience that gets it first, in ten-thousandths; null: everybody gets it at once.
alter table campaigns add column canary_share int;
-- Until when what comes back is waited for; null before the first few have been sent it.
alter table campaigns add column canary_until timestamptz;
-- What came of it, when it was judged.
alter table campaigns add column canary_result jsonb;
-- A person said that the rest goes out, whatever came of it.
alter table campaigns add column canary_accepted boolean not null default false;
-- From so many recipients on; null: never.
alter table merchants add column canary_from int default 5000;
alter table merchants add column canary_minutes int not null default 30;
