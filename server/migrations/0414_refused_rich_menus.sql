-- What LINE said when it refused an active menu, how often it did, and when the menu is tried again. Other menus are kept up meanwhile.
alter table rich_menus add column refusal text, add column refusals smallint not null default 0, add column retry_at timestamptz;
