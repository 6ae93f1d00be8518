-- Rich menus for all friends. What is shown is decided by state and period; the newest start wins.
create table rich_menus (
  merchant_id uuid not null,
  id uuid not null,
  title text not null,
  state text not null default 'draft' check (state in ('draft', 'active', 'inactive')),
  starts_at timestamptz,
  ends_at timestamptz,
  is_open boolean not null,
  chat_bar_text text not null,
  tab_height smallint not null,
  tabs jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id)
);

create table rich_menu_pictures (
  merchant_id uuid not null,
  id uuid not null,
  type text not null,
  width integer not null,
  height integer not null,
  bytes bytea not null,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);

-- What was made at the platform with its picture, a menu for each tab.
create table rich_menu_uploads (
  merchant_id uuid not null,
  menu_id uuid not null,
  tab smallint not null,
  line_menu_id text not null,
  primary key (merchant_id, menu_id, tab)
);

-- When the platform is next compared with what should be, and what came of the last time.
create table rich_menu_looks (
  merchant_id uuid primary key,
  look_at timestamptz,
  -- Counts what was changed, so that a change during a look causes another.
  changes integer not null default 0,
  -- A worker is at it until then.
  held_until timestamptz,
  shown_menu_id uuid,
  trouble text check (trouble in ('not_connected', 'refused', 'away')),
  failures smallint not null default 0
);
create index rich_menu_looks_due on rich_menu_looks (look_at) where look_at is not null;
