-- Whether links of a menu go through an address of ours, so that clicks are counted. What was activated before leads straight to its links.
alter table rich_menus add column tracking_enabled boolean not null default false;
update rich_menus set tracking_enabled = true where state = 'draft';

-- Where the tracked links of menus lead, written when a menu is first activated. Phones may show one longer than it is here.
create table rich_menu_targets (
  merchant_id uuid not null,
  menu_id uuid not null,
  tab smallint not null,
  area smallint not null,
  url text not null,
  primary key (merchant_id, menu_id, tab, area)
);

-- How often they were followed: counts, no row for a click, so that nobody can fill the disk and nobody is named.
create table rich_menu_clicks (
  merchant_id uuid not null,
  menu_id uuid not null,
  tab smallint not null,
  area smallint not null,
  -- In the merchant's zone.
  day date not null,
  human bigint not null,
  machine bigint not null,
  primary key (merchant_id, menu_id, tab, area, day)
);
