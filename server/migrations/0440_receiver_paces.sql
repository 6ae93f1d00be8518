-- How many mails a minute a receiving operator takes of a merchant by one route, learned from its answers. No row: as many as there are.
create table receiver_paces (
  merchant_id uuid not null,
  route text not null,
  -- An operator of several domains, or a domain (contract/src/emails/receivers.ts).
  receiver text not null,
  per_minute int not null,
  -- Slowed down so many times without having been faster in between.
  slowed_in_a_row int not null default 1,
  -- Nothing is handed over before.
  held_until timestamptz not null,
  -- When the next one may be handed over.
  next_at timestamptz not null,
  -- Deliveries that were put off, as far as is known.
  waiting int not null default 0,
  -- Handed over since the number a minute was changed, and when that was.
  sent_since int not null default 0,
  changed_at timestamptz not null,
  slowed_at timestamptz not null,
  -- Since when it has not taken all there was.
  since timestamptz not null,
  -- Its words.
  answer text not null,
  primary key (merchant_id, route, receiver)
);
