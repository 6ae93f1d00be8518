-- What came of the mails of a campaign or scenario that were sent on one local day, by who takes them. Set from the ledger, never added to.
create table receiver_figures (
  merchant_id uuid not null,
  program_id uuid not null,
  day date not null,
  -- A key of the contract's list, a domain with many people, or 'others'.
  receiver text not null,
  sent int not null,
  refused int not null,
  refused_hard int not null,
  failed int not null,
  uncertain int not null,
  bounced_hard int not null,
  bounced_soft int not null,
  bounced_blocked int not null,
  complained int not null,
  opened int not null,
  clicked int not null,
  first_sent_at timestamptz,
  last_sent_at timestamptz,
  peak_per_minute int not null,
  -- What the servers said last, without addresses.
  answers jsonb not null default '[]',
  primary key (merchant_id, program_id, day, receiver)
);
create index receiver_figures_by_day on receiver_figures (merchant_id, day);

-- Of which campaign or scenario they are to be counted again, and when.
create table receiver_countings (
  merchant_id uuid not null,
  program_id uuid not null,
  kind text not null check (kind in ('campaign', 'scenario')),
  -- When something of it was last sent.
  active_at timestamptz not null,
  counted_at timestamptz,
  -- Null: nothing more comes of it.
  due_at timestamptz,
  -- Not counted again sooner than so long after the last time.
  pause_ms int not null default 0,
  primary key (merchant_id, program_id)
);
create index receiver_countings_due on receiver_countings (due_at) where due_at is not null;

insert into receiver_countings (merchant_id, program_id, kind, active_at, due_at)
select merchant_id, id, 'campaign', started_at, started_at from campaigns where started_at > now() - interval '180 days';
insert into receiver_countings (merchant_id, program_id, kind, active_at, due_at)
select merchant_id, scenario_id, 'scenario', max(created_at), max(created_at) from messages where scenario_id is not null
group by merchant_id, scenario_id;

-- When the owner was last told that too many people reported mails as spam.
create table complaint_warnings (
  merchant_id uuid not null,
  level text not null check (level in ('high', 'over')),
  warned_at timestamptz not null,
  primary key (merchant_id)
);
