-- Who begins in the chat: the row knows the LINE account from the start. `asked`: LINE asks the person; its answer comes by webhook, named by the nonce.
alter table line_logins add column from_chat boolean not null default false;
-- The page said which links end by this one.
alter table line_logins add column moves boolean not null default false;
alter table line_logins drop constraint line_logins_step_check;
alter table line_logins add constraint line_logins_step_check check (step in ('begun', 'sent', 'returned', 'asked', 'linked', 'kept'));
