-- Made by `npm run schema` from the migrations; do not edit.

create table address_confirmations (
  merchant_id uuid not null,
  id uuid not null,
  purpose text not null,
  email text not null,
  email_key text not null,
  member_id uuid,
  asked_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  PRIMARY KEY (merchant_id, id),
  UNIQUE (merchant_id, purpose, email_key),
  FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CHECK ((purpose = ANY (ARRAY['account'::text, 'sign_in'::text, 'test'::text, 'sender'::text])))
);

create table campaigns (
  merchant_id uuid not null,
  id uuid not null,
  name text not null,
  status text not null,
  send_type text not null default 'immediate'::text,
  scheduled_at timestamp with time zone,
  segment_type text not null default 'own'::text,
  customer_segment_id uuid,
  email_id uuid,
  send_to_all boolean not null default false,
  tracking_enabled boolean not null default true,
  tracking_parameters jsonb not null default '{"medium": null, "source": null, "campaign": null}'::jsonb,
  message_id uuid,
  test_mode boolean not null default false,
  wait_reason text,
  waits_until timestamp with time zone,
  late_accepted boolean not null default false,
  customer_count integer,
  reserved_at timestamp with time zone,
  started_at timestamp with time zone,
  sent_at timestamp with time zone,
  final_balance jsonb,
  created_by uuid,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  collecting_number integer,
  undo_until timestamp with time zone,
  PRIMARY KEY (merchant_id, id),
  CHECK ((segment_type = ANY (ARRAY['own'::text, 'remote'::text, 'all'::text]))),
  CHECK ((send_type = ANY (ARRAY['scheduled'::text, 'immediate'::text]))),
  CHECK ((status = ANY (ARRAY['draft'::text, 'collecting'::text, 'reserving'::text, 'reserved'::text, 'waiting'::text, 'sending'::text, 'sent'::text, 'send_failure'::text, 'resolved'::text, 'cancelled'::text, 'deleted'::text])))
);

create table carts (
  merchant_id uuid not null,
  id uuid not null,
  token text not null,
  customer_id uuid,
  guest_id uuid,
  lines jsonb not null default '[]'::jsonb,
  items_count integer not null default 0,
  created_at timestamp with time zone not null,
  store_updated_at timestamp with time zone not null,
  converted_at timestamp with time zone,
  PRIMARY KEY (merchant_id, id),
  UNIQUE (merchant_id, token)
);

create table changed_customers (
  merchant_id uuid not null,
  customer_id uuid not null,
  change_number bigint not null generated always as identity,
  changed_at timestamp with time zone not null,
  learned boolean not null default false,
  PRIMARY KEY (merchant_id, customer_id)
);

create table checkouts (
  merchant_id uuid not null,
  id uuid not null,
  store_checkout_id bigint not null,
  token text,
  customer_id uuid,
  store_customer_id bigint,
  guest_id uuid,
  email_key text,
  total_amount bigint not null,
  currency text not null,
  lines jsonb not null default '[]'::jsonb,
  recovery_url text,
  created_at timestamp with time zone not null,
  store_updated_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  cart_token text,
  PRIMARY KEY (merchant_id, id),
  UNIQUE (merchant_id, store_checkout_id)
);

create table collection_products (
  merchant_id uuid not null,
  store_collection_id bigint not null,
  store_product_id bigint not null,
  PRIMARY KEY (merchant_id, store_collection_id, store_product_id)
);

create table collections (
  merchant_id uuid not null,
  id uuid not null,
  store_collection_id bigint not null,
  title text not null,
  handle text,
  products_count integer,
  store_updated_at timestamp with time zone,
  deleted_at timestamp with time zone,
  search_text text not null default ''::text,
  PRIMARY KEY (merchant_id, id),
  UNIQUE (merchant_id, store_collection_id)
);

create table consent_changes (
  merchant_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  kind text not null,
  channel text not null default 'email'::text,
  from_state text not null,
  to_state text not null,
  source text not null,
  wording text,
  page text,
  delivery_id uuid,
  occurred_at timestamp with time zone not null,
  recorded_at timestamp with time zone not null,
  address_hash text,
  proof_until timestamp with time zone,
  PRIMARY KEY (merchant_id, id),
  CHECK ((kind = ANY (ARRAY['marketing'::text, 'notification'::text])))
);

create table conversions (
  merchant_id uuid not null,
  order_id uuid not null,
  delivery_id uuid not null,
  campaign_id uuid,
  email_id uuid,
  customer_id uuid,
  credited_by text not null,
  amount bigint not null,
  currency text not null,
  ordered_at timestamp with time zone not null,
  withdrawn_at timestamp with time zone,
  scenario_id uuid,
  node_id text,
  PRIMARY KEY (merchant_id, order_id),
  CHECK ((credited_by = ANY (ARRAY['click'::text, 'open'::text])))
);

create table coupons (
  merchant_id uuid not null,
  id uuid not null,
  discount_id uuid not null,
  code text not null,
  status text not null,
  bulk_id text,
  scenario_id uuid,
  execution_id uuid,
  node_id text,
  round smallint,
  customer_id uuid,
  error text,
  issued_at timestamp with time zone,
  used_at timestamp with time zone,
  created_at timestamp with time zone not null,
  order_id uuid,
  PRIMARY KEY (merchant_id, id),
  UNIQUE (merchant_id, code),
  CHECK ((status = ANY (ARRAY['wanted'::text, 'made'::text, 'used'::text, 'failed'::text])))
);

create table customer_conflicts (
  merchant_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  field text not null,
  used_value text,
  unused_value text,
  used_from text not null,
  used_at timestamp with time zone not null,
  member_id uuid,
  occurred_at timestamp with time zone not null,
  PRIMARY KEY (merchant_id, id),
  CHECK ((used_from = ANY (ARRAY['store'::text, 'member'::text])))
);

create table customer_mail_times (
  merchant_id uuid not null,
  customer_id uuid not null,
  sent integer[] not null,
  opened integer[] not null,
  clicked integer[] not null,
  PRIMARY KEY (merchant_id, customer_id)
);

create table customer_metafields (
  merchant_id uuid not null,
  metafield_setting_id uuid not null,
  customer_id uuid not null,
  value text not null,
  value_number numeric,
  value_at timestamp with time zone,
  value_texts text[] not null default '{}'::text[],
  updated_at timestamp with time zone not null,
  readable boolean not null default true,
  PRIMARY KEY (merchant_id, metafield_setting_id, customer_id)
);

create table customer_scores (
  merchant_id uuid not null,
  customer_id uuid not null,
  recency smallint not null,
  frequency smallint not null,
  monetary smallint not null,
  rfm_class text not null,
  usual_interval_days integer,
  next_order_on date,
  computed_at timestamp with time zone not null,
  PRIMARY KEY (merchant_id, customer_id)
);

create table customer_search (
  merchant_id uuid not null,
  customer_id uuid not null,
  created_at timestamp with time zone not null,
  display_name text not null,
  words tsvector not null,
  PRIMARY KEY (merchant_id, customer_id)
);

create table customer_settings (
  merchant_id uuid not null,
  birthday_setting_id uuid,
  updated_at timestamp with time zone not null,
  PRIMARY KEY (merchant_id)
);

create table customer_tag_changes (
  merchant_id uuid not null,
  id uuid not null,
  add_tags text[] not null,
  remove_tags text[] not null,
  status text not null default 'running'::text,
  total integer not null,
  refused_count integer not null default 0,
  remaining uuid[] not null,
  tries integer not null default 0,
  member_id uuid,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  PRIMARY KEY (merchant_id, id),
  CHECK ((status = ANY (ARRAY['running'::text, 'done'::text, 'failed'::text])))
);

create table customers (
  merchant_id uuid not null,
  id uuid not null,
  store_customer_id bigint,
  email text,
  email_key text,
  first_name text,
  last_name text,
  display_name text not null default ''::text,
  phone text,
  language text,
  birthday date,
  address jsonb,
  last_address text not null default ''::text,
  tags text[] not null default '{}'::text[],
  search_text text not null default ''::text,
  marketing_state text not null default 'unknown'::text,
  marketing_changed_at timestamp with time zone,
  notification_state text not null default 'unknown'::text,
  notification_changed_at timestamp with time zone,
  orders_count integer not null default 0,
  orders_amount bigint not null default 0,
  last_order_at timestamp with time zone,
  email_sent_count integer not null default 0,
  line_sent_count integer not null default 0,
  store_updated_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  tags_known_at timestamp with time zone,
  first_order_at timestamp with time zone,
  last_sent_at timestamp with time zone,
  last_opened_at timestamp with time zone,
  last_clicked_at timestamp with time zone,
  opened_count integer not null default 0,
  clicked_count integer not null default 0,
  line_connected_at timestamp with time zone,
  province_code text,
  note text,
  imported jsonb,
  PRIMARY KEY (merchant_id, id),
  UNIQUE (merchant_id, store_customer_id),
  CHECK ((marketing_state = ANY (ARRAY['granted'::text, 'withdrawn'::text, 'unknown'::text, 'pending'::text]))),
  CHECK ((notification_state = ANY (ARRAY['granted'::text, 'withdrawn'::text, 'unknown'::text, 'pending'::text])))
);

create table deliveries (
  merchant_id uuid not null,
  id uuid not null,
  kind text not null,
  channel text not null default 'email'::text,
  campaign_id uuid,
  customer_id uuid,
  message_id uuid not null,
  status text not null,
  reason text,
  detail text,
  address text,
  test_mode boolean not null default false,
  ignores_consent boolean not null default false,
  attempts smallint not null default 0,
  next_attempt_at timestamp with time zone,
  lease_id bigint,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  delivered_at timestamp with time zone,
  opened_at timestamp with time zone,
  machine_opened_at timestamp with time zone,
  clicked_at timestamp with time zone,
  machine_clicked_at timestamp with time zone,
  bounced_at timestamp with time zone,
  bounce_kind text,
  complained_at timestamp with time zone,
  unsubscribed_at timestamp with time zone,
  scenario_id uuid,
  execution_id uuid,
  node_id text,
  round smallint,
  variables jsonb,
  filled_subject text,
  PRIMARY KEY (merchant_id, id),
  CHECK ((channel = ANY (ARRAY['email'::text, 'line'::text]))),
  CHECK ((kind = ANY (ARRAY['campaign'::text, 'scenario'::text, 'test'::text]))),
  CHECK ((status = ANY (ARRAY['pending'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'skipped'::text, 'uncertain'::text])))
);

create table delivery_leases (
  merchant_id uuid not null,
  id bigint not null generated always as identity,
  worker_id text not null,
  message_id uuid not null,
  cleared_to uuid,
  beat bigint not null default 0,
  journal_id uuid,
  PRIMARY KEY (merchant_id, id)
);

create table departure_journals (
  merchant_id uuid not null,
  id uuid not null,
  position bigint not null default 0,
  worker text not null,
  used_at timestamp with time zone not null,
  PRIMARY KEY (merchant_id, id)
);

create table discounts (
  merchant_id uuid not null,
  id uuid not null,
  terms_key text not null,
  terms jsonb not null,
  last_day date not null,
  ends_at timestamp with time zone not null,
  store_discount_id text,
  bulk_id text,
  attempts smallint not null default 0,
  next_step_at timestamp with time zone,
  lease_expires_at timestamp with time zone,
  error text,
  failed_at timestamp with time zone,
  last_issued_at timestamp with time zone,
  created_at timestamp with time zone not null,
  PRIMARY KEY (merchant_id, id),
  UNIQUE (merchant_id, terms_key, last_day)
);

create table emails (
  merchant_id uuid not null,
  id uuid not null,
  name text not null,
  subject text not null,
  preheader text not null default ''::text,
  from_email text,
  from_name text,
  content text not null,
  size_bytes integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  PRIMARY KEY (merchant_id, id)
);

create table erased_marks (
  merchant_id uuid not null,
  mark_hash text not null,
  erased_at timestamp with time zone not null,
  PRIMARY KEY (merchant_id, mark_hash)
);

create table events (
  merchant_id uuid not null,
  id uuid not null,
  kind text not null,
  key text not null,
  customer_id uuid,
  guest_id uuid,
  scenario_id uuid,
  subject jsonb not null default '{}'::jsonb,
  occurred_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  looked_at timestamp with time zone,
  missed boolean not null default false,
  PRIMARY KEY (merchant_id, id),
  UNIQUE (merchant_id, key)
);

create table execution_effects (
  merchant_id uuid not null,
  id uuid not null,
  execution_id uuid not null,
  node_id text not null,
  round smallint not null,
  kind text not null,
  payload jsonb not null,
  status text not null default 'pending'::text,
  attempts smallint not null default 0,
  next_attempt_at timestamp with time zone not null,
  lease_expires_at timestamp with time zone,
  answer text,
  created_at timestamp with time zone not null,
  done_at timestamp with time zone,
  error text,
  PRIMARY KEY (merchant_id, id),
  UNIQUE (merchant_id, execution_id, node_id, round),
  CHECK ((status = ANY (ARRAY['pending'::text, 'held'::text, 'done'::text, 'failed'::text])))
);

create table execution_steps (
  merchant_id uuid not null,
  execution_id uuid not null,
  seq integer not null,
  round smallint not null,
  node_id text not null,
  node_kind text not null,
  outcome text not null,
  detail jsonb,
  delivery_id uuid,
  at timestamp with time zone not null,
  PRIMARY KEY (merchant_id, execution_id, seq)
);

create table executions (
  merchant_id uuid not null,
  id uuid not null,
  scenario_id uuid not null,
  version integer not null,
  event_id uuid,
  customer_id uuid,
  guest_id uuid,
  status text not null,
  end_reason text,
  node_id text,
  asleep boolean not null default false,
  wake_at timestamp with time zone,
  awaits text,
  held boolean not null default false,
  round smallint not null default 1,
  attempts smallint not null default 0,
  steps integer not null default 0,
  test boolean not null default false,
  held_out boolean not null default false,
  late_accepted boolean not null default false,
  coupon_id uuid,
  last_error text,
  last_error_detail text,
  last_error_at timestamp with time zone,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  woken_by text,
  asleep_since timestamp with time zone,
  kept_event jsonb,
  PRIMARY KEY (merchant_id, id),
  CHECK ((status = ANY (ARRAY['running'::text, 'paused'::text, 'late'::text, 'failed'::text, 'done'::text, 'resolved'::text])))
);

create table favorites (
  merchant_id uuid not null,
  id uuid not null,
  customer_id uuid,
  guest_id uuid,
  store_product_id bigint not null,
  store_variant_id bigint not null default 0,
  status text not null default 'active'::text,
  created_at timestamp with time zone not null,
  removed_at timestamp with time zone,
  PRIMARY KEY (merchant_id, id),
  CHECK (((customer_id IS NULL) <> (guest_id IS NULL))),
  CHECK ((status = ANY (ARRAY['active'::text, 'removed'::text])))
);

create table guests (
  merchant_id uuid not null,
  id uuid not null,
  token_hash bytea not null,
  customer_id uuid,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  joined_at timestamp with time zone,
  PRIMARY KEY (merchant_id, id),
  UNIQUE (merchant_id, token_hash)
);

create table import_errors (
  merchant_id uuid not null,
  import_id uuid not null,
  line integer not null,
  reason text not null,
  header text,
  cells jsonb not null,
  email_key text,
  store_customer_id bigint,
  PRIMARY KEY (merchant_id, import_id, line)
);

create table import_points (
  merchant_id uuid not null,
  import_id uuid not null,
  customer_id uuid not null,
  points bigint not null,
  expires_on date,
  PRIMARY KEY (merchant_id, import_id, customer_id)
);

create table imports (
  merchant_id uuid not null,
  id uuid not null,
  app text not null,
  status text not null default 'mapping'::text,
  file_name text not null,
  size_bytes bigint not null,
  encoding text not null,
  delimiter text not null,
  line_ending text not null,
  has_header boolean not null,
  columns jsonb not null default '[]'::jsonb,
  options jsonb not null,
  position_bytes bigint not null default 0,
  next_line integer not null default 1,
  rows_count integer not null default 0,
  created_count integer not null default 0,
  changed_count integer not null default 0,
  unchanged_count integer not null default 0,
  error_count integer not null default 0,
  failure text,
  member_id uuid,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  PRIMARY KEY (merchant_id, id),
  CHECK ((app = ANY (ARRAY['points'::text, 'restock'::text, 'customers'::text]))),
  CHECK ((delimiter = ANY (ARRAY[','::text, '	'::text, ';'::text]))),
  CHECK ((encoding = ANY (ARRAY['utf-8'::text, 'utf-8-bom'::text, 'shift_jis'::text, 'utf-16le'::text, 'utf-16be'::text]))),
  CHECK ((line_ending = ANY (ARRAY['lf'::text, 'crlf'::text, 'cr'::text]))),
  CHECK ((status = ANY (ARRAY['mapping'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text])))
);

create table installation (
  only_row boolean not null default true,
  secrets_fingerprint text not null,
  created_at timestamp with time zone not null,
  last_alive_at timestamp with time zone,
  PRIMARY KEY (only_row),
  CHECK (only_row)
);

create table interval_runs (
  merchant_id uuid not null,
  computed_at timestamp with time zone not null,
  PRIMARY KEY (merchant_id)
);

create table ledger_state (
  singleton boolean not null default true,
  home text,
  folders jsonb not null default '{}'::jsonb,
  held_since timestamp with time zone,
  held_because text,
  PRIMARY KEY (singleton),
  CHECK ((held_because = ANY (ARRAY['restored'::text, 'copied'::text]))),
  CHECK (singleton)
);

create table mailer_pauses (
  merchant_id uuid not null,
  mailer text not null,
  until timestamp with time zone not null,
  detail text,
  PRIMARY KEY (merchant_id, mailer)
);

create table members (
  merchant_id uuid not null,
  id uuid not null,
  email text not null,
  email_key text not null,
  name text not null default ''::text,
  role text not null,
  language text not null default 'ja'::text,
  password_hash text,
  created_at timestamp with time zone not null,
  email_confirmed_at timestamp with time zone,
  PRIMARY KEY (merchant_id, id),
  UNIQUE (merchant_id, email_key),
  FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CHECK ((role = ANY (ARRAY['owner'::text, 'marketer'::text, 'viewer'::text])))
);

create table merchants (
  id uuid not null,
  site_name text not null,
  language text not null default 'ja'::text,
  timezone text not null default 'Asia/Tokyo'::text,
  currency text not null default 'JPY'::text,
  sender_name text not null default ''::text,
  sender_email text not null default ''::text,
  reply_to text,
  email_provider text not null default 'global'::text,
  test_mode boolean not null default true,
  test_emails text[] not null default '{}'::text[],
  sending_hours jsonb not null default '{"end": "21:00", "start": "08:00", "enabled": false, "exclude_post_purchase": true}'::jsonb,
  staff_email text,
  staff_phone text,
  postal_address text not null default ''::text,
  attribution_days integer not null default 5,
  attribution_counts_opens boolean not null default false,
  plan text not null default 'test'::text,
  trial_ends_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  frequency_cap_count integer,
  frequency_cap_days integer not null default 7,
  undo_seconds integer not null default 10,
  PRIMARY KEY (id),
  CHECK ((email_provider = ANY (ARRAY['global'::text, 'domestic'::text]))),
  CHECK ((plan = ANY (ARRAY['test'::text, 'standard'::text, 'pro'::text, 'plus'::text, 'enterprise'::text])))
);

create table message_stats (
  merchant_id uuid not null,
  bucket timestamp with time zone not null,
  program_id uuid not null,
  email_id uuid not null,
  sent integer not null default 0,
  opened integer not null default 0,
  clicked integer not null default 0,
  machine_opened integer not null default 0,
  machine_clicked integer not null default 0,
  unsubscribed integer not null default 0,
  bounced integer not null default 0,
  complained integer not null default 0,
  orders integer not null default 0,
  revenue bigint not null default 0,
  node_id text not null default ''::text,
  PRIMARY KEY (merchant_id, bucket, program_id, email_id, node_id)
);

create table messages (
  merchant_id uuid not null,
  id uuid not null,
  campaign_id uuid,
  email_id uuid,
  subject text not null,
  preheader text not null default ''::text,
  from_name text not null,
  from_email text not null,
  reply_to text,
  html text not null,
  text text not null,
  links text[] not null default '{}'::text[],
  tracking_enabled boolean not null,
  tracking_parameters jsonb not null default '{}'::jsonb,
  state text not null default 'held'::text,
  test_mode boolean not null default false,
  created_at timestamp with time zone not null,
  scenario_id uuid,
  node_id text,
  version integer,
  fingerprint text,
  priority text not null default 'normal'::text,
  post_purchase boolean not null default false,
  for_tests boolean not null default false,
  uses_event boolean not null default false,
  uses_coupon boolean not null default false,
  uncounted_from timestamp with time zone,
  PRIMARY KEY (merchant_id, id),
  CHECK ((priority = ANY (ARRAY['normal'::text, 'always'::text]))),
  CHECK ((state = ANY (ARRAY['held'::text, 'released'::text, 'done'::text])))
);

create table metafield_fills (
  merchant_id uuid not null,
  id uuid not null,
  setting_ids uuid[] not null,
  status text not null default 'running'::text,
  error text,
  bulk_operation_id text,
  exported_at timestamp with time zone,
  exported_count integer not null default 0,
  loaded_count integer not null default 0,
  attempts integer not null default 0,
  lease_id uuid,
  lease_expires_at timestamp with time zone,
  next_step_at timestamp with time zone,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  PRIMARY KEY (merchant_id, id),
  CHECK ((status = ANY (ARRAY['running'::text, 'done'::text, 'failed'::text])))
);

create table metafield_settings (
  merchant_id uuid not null,
  id uuid not null,
  name text not null,
  namespace text not null,
  key text not null,
  namespace_type text not null,
  value_type text not null,
  status text not null default 'waiting'::text,
  error text,
  value_count integer not null default 0,
  filled_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  unreadable_count integer not null default 0,
  told_since timestamp with time zone,
  PRIMARY KEY (merchant_id, id),
  CHECK ((namespace_type = ANY (ARRAY['platform'::text, 'custom'::text]))),
  CHECK ((status = ANY (ARRAY['waiting'::text, 'filling'::text, 'ready'::text, 'failed'::text])))
);

create table one_time_tokens (
  merchant_id uuid not null,
  id uuid not null,
  purpose text not null,
  member_id uuid not null,
  token_hash bytea not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  PRIMARY KEY (merchant_id, id),
  CHECK ((purpose = ANY (ARRAY['password_reset'::text, 'store_sign_in'::text])))
);

create table order_lines (
  merchant_id uuid not null,
  order_id uuid not null,
  position integer not null,
  customer_id uuid,
  store_product_id bigint,
  title text not null,
  sku text,
  quantity integer not null,
  amount bigint not null,
  processed_at timestamp with time zone not null,
  store_variant_id bigint,
  PRIMARY KEY (merchant_id, order_id, "position")
);

create table orders (
  merchant_id uuid not null,
  id uuid not null,
  store_order_id bigint not null,
  customer_id uuid,
  store_customer_id bigint,
  name text not null,
  email_key text,
  processed_at timestamp with time zone not null,
  total_amount bigint not null,
  current_amount bigint not null,
  currency text not null,
  financial_status text,
  cancelled_at timestamp with time zone,
  landing_site text,
  store_updated_at timestamp with time zone,
  announced_at timestamp with time zone,
  tags text[] not null default '{}'::text[],
  discount_codes text[] not null default '{}'::text[],
  fulfillment_status text,
  checkout_token text,
  cart_token text,
  deleted_at timestamp with time zone,
  PRIMARY KEY (merchant_id, id),
  UNIQUE (merchant_id, store_order_id)
);

create table privacy_files (
  merchant_id uuid not null,
  id uuid not null,
  sealed text not null,
  size_bytes integer not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  PRIMARY KEY (merchant_id, id)
);

create table privacy_requests (
  merchant_id uuid not null,
  id uuid not null,
  kind text not null,
  source text not null,
  event_key text not null,
  status text not null,
  person_hash text,
  sealed text,
  customer_id uuid,
  member_id uuid,
  received_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  done_at timestamp with time zone,
  outcome jsonb not null default '{}'::jsonb,
  skip_reason text,
  sweep_at timestamp with time zone,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone,
  error text,
  PRIMARY KEY (merchant_id, id),
  UNIQUE (merchant_id, event_key),
  CHECK ((kind = ANY (ARRAY['data_request'::text, 'customer_redact'::text, 'shop_redact'::text]))),
  CHECK ((source = ANY (ARRAY['store'::text, 'member'::text]))),
  CHECK ((status = ANY (ARRAY['waiting'::text, 'done'::text, 'skipped'::text, 'failed'::text])))
);

create table product_intervals (
  merchant_id uuid not null,
  store_product_id bigint not null,
  days integer not null,
  repeats integer not null,
  computed_at timestamp with time zone not null,
  PRIMARY KEY (merchant_id, store_product_id)
);

create table product_variants (
  merchant_id uuid not null,
  id uuid not null,
  store_variant_id bigint not null,
  store_product_id bigint not null,
  title text not null default ''::text,
  sku text,
  price_amount bigint,
  inventory_quantity integer,
  position integer not null default 0,
  PRIMARY KEY (merchant_id, id),
  UNIQUE (merchant_id, store_variant_id)
);

create table products (
  merchant_id uuid not null,
  id uuid not null,
  store_product_id bigint not null,
  title text not null,
  handle text,
  status text not null default 'ACTIVE'::text,
  image_url text,
  total_inventory integer,
  store_updated_at timestamp with time zone,
  deleted_at timestamp with time zone,
  search_text text not null default ''::text,
  vendor text,
  product_type text,
  tags text[] not null default '{}'::text[],
  updated_at timestamp with time zone,
  PRIMARY KEY (merchant_id, id),
  UNIQUE (merchant_id, store_product_id)
);

create table rate_limits (
  key text not null,
  points integer not null,
  expire bigint,
  PRIMARY KEY (key)
);

create table refresh_tokens (
  merchant_id uuid not null,
  session_id uuid not null,
  token_hash bytea not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  parent_hash bytea,
  PRIMARY KEY (merchant_id, session_id, token_hash)
);

create table remote_segment_members (
  merchant_id uuid not null,
  segment_id uuid not null,
  store_customer_id bigint not null,
  PRIMARY KEY (merchant_id, segment_id, store_customer_id)
);

create table restock_requests (
  merchant_id uuid not null,
  id uuid not null,
  customer_id uuid,
  guest_id uuid,
  email text,
  email_key text,
  store_product_id bigint not null,
  store_variant_id bigint not null default 0,
  channel text not null default 'email'::text,
  status text not null default 'active'::text,
  source text not null default 'storefront'::text,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  deleted_at timestamp with time zone,
  PRIMARY KEY (merchant_id, id),
  CHECK ((channel = ANY (ARRAY['email'::text, 'line'::text]))),
  CHECK ((source = ANY (ARRAY['storefront'::text, 'import'::text]))),
  CHECK ((status = ANY (ARRAY['active'::text, 'sent'::text, 'deleted'::text, 'unknown'::text])))
);

create table saved_views (
  merchant_id uuid not null,
  id uuid not null,
  member_id uuid,
  page text not null,
  name text not null,
  search jsonb not null,
  created_at timestamp with time zone not null,
  PRIMARY KEY (merchant_id, id)
);

create table scenario_clocks (
  merchant_id uuid not null,
  scenario_id uuid not null,
  version integer not null,
  looked_day date,
  looked_until timestamp with time zone,
  PRIMARY KEY (merchant_id, scenario_id)
);

create table scenario_entries (
  merchant_id uuid not null,
  event_id uuid not null,
  scenario_id uuid not null,
  customer_id uuid,
  execution_id uuid,
  refused_by text,
  detail jsonb,
  at timestamp with time zone not null,
  guest_id uuid,
  waits boolean not null default false,
  PRIMARY KEY (merchant_id, event_id, scenario_id)
);

create table scenario_node_counts (
  merchant_id uuid not null,
  scenario_id uuid not null,
  node_id text not null,
  entered bigint not null default 0,
  passed bigint not null default 0,
  failed bigint not null default 0,
  PRIMARY KEY (merchant_id, scenario_id, node_id)
);

create table scenario_rehearsals (
  merchant_id uuid not null,
  scenario_id uuid not null,
  number integer not null,
  status text not null,
  flow jsonb not null,
  from_at timestamp with time zone not null,
  until_at timestamp with time zone not null,
  progress_percent smallint not null default 0,
  result jsonb,
  asked_at timestamp with time zone not null,
  PRIMARY KEY (merchant_id, scenario_id),
  CHECK ((status = ANY (ARRAY['running'::text, 'done'::text, 'failed'::text])))
);

create table scenario_stats (
  merchant_id uuid not null,
  scenario_id uuid not null,
  node_id text not null,
  sent integer not null default 0,
  opened integer not null default 0,
  clicked integer not null default 0,
  machine_opened integer not null default 0,
  machine_clicked integer not null default 0,
  unsubscribed integer not null default 0,
  bounced integer not null default 0,
  complained integer not null default 0,
  orders integer not null default 0,
  revenue bigint not null default 0,
  PRIMARY KEY (merchant_id, scenario_id, node_id)
);

create table scenario_versions (
  merchant_id uuid not null,
  scenario_id uuid not null,
  number integer not null,
  flow jsonb not null,
  created_at timestamp with time zone not null,
  PRIMARY KEY (merchant_id, scenario_id, number)
);

create table scenarios (
  merchant_id uuid not null,
  id uuid not null,
  name text not null,
  status text not null,
  mode text not null,
  template text,
  form jsonb,
  include_all_customers boolean not null default false,
  priority text not null default 'normal'::text,
  holdout_percent smallint not null default 0,
  version integer not null,
  trigger_kind text not null,
  entries_hour timestamp with time zone,
  entries_in_hour integer not null default 0,
  braked_at timestamp with time zone,
  enabled_at timestamp with time zone,
  stopped_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  conditions jsonb,
  PRIMARY KEY (merchant_id, id),
  CHECK ((mode = ANY (ARRAY['form'::text, 'flow'::text]))),
  CHECK ((priority = ANY (ARRAY['normal'::text, 'always'::text]))),
  CHECK ((status = ANY (ARRAY['draft'::text, 'active'::text, 'stopped'::text, 'deleted'::text])))
);

create table score_runs (
  merchant_id uuid not null,
  computed_at timestamp with time zone not null,
  customer_count integer not null,
  usual_interval_days integer,
  PRIMARY KEY (merchant_id)
);

create table segment_following (
  merchant_id uuid not null,
  customers_total integer,
  customers_counted_at timestamp with time zone,
  remote_status text not null default 'waiting'::text,
  remote_failure text,
  remote_requested_at timestamp with time zone,
  remote_listed_at timestamp with time zone,
  PRIMARY KEY (merchant_id),
  CHECK ((remote_status = ANY (ARRAY['waiting'::text, 'listing'::text, 'ready'::text, 'failed'::text])))
);

create table segment_members (
  merchant_id uuid not null,
  segment_id uuid not null,
  customer_id uuid not null,
  entered_at timestamp with time zone not null,
  PRIMARY KEY (merchant_id, segment_id, customer_id)
);

create table segments (
  merchant_id uuid not null,
  id uuid not null,
  name text not null,
  origin text not null default 'own'::text,
  conditions jsonb,
  status text not null,
  customer_count integer,
  customers_total integer,
  counted_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  count_number integer not null default 0,
  count_requested_at timestamp with time zone,
  members_at timestamp with time zone,
  members_day date,
  store_segment_id bigint,
  store_query text,
  store_count integer,
  store_counted_at timestamp with time zone,
  failure text,
  answered_number integer not null default 0,
  members_zone text,
  store_members_query text,
  store_cursor text,
  store_fetched_count integer,
  store_unknown_count integer not null default 0,
  tells_of_nobody boolean not null default false,
  PRIMARY KEY (merchant_id, id),
  CHECK ((origin = ANY (ARRAY['own'::text, 'remote'::text]))),
  CHECK ((status = ANY (ARRAY['calculating'::text, 'ready'::text, 'failed'::text])))
);

create table sessions (
  merchant_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  remember boolean not null default false,
  user_agent text not null default ''::text,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  ended_reason text,
  PRIMARY KEY (merchant_id, id)
);

create table sign_in_directory (
  email_key text not null,
  merchant_id uuid not null,
  member_id uuid not null,
  PRIMARY KEY (email_key)
);

create table store_authorizations (
  state text not null,
  shop_domain text not null,
  merchant_id uuid,
  created_at timestamp with time zone not null,
  session_id uuid,
  PRIMARY KEY (state)
);

create table store_checks (
  merchant_id uuid not null,
  id uuid not null,
  kind text not null,
  method text not null,
  from_at timestamp with time zone,
  until_at timestamp with time zone not null,
  status text not null,
  cursor text,
  checked_count integer not null default 0,
  missing_count integer not null default 0,
  outdated_count integer not null default 0,
  consent_count integer not null default 0,
  gone_count integer not null default 0,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  PRIMARY KEY (merchant_id, id),
  CHECK ((method = ANY (ARRAY['window'::text, 'sweep'::text, 'copy'::text]))),
  CHECK ((status = ANY (ARRAY['running'::text, 'done'::text, 'failed'::text])))
);

create table store_connections (
  merchant_id uuid not null,
  id uuid not null,
  shop_domain text not null,
  name text,
  storefront_url text,
  status text not null,
  scopes text not null default ''::text,
  access_token text,
  access_token_expires_at timestamp with time zone,
  refresh_token text,
  under_review boolean not null default false,
  connected_at timestamp with time zone not null,
  disconnected_at timestamp with time zone,
  disconnected_reason text,
  trouble text,
  trouble_since timestamp with time zone,
  signs_in boolean not null default true,
  PRIMARY KEY (merchant_id, id),
  UNIQUE (merchant_id, shop_domain),
  FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CHECK ((disconnected_reason = ANY (ARRAY['uninstalled'::text, 'refused'::text, 'disconnected'::text]))),
  CHECK ((status = ANY (ARRAY['connected'::text, 'disconnected'::text]))),
  CHECK ((trouble = ANY (ARRAY['frozen'::text, 'locked'::text, 'forbidden'::text, 'gone'::text, 'app_credentials'::text])))
);

create table store_directory (
  shop_domain text not null,
  merchant_id uuid not null,
  PRIMARY KEY (shop_domain)
);

create table store_values (
  merchant_id uuid not null,
  field text not null,
  value text not null,
  search_text text not null,
  PRIMARY KEY (merchant_id, field, value)
);

create table store_watches (
  merchant_id uuid not null,
  kind text not null,
  compared_until timestamp with time zone,
  next_check_at timestamp with time zone not null,
  next_sweep_at timestamp with time zone not null,
  lease_id uuid,
  lease_expires_at timestamp with time zone,
  asked_at timestamp with time zone,
  PRIMARY KEY (merchant_id, kind),
  CHECK ((kind = ANY (ARRAY['products'::text, 'collections'::text, 'customers'::text, 'orders'::text, 'checkouts'::text])))
);

create table store_webhooks (
  merchant_id uuid not null,
  event_id text not null,
  topic text not null,
  subject text not null,
  payload jsonb not null,
  triggered_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  processed_at timestamp with time zone,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null,
  error text,
  parked_at timestamp with time zone,
  PRIMARY KEY (merchant_id, event_id)
);

create table suppressions (
  merchant_id uuid not null,
  id uuid not null,
  channel text not null default 'email'::text,
  address_key text not null,
  reason text not null,
  detail text,
  created_at timestamp with time zone not null,
  lifted_at timestamp with time zone,
  proof text,
  lifted_by text,
  added_by uuid,
  lift_reason text,
  PRIMARY KEY (merchant_id, id),
  CHECK ((reason = ANY (ARRAY['hard_bounce'::text, 'complaint'::text, 'manual'::text])))
);

create table sync_runs (
  merchant_id uuid not null,
  id uuid not null,
  status text not null,
  error text,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  lease_id uuid,
  lease_expires_at timestamp with time zone,
  next_step_at timestamp with time zone,
  purpose text not null default 'copy'::text,
  since timestamp with time zone,
  trouble text,
  trouble_since timestamp with time zone,
  PRIMARY KEY (merchant_id, id),
  CHECK ((purpose = ANY (ARRAY['copy'::text, 'repair'::text, 'sweep'::text]))),
  CHECK ((status = ANY (ARRAY['running'::text, 'done'::text, 'failed'::text])))
);

create table sync_steps (
  merchant_id uuid not null,
  sync_run_id uuid not null,
  kind text not null,
  position integer not null,
  status text not null,
  bulk_operation_id text,
  exported_count integer not null default 0,
  loaded_count integer not null default 0,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  attempts integer not null default 0,
  missing_count integer not null default 0,
  outdated_count integer not null default 0,
  consent_count integer not null default 0,
  gone_count integer not null default 0,
  PRIMARY KEY (merchant_id, sync_run_id, kind),
  CHECK ((kind = ANY (ARRAY['products'::text, 'collections'::text, 'customers'::text, 'orders'::text, 'checkouts'::text]))),
  CHECK ((status = ANY (ARRAY['waiting'::text, 'exporting'::text, 'loading'::text, 'done'::text, 'failed'::text])))
);

create table test_mail_days (
  merchant_id uuid not null,
  day date not null,
  mails integer not null,
  PRIMARY KEY (merchant_id, day)
);

create table tracking_hits (
  merchant_id uuid not null,
  id uuid not null,
  delivery_id uuid not null,
  kind text not null,
  link_position integer,
  occurred_at timestamp with time zone not null,
  user_agent text not null default ''::text,
  network text not null default ''::text,
  verdict text,
  evidence text,
  judged_at timestamp with time zone,
  PRIMARY KEY (merchant_id, id),
  CHECK ((kind = ANY (ARRAY['open'::text, 'click'::text]))),
  CHECK ((verdict = ANY (ARRAY['human'::text, 'machine'::text])))
);

create table unreadable_birthdays (
  merchant_id uuid not null,
  customer_id uuid not null,
  value text not null,
  PRIMARY KEY (merchant_id, customer_id)
);

create table unrecorded_departures (
  merchant_id uuid not null,
  delivery_id uuid not null,
  program_id uuid,
  customer_id uuid,
  node_id text,
  execution_id uuid,
  round smallint,
  found_at timestamp with time zone not null,
  PRIMARY KEY (merchant_id, delivery_id)
);

CREATE INDEX campaigns_active ON public.campaigns USING btree (merchant_id, scheduled_at) WHERE (status = ANY (ARRAY['collecting'::text, 'reserving'::text, 'reserved'::text, 'waiting'::text, 'sending'::text]));
CREATE INDEX campaigns_by_created ON public.campaigns USING btree (merchant_id, created_at DESC, id DESC) WHERE (status <> 'deleted'::text);
CREATE INDEX carts_by_customer ON public.carts USING btree (merchant_id, customer_id, store_updated_at DESC);
CREATE INDEX carts_by_guest ON public.carts USING btree (merchant_id, guest_id);
CREATE INDEX carts_open ON public.carts USING btree (merchant_id, store_updated_at) WHERE (converted_at IS NULL);
CREATE INDEX checkouts_by_cart ON public.checkouts USING btree (merchant_id, cart_token) WHERE (cart_token IS NOT NULL);
CREATE INDEX checkouts_by_created ON public.checkouts USING btree (merchant_id, created_at DESC);
CREATE INDEX checkouts_by_customer ON public.checkouts USING btree (merchant_id, customer_id, created_at DESC);
CREATE INDEX checkouts_by_token ON public.checkouts USING btree (merchant_id, token) WHERE (token IS NOT NULL);
CREATE INDEX checkouts_open ON public.checkouts USING btree (merchant_id, store_updated_at) WHERE (completed_at IS NULL);
CREATE INDEX collection_products_by_product ON public.collection_products USING btree (merchant_id, store_product_id);
CREATE INDEX consent_changes_by_customer ON public.consent_changes USING btree (merchant_id, customer_id, id DESC);
CREATE INDEX consent_changes_by_hash ON public.consent_changes USING btree (merchant_id, address_hash) WHERE (address_hash IS NOT NULL);
CREATE INDEX conversions_by_campaign ON public.conversions USING btree (merchant_id, campaign_id);
CREATE INDEX conversions_by_delivery ON public.conversions USING btree (merchant_id, delivery_id);
CREATE INDEX coupons_by_customer ON public.coupons USING btree (merchant_id, customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX coupons_by_scenario ON public.coupons USING btree (merchant_id, scenario_id, issued_at DESC) WHERE (scenario_id IS NOT NULL);
CREATE INDEX coupons_free ON public.coupons USING btree (merchant_id, discount_id, id) WHERE ((status = 'made'::text) AND (execution_id IS NULL));
CREATE INDEX coupons_issued ON public.coupons USING btree (merchant_id, issued_at DESC, id DESC) WHERE (execution_id IS NOT NULL);
CREATE INDEX coupons_of_discount ON public.coupons USING btree (merchant_id, discount_id);
CREATE UNIQUE INDEX coupons_once_per_visit ON public.coupons USING btree (merchant_id, execution_id, node_id, round) WHERE (execution_id IS NOT NULL);
CREATE INDEX coupons_wanted ON public.coupons USING btree (merchant_id, discount_id, id) WHERE (status = 'wanted'::text);
CREATE INDEX customer_conflicts_by_customer ON public.customer_conflicts USING btree (merchant_id, customer_id, occurred_at DESC);
CREATE INDEX customer_metafields_by_customer ON public.customer_metafields USING btree (merchant_id, customer_id);
CREATE INDEX customer_metafields_by_time ON public.customer_metafields USING btree (merchant_id, metafield_setting_id, value_at) WHERE (value_at IS NOT NULL);
CREATE INDEX customer_search_words ON public.customer_search USING gin (words) WITH (gin_pending_list_limit='1024');
CREATE INDEX customers_by_amount ON public.customers USING btree (merchant_id, orders_amount, id);
CREATE INDEX customers_by_birthday ON public.customers USING btree (merchant_id, birthday) WHERE (birthday IS NOT NULL);
CREATE INDEX customers_by_created ON public.customers USING btree (merchant_id, created_at, id);
CREATE INDEX customers_by_email ON public.customers USING btree (merchant_id, email_key);
CREATE INDEX customers_by_last_order ON public.customers USING btree (merchant_id, last_order_at NULLS FIRST, id);
CREATE INDEX customers_by_name ON public.customers USING btree (merchant_id, display_name, id);
CREATE INDEX customers_by_orders ON public.customers USING btree (merchant_id, orders_count, id);
CREATE INDEX customers_by_sent ON public.customers USING btree (merchant_id, email_sent_count, id);
CREATE INDEX customers_to_choose ON public.customers USING btree (merchant_id, id) INCLUDE (created_at, email_key, marketing_state, orders_count, orders_amount, last_order_at, province_code, last_sent_at, last_opened_at, last_clicked_at, line_connected_at);
CREATE INDEX customers_to_count ON public.customers USING btree (merchant_id, marketing_state, language, notification_state);
CREATE INDEX customers_who_bought_by_amount ON public.customers USING btree (merchant_id, orders_amount DESC, id DESC) WHERE (orders_count > 0);
CREATE INDEX customers_with_line ON public.customers USING btree (merchant_id, line_connected_at) WHERE (line_connected_at IS NOT NULL);
CREATE INDEX deliveries_by_customer ON public.deliveries USING btree (merchant_id, customer_id, id DESC);
CREATE INDEX deliveries_by_message ON public.deliveries USING btree (merchant_id, message_id, id DESC);
CREATE INDEX deliveries_clicked ON public.deliveries USING btree (merchant_id, campaign_id, clicked_at) INCLUDE (customer_id) WHERE ((clicked_at IS NOT NULL) AND (status = 'sent'::text) AND (channel = 'email'::text) AND (kind <> 'test'::text) AND (NOT test_mode));
CREATE INDEX deliveries_due ON public.deliveries USING btree (merchant_id, message_id, id) WHERE (status = 'pending'::text);
CREATE INDEX deliveries_of_scenario ON public.deliveries USING btree (merchant_id, scenario_id, sent_at) WHERE (scenario_id IS NOT NULL);
CREATE INDEX deliveries_of_scenario_not_sent ON public.deliveries USING btree (merchant_id, scenario_id, status, id DESC) WHERE ((scenario_id IS NOT NULL) AND (status = ANY (ARRAY['failed'::text, 'uncertain'::text, 'skipped'::text])));
CREATE INDEX deliveries_of_tests ON public.deliveries USING btree (merchant_id, lower(address)) WHERE ((kind = 'test'::text) AND (address IS NOT NULL));
CREATE UNIQUE INDEX deliveries_once_per_campaign ON public.deliveries USING btree (merchant_id, campaign_id, customer_id) WHERE (campaign_id IS NOT NULL);
CREATE UNIQUE INDEX deliveries_once_per_step ON public.deliveries USING btree (merchant_id, execution_id, node_id, round) WHERE (execution_id IS NOT NULL);
CREATE INDEX deliveries_opened ON public.deliveries USING btree (merchant_id, campaign_id, opened_at) INCLUDE (customer_id) WHERE ((opened_at IS NOT NULL) AND (status = 'sent'::text) AND (channel = 'email'::text) AND (kind <> 'test'::text) AND (NOT test_mode));
CREATE INDEX deliveries_skipped_at_steps ON public.deliveries USING btree (merchant_id, scenario_id, node_id, reason) WHERE ((scenario_id IS NOT NULL) AND (status = 'skipped'::text) AND (node_id IS NOT NULL) AND (reason IS NOT NULL));
CREATE INDEX deliveries_uncertain ON public.deliveries USING btree (merchant_id, campaign_id) WHERE (status = 'uncertain'::text);
CREATE INDEX deliveries_waiting_of_customer ON public.deliveries USING btree (merchant_id, customer_id) WHERE ((status = ANY (ARRAY['pending'::text, 'sending'::text])) AND (execution_id IS NOT NULL));
CREATE INDEX discounts_due ON public.discounts USING btree (merchant_id, next_step_at) WHERE (next_step_at IS NOT NULL);
CREATE INDEX emails_by_created ON public.emails USING btree (merchant_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX events_by_customer ON public.events USING btree (merchant_id, customer_id, id DESC);
CREATE INDEX events_by_guest ON public.events USING btree (merchant_id, guest_id) WHERE (guest_id IS NOT NULL);
CREATE INDEX events_by_kind ON public.events USING btree (merchant_id, kind, id DESC);
CREATE INDEX events_to_look_at ON public.events USING btree (merchant_id, id) WHERE (looked_at IS NULL);
CREATE INDEX execution_effects_due ON public.execution_effects USING btree (merchant_id, next_attempt_at) WHERE (status = 'pending'::text);
CREATE INDEX execution_effects_held ON public.execution_effects USING btree (merchant_id, execution_id) WHERE (status = 'held'::text);
CREATE INDEX executions_awaiting ON public.executions USING btree (merchant_id, customer_id, awaits) WHERE (awaits IS NOT NULL);
CREATE INDEX executions_due ON public.executions USING btree (merchant_id, wake_at) WHERE ((status = 'running'::text) AND (NOT held));
CREATE INDEX executions_ended ON public.executions USING btree (merchant_id, customer_id, ended_at) INCLUDE (end_reason, scenario_id) WHERE ((status = 'done'::text) AND (NOT test));
CREATE INDEX executions_ended_early ON public.executions USING btree (merchant_id, scenario_id, node_id, end_reason) WHERE ((status = 'done'::text) AND (end_reason <> 'finished'::text) AND (node_id IS NOT NULL) AND (NOT test));
CREATE INDEX executions_going_on ON public.executions USING btree (merchant_id, scenario_id, status, node_id) WHERE (ended_at IS NULL);
CREATE INDEX executions_held ON public.executions USING btree (merchant_id, scenario_id) WHERE held;
CREATE INDEX executions_late ON public.executions USING btree (merchant_id, scenario_id) WHERE (status = 'late'::text);
CREATE INDEX executions_of_customer ON public.executions USING btree (merchant_id, customer_id, id DESC) INCLUDE (created_at, test);
CREATE INDEX executions_of_guest ON public.executions USING btree (merchant_id, guest_id) WHERE (guest_id IS NOT NULL);
CREATE INDEX executions_of_scenario ON public.executions USING btree (merchant_id, scenario_id, id DESC);
CREATE INDEX executions_of_tests ON public.executions USING btree (merchant_id, scenario_id, id DESC) WHERE test;
CREATE UNIQUE INDEX executions_once_per_event ON public.executions USING btree (merchant_id, scenario_id, event_id) WHERE ((event_id IS NOT NULL) AND (NOT test));
CREATE INDEX executions_resolved ON public.executions USING btree (merchant_id, scenario_id, id DESC) WHERE (status = 'resolved'::text);
CREATE UNIQUE INDEX favorites_active_customer ON public.favorites USING btree (merchant_id, customer_id, store_product_id, store_variant_id) WHERE ((status = 'active'::text) AND (customer_id IS NOT NULL));
CREATE UNIQUE INDEX favorites_active_guest ON public.favorites USING btree (merchant_id, guest_id, store_product_id, store_variant_id) WHERE ((status = 'active'::text) AND (guest_id IS NOT NULL));
CREATE INDEX favorites_by_customer ON public.favorites USING btree (merchant_id, customer_id, created_at DESC);
CREATE INDEX favorites_by_guest ON public.favorites USING btree (merchant_id, guest_id) WHERE (guest_id IS NOT NULL);
CREATE INDEX favorites_by_product ON public.favorites USING btree (merchant_id, store_product_id, created_at DESC);
CREATE INDEX guests_by_customer ON public.guests USING btree (merchant_id, customer_id);
CREATE INDEX import_errors_of_address ON public.import_errors USING btree (merchant_id, email_key) WHERE (email_key IS NOT NULL);
CREATE INDEX import_errors_of_number ON public.import_errors USING btree (merchant_id, store_customer_id) WHERE (store_customer_id IS NOT NULL);
CREATE INDEX imports_by_created ON public.imports USING btree (merchant_id, created_at DESC, id DESC);
CREATE INDEX message_stats_by_email ON public.message_stats USING btree (merchant_id, email_id);
CREATE INDEX message_stats_by_program ON public.message_stats USING btree (merchant_id, program_id);
CREATE UNIQUE INDEX messages_of_scenario ON public.messages USING btree (merchant_id, scenario_id, node_id, version, fingerprint) WHERE (scenario_id IS NOT NULL);
CREATE INDEX messages_released ON public.messages USING btree (merchant_id, id) WHERE (state = 'released'::text);
CREATE INDEX messages_uncounted ON public.messages USING btree (merchant_id, scenario_id) WHERE (uncounted_from IS NOT NULL);
CREATE UNIQUE INDEX metafield_fills_running ON public.metafield_fills USING btree (merchant_id) WHERE (status = 'running'::text);
CREATE UNIQUE INDEX metafield_settings_key ON public.metafield_settings USING btree (merchant_id, namespace, key) WHERE (deleted_at IS NULL);
CREATE INDEX order_lines_by_customer ON public.order_lines USING btree (merchant_id, customer_id);
CREATE INDEX order_lines_of_product ON public.order_lines USING btree (merchant_id, store_product_id, processed_at) INCLUDE (customer_id, order_id, quantity, amount);
CREATE INDEX orders_by_cart ON public.orders USING btree (merchant_id, cart_token) WHERE (cart_token IS NOT NULL);
CREATE INDEX orders_by_checkout ON public.orders USING btree (merchant_id, checkout_token) WHERE (checkout_token IS NOT NULL);
CREATE INDEX orders_by_customer ON public.orders USING btree (merchant_id, customer_id, processed_at DESC) INCLUDE (cancelled_at);
CREATE INDEX orders_cancelled ON public.orders USING btree (merchant_id, id) WHERE (cancelled_at IS NOT NULL);
CREATE INDEX orders_cancelled_of_customer ON public.orders USING btree (merchant_id, customer_id, cancelled_at DESC) WHERE (cancelled_at IS NOT NULL);
CREATE INDEX orders_deleted ON public.orders USING btree (merchant_id) WHERE (deleted_at IS NOT NULL);
CREATE INDEX orders_of_guests ON public.orders USING btree (merchant_id, email_key) WHERE ((customer_id IS NULL) AND (email_key IS NOT NULL));
CREATE INDEX orders_of_strangers ON public.orders USING btree (merchant_id, store_customer_id) WHERE ((customer_id IS NULL) AND (store_customer_id IS NOT NULL));
CREATE INDEX orders_standing ON public.orders USING btree (merchant_id, processed_at) INCLUDE (customer_id, current_amount) WHERE (cancelled_at IS NULL);
CREATE INDEX privacy_requests_due ON public.privacy_requests USING btree (merchant_id, next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX product_variants_by_product ON public.product_variants USING btree (merchant_id, store_product_id, "position");
CREATE INDEX rate_limits_by_end ON public.rate_limits USING btree (expire);
CREATE UNIQUE INDEX restock_requests_active ON public.restock_requests USING btree (merchant_id, channel, COALESCE(email_key, ''::text), COALESCE(customer_id, guest_id, '00000000-0000-0000-0000-000000000000'::uuid), store_product_id, store_variant_id) WHERE (status = 'active'::text);
CREATE INDEX restock_requests_by_customer ON public.restock_requests USING btree (merchant_id, customer_id);
CREATE INDEX restock_requests_by_email ON public.restock_requests USING btree (merchant_id, email_key) WHERE (email_key IS NOT NULL);
CREATE INDEX restock_requests_by_guest ON public.restock_requests USING btree (merchant_id, guest_id) WHERE (guest_id IS NOT NULL);
CREATE INDEX restock_requests_by_product ON public.restock_requests USING btree (merchant_id, store_product_id, created_at DESC);
CREATE INDEX saved_views_by_page ON public.saved_views USING btree (merchant_id, page, name);
CREATE INDEX scenario_entries_by_customer ON public.scenario_entries USING btree (merchant_id, scenario_id, customer_id, at DESC);
CREATE INDEX scenario_entries_by_guest ON public.scenario_entries USING btree (merchant_id, scenario_id, guest_id, at DESC) WHERE (guest_id IS NOT NULL);
CREATE INDEX scenario_entries_failed ON public.scenario_entries USING btree (merchant_id, scenario_id, at) WHERE ((refused_by = 'failed'::text) AND (NOT waits) AND ((detail ->> 'dropped'::text) IS NULL));
CREATE INDEX scenario_entries_waiting ON public.scenario_entries USING btree (merchant_id, scenario_id, event_id) WHERE waits;
CREATE INDEX scenarios_active ON public.scenarios USING btree (merchant_id, trigger_kind) WHERE (status = 'active'::text);
CREATE INDEX segment_members_by_customer ON public.segment_members USING btree (merchant_id, customer_id, segment_id);
CREATE INDEX segments_asking_about_scenarios ON public.segments USING btree (merchant_id) WHERE ((deleted_at IS NULL) AND (conditions @? '$.**?(@."category" == "scenarios")'::jsonpath));
CREATE INDEX segments_by_created ON public.segments USING btree (merchant_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX segments_of_store ON public.segments USING btree (merchant_id, store_segment_id) WHERE (store_segment_id IS NOT NULL);
CREATE INDEX sessions_by_member ON public.sessions USING btree (merchant_id, member_id);
CREATE INDEX store_checks_newest ON public.store_checks USING btree (merchant_id, kind, started_at DESC);
CREATE UNIQUE INDEX store_checks_one_running ON public.store_checks USING btree (merchant_id, kind) WHERE ((status = 'running'::text) AND (method = 'window'::text));
CREATE INDEX store_watches_due ON public.store_watches USING btree (next_check_at);
CREATE INDEX store_webhooks_by_subject ON public.store_webhooks USING btree (merchant_id, subject, triggered_at);
CREATE INDEX store_webhooks_due ON public.store_webhooks USING btree (merchant_id, next_attempt_at) WHERE ((processed_at IS NULL) AND (parked_at IS NULL));
CREATE INDEX suppressions_by_address ON public.suppressions USING btree (merchant_id, address_key, created_at DESC);
CREATE INDEX suppressions_by_created ON public.suppressions USING btree (merchant_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX suppressions_in_force ON public.suppressions USING btree (merchant_id, channel, address_key) WHERE (lifted_at IS NULL);
CREATE UNIQUE INDEX sync_runs_one_running ON public.sync_runs USING btree (merchant_id) WHERE (status = 'running'::text);
CREATE INDEX sync_steps_by_kind ON public.sync_steps USING btree (merchant_id, kind, finished_at DESC);
CREATE INDEX tracking_hits_newest ON public.tracking_hits USING btree (merchant_id, delivery_id, id DESC);
CREATE INDEX tracking_hits_unjudged ON public.tracking_hits USING btree (merchant_id, id) WHERE (judged_at IS NULL);
CREATE INDEX unrecorded_departures_by_customer ON public.unrecorded_departures USING btree (merchant_id, customer_id);
