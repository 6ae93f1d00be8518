-- A message to one person that answers what they just did themselves: of no campaign and no scenario.
alter table deliveries drop constraint deliveries_kind_check;
alter table deliveries add constraint deliveries_kind_check check (kind in ('campaign', 'scenario', 'test', 'receipt'));
-- It is no test, though it belongs to nothing.
alter table messages add column is_receipt boolean not null default false;
-- Whoever registers by LINE gets a LINE message that says so.
alter table restock_settings add column sends_line_receipt boolean not null default true;
