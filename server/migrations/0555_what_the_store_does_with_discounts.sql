-- Since when the store has been making the codes it was asked for: it is asked for them less and less often.
alter table discounts add column bulk_asked_at timestamptz;
-- What was last found wrong with a discount in the store, when, and how many codes that were given out it took with it.
alter table discounts add column flaw text;
alter table discounts add column flaw_at timestamptz;
alter table discounts add column flaw_codes integer;
