-- What came back is looked at when its words are old enough to go.
create index bounces_with_evidence on bounces (at) where evidence is not null;
