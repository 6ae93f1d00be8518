-- An A/B test of a campaign: its groups are messages of it. 'a' and 'b' are the groups, 'rest' waits for the better of the two.
alter table messages add column ab_group text;
-- What is tested, on which share, and what decides; null: nothing.
alter table campaigns add column ab_test jsonb;
-- When it is decided; null before everybody in the groups was tried once.
alter table campaigns add column ab_decides_at timestamptz;
-- When a person was asked to decide.
alter table campaigns add column ab_asked_at timestamptz;
-- Who won, why, when, and by whom.
alter table campaigns add column ab_result jsonb;
