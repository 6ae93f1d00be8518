-- Rich menus for the members of a segment. Who of several sees which is decided by the newest start, as among those for all friends.
alter table rich_menus add column segment_id uuid;
create index rich_menus_of_segments on rich_menus (merchant_id, segment_id) where segment_id is not null;

-- Who should have which menu of their own at the platform. A row stays while the platform may show it; none stands for the menu for all.
create table rich_menu_links (
  merchant_id uuid not null,
  line_user_id text not null,
  -- The platform's id of the menu (`rich_menu_uploads`); null: theirs is to be taken away.
  line_menu_id text,
  -- The platform was not told yet, or it is not known what became of that.
  is_pending boolean not null default true,
  -- The platform does not take this person's id.
  is_refused boolean not null default false,
  primary key (merchant_id, line_user_id)
);
create index rich_menu_links_pending on rich_menu_links (merchant_id, line_menu_id, line_user_id) where is_pending;
create index rich_menu_links_of_menus on rich_menu_links (merchant_id, line_menu_id);

-- When it is next compared who should have which menu, and the platform is told of differences.
alter table rich_menu_looks
  add column compare_at timestamptz,
  -- Counts changes of members, so that one during a comparison causes another.
  add column member_changes integer not null default 0,
  add column link_at timestamptz,
  -- People in one call; fewer while one among them is looked for whom the platform does not take.
  add column link_size smallint not null default 500,
  -- Menus that nobody should have stand at the platform until everyone has another.
  add column has_leftovers boolean not null default false;
drop index rich_menu_looks_due;
create index rich_menu_looks_due on rich_menu_looks (least(look_at, compare_at, link_at));
