-- What came of a campaign while it was being sent, where it was so bad that the rest is held back.
alter table campaigns add column brake_result jsonb;
