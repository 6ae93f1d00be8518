-- Whether a segment asks about scenarios is looked at by every transaction in which people enter or leave them: mostly none does.
create index segments_asking_about_scenarios on segments (merchant_id)
  where deleted_at is null and conditions @? '$.** ? (@.category == "scenarios")';
