-- The last rehearsal of each scenario: a flow run over what happened, sending nothing.
create table scenario_rehearsals (
  merchant_id uuid not null,
  scenario_id uuid not null,
  -- Counts up with each request; an answer to an older one is not written.
  number int not null,
  status text not null check (status in ('running', 'done', 'failed')),
  flow jsonb not null,
  from_at timestamptz not null,
  until_at timestamptz not null,
  progress_percent smallint not null default 0,
  -- contract: Rehearsal, without what stands in the columns; names are read when it is shown.
  result jsonb,
  asked_at timestamptz not null,
  primary key (merchant_id, scenario_id)
);
