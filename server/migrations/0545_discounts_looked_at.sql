-- When the store was last asked whether a campaign's codes still hold, and said yes.
alter table discounts add column looked_at timestamptz;
