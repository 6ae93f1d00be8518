-- A message whose recipients' codes are not all made yet cannot be released, also not by an older worker that runs beside and knows of no codes.
alter table messages add column awaits_codes boolean not null default false;
alter table messages add constraint messages_released_with_codes check (not (awaits_codes and state = 'released'));
