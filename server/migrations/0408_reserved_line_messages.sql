-- How many people a message was reserved for: they count while its rows are not written. Null: nobody counts them.
alter table messages add column expected_count integer;

-- LINE messages that campaigns have reserved, ever. Reservations of one merchant take turns at this row, and each sees what was taken since it asked.
alter table line_accounts add column reserved_total bigint not null default 0;
