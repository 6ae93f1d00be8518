-- What the ledger knows of the database it is in. One row; without it nothing is sent.
create table ledger_state (
  singleton boolean primary key default true check (singleton),
  -- Where these data are: server, database and table. Data put back from a dump are somewhere else than they say. Null: never looked.
  home text,
  -- How far each data folder had come that workers note departures in: a copy of a folder is told by it.
  folders jsonb not null default '{}',
  -- Since when nothing is sent, until a person has looked; and why.
  held_since timestamptz,
  held_because text check (held_because in ('restored', 'copied'))
);
insert into ledger_state default values;

-- Files in which workers note what leaves, each of one merchant and one process. The position moves with every commit that lets something
-- leave and is noted in the file: a file that is further than its row has seen a later state of this database.
create table departure_journals (
  merchant_id uuid not null,
  id uuid not null,
  position bigint not null default 0,
  worker text not null,
  used_at timestamptz not null,
  primary key (merchant_id, id)
);

-- Who was sent what, by the files, in a time this database knows nothing of. Whoever is found here at the claim becomes uncertain.
create table unrecorded_departures (
  merchant_id uuid not null,
  delivery_id uuid not null,
  -- The campaign or scenario; null for tests of an email.
  program_id uuid,
  customer_id uuid,
  -- Of a scenario's mail. Null execution: one that this database does not know.
  node_id text,
  execution_id uuid,
  round smallint,
  found_at timestamptz not null,
  primary key (merchant_id, delivery_id)
);
create index unrecorded_departures_by_customer on unrecorded_departures (merchant_id, customer_id);
