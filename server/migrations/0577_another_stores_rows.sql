-- The copy still holds what an earlier store of the merchant had: what the present store does not have is not removed yet.
alter table store_watches add column has_another_stores_rows boolean not null default false;
