-- Guests enter too. `waits`: the scenario's brake holds it back until a person lets it in or drops it.
alter table scenario_entries add column guest_id uuid, add column waits boolean not null default false;
create index scenario_entries_by_guest on scenario_entries (merchant_id, scenario_id, guest_id, at desc) where guest_id is not null;
create index scenario_entries_waiting on scenario_entries (merchant_id, scenario_id, event_id) where waits;
create index events_by_guest on events (merchant_id, guest_id) where guest_id is not null;

-- How far the clock was looked at for a scenario that it starts: the day done, or until when carts were left. With another version it is
-- looked at again; the keys of events keep anyone from being told twice.
create table scenario_clocks (
  merchant_id uuid not null,
  scenario_id uuid not null,
  version int not null,
  looked_day date,
  looked_until timestamptz,
  primary key (merchant_id, scenario_id)
);

-- What the clock looks for.
create index customers_by_birthday on customers (merchant_id, birthday) where birthday is not null;
create index customer_metafields_by_time on customer_metafields (merchant_id, metafield_setting_id, value_at) where value_at is not null;
create index carts_open on carts (merchant_id, store_updated_at) where converted_at is null;
create index checkouts_open on checkouts (merchant_id, store_updated_at) where completed_at is null;
