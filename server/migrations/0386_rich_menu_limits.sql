-- The platform takes so many new menus an hour.
alter table rich_menu_looks drop constraint rich_menu_looks_trouble_check,
  add constraint rich_menu_looks_trouble_check check (trouble in ('not_connected', 'refused', 'away', 'limited'));
