-- What began the execution, for people: kind, occurred_at and the short part of its subject. Written when the event itself goes.
alter table executions add column kept_event jsonb;
