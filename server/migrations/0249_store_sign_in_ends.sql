-- Whether who holds the store is let in to the account by it, and the session a trip to the platform was begun in: it ends with it.
alter table store_connections add column signs_in boolean not null default true;
alter table store_authorizations add column session_id uuid;
