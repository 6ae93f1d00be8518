// Made by `npm run schema` from the migrations; do not edit.
import type { ColumnType, Generated } from 'kysely'

/** jsonb: read as the value it holds, written as JSON text. */
type Json = ColumnType<unknown, string, string>
type GeneratedJson = ColumnType<unknown, string | undefined, string>

interface AddressConfirmations {
  merchant_id: string
  id: string
  purpose: string
  email: string
  email_key: string
  member_id: string | null
  asked_at: Date
  expires_at: Date
  confirmed_at: Date | null
  mailed_at: Date | null
}

interface BirthdayEntries {
  merchant_id: string
  customer_id: string
  changes: number
  changed_at: Date
}

interface Bounces {
  merchant_id: string
  id: string
  delivery_id: string
  address_key: string | null
  verdict: string
  is_doubted: Generated<boolean>
  way: string
  matched_by: string
  status: string | null
  server: string | null
  diagnostic: string | null
  evidence: string | null
  at: Date
}

interface Campaigns {
  merchant_id: string
  id: string
  name: string
  status: string
  send_type: Generated<string>
  scheduled_at: Date | null
  segment_type: Generated<string>
  customer_segment_id: string | null
  email_id: string | null
  send_to_all: Generated<boolean>
  tracking_enabled: Generated<boolean>
  tracking_parameters: GeneratedJson
  message_id: string | null
  test_mode: Generated<boolean>
  wait_reason: string | null
  waits_until: Date | null
  late_accepted: Generated<boolean>
  customer_count: number | null
  reserved_at: Date | null
  started_at: Date | null
  sent_at: Date | null
  final_balance: Json | null
  created_by: string | null
  created_at: Date
  updated_at: Date
  collecting_number: number | null
  undo_until: Date | null
  channels: Generated<string>
  line_message_id: string | null
  line_most: number | null
  canary_share: number | null
  canary_until: Date | null
  canary_result: Json | null
  canary_accepted: Generated<boolean>
  ab_test: Json | null
  ab_decides_at: Date | null
  ab_asked_at: Date | null
  ab_result: Json | null
  brake_result: Json | null
  coupon: Json | null
  coupon_discount_id: string | null
  coupon_ends_at: Date | null
}

interface CartProducts {
  merchant_id: string
  customer_id: string
  store_product_id: number
  quantity: number
  first_seen_at: Date
  seen_at: Date
  changed_at: Date
}

interface Carts {
  merchant_id: string
  id: string
  token: string
  customer_id: string | null
  guest_id: string | null
  lines: GeneratedJson
  items_count: Generated<number>
  created_at: Date
  store_updated_at: Date
  converted_at: Date | null
}

interface ChangedCustomers {
  merchant_id: string
  customer_id: string
  change_number: Generated<number>
  changed_at: Date
  learned: Generated<boolean>
}

interface ChannelPauses {
  merchant_id: string
  channel: string
  route: string
  until: Date
  detail: string | null
  by_quota: Generated<boolean>
}

interface CheckedAddresses {
  merchant_id: string
  key: string
  kind: string
  target: string
  asked_at: Date
  is_due: Generated<boolean>
  lease_expires_at: Date | null
  checked_at: Date | null
  outcome: string | null
  status: number | null
  reason: string | null
  leads_to: string | null
  size_bytes: number | null
  begins_at: Date | null
  ends_at: Date | null
  uses_left: number | null
}

interface Checkouts {
  merchant_id: string
  id: string
  store_checkout_id: number
  token: string | null
  customer_id: string | null
  store_customer_id: number | null
  guest_id: string | null
  email_key: string | null
  total_amount: number
  currency: string
  lines: GeneratedJson
  recovery_url: string | null
  created_at: Date
  store_updated_at: Date
  completed_at: Date | null
  cart_token: string | null
}

interface CollectionProducts {
  merchant_id: string
  store_collection_id: number
  store_product_id: number
}

interface Collections {
  merchant_id: string
  id: string
  store_collection_id: number
  title: string
  handle: string | null
  products_count: number | null
  store_updated_at: Date | null
  deleted_at: Date | null
  search_text: Generated<string>
}

interface ComplaintWarnings {
  merchant_id: string
  level: string
  warned_at: Date
}

interface ConfirmedDomains {
  merchant_id: string
  domain: string
  confirmed_at: Date
}

interface ConsentChanges {
  merchant_id: string
  id: string
  customer_id: string
  kind: string
  channel: Generated<string>
  from_state: string
  to_state: string
  source: string
  wording: string | null
  page: string | null
  delivery_id: string | null
  occurred_at: Date
  recorded_at: Date
  address_hash: string | null
  proof_until: Date | null
}

interface Conversions {
  merchant_id: string
  order_id: string
  delivery_id: string
  campaign_id: string | null
  email_id: string | null
  customer_id: string | null
  credited_by: string
  amount: number
  currency: string
  ordered_at: Date
  withdrawn_at: Date | null
  scenario_id: string | null
  node_id: string | null
}

interface Coupons {
  merchant_id: string
  id: string
  discount_id: string
  code: string
  status: string
  bulk_id: string | null
  scenario_id: string | null
  execution_id: string | null
  node_id: string | null
  round: number | null
  customer_id: string | null
  error: string | null
  issued_at: Date | null
  used_at: Date | null
  created_at: Date
  order_id: string | null
  campaign_id: string | null
  flaw: string | null
}

interface CustomerConflicts {
  merchant_id: string
  id: string
  customer_id: string
  field: string
  used_value: string | null
  unused_value: string | null
  used_from: string
  used_at: Date
  member_id: string | null
  occurred_at: Date
}

interface CustomerMailTimes {
  merchant_id: string
  customer_id: string
  sent: number[]
  opened: number[]
  clicked: number[]
}

interface CustomerMetafields {
  merchant_id: string
  metafield_setting_id: string
  customer_id: string
  value: string
  value_number: number | null
  value_at: Date | null
  value_texts: Generated<string[]>
  updated_at: Date
  readable: Generated<boolean>
}

interface CustomerScores {
  merchant_id: string
  customer_id: string
  recency: number
  frequency: number
  monetary: number
  rfm_class: string
  usual_interval_days: number | null
  next_order_on: string | null
  computed_at: Date
}

interface CustomerSearch {
  merchant_id: string
  customer_id: string
  created_at: Date
  display_name: string
  words: string
}

interface CustomerSettings {
  merchant_id: string
  birthday_setting_id: string | null
  updated_at: Date
}

interface CustomerTagChanges {
  merchant_id: string
  id: string
  add_tags: string[]
  remove_tags: string[]
  status: Generated<string>
  total: number
  refused_count: Generated<number>
  remaining: string[]
  tries: Generated<number>
  member_id: string | null
  created_at: Date
  finished_at: Date | null
}

interface Customers {
  merchant_id: string
  id: string
  store_customer_id: number | null
  email: string | null
  email_key: string | null
  first_name: string | null
  last_name: string | null
  display_name: Generated<string>
  phone: string | null
  language: string | null
  birthday: string | null
  address: Json | null
  last_address: Generated<string>
  tags: Generated<string[]>
  search_text: Generated<string>
  marketing_state: Generated<string>
  marketing_changed_at: Date | null
  notification_state: Generated<string>
  notification_changed_at: Date | null
  orders_count: Generated<number>
  orders_amount: Generated<number>
  last_order_at: Date | null
  email_sent_count: Generated<number>
  line_sent_count: Generated<number>
  store_updated_at: Date | null
  created_at: Date
  updated_at: Date
  tags_known_at: Date | null
  first_order_at: Date | null
  last_sent_at: Date | null
  last_opened_at: Date | null
  last_clicked_at: Date | null
  opened_count: Generated<number>
  clicked_count: Generated<number>
  line_connected_at: Date | null
  province_code: string | null
  note: string | null
  imported: Json | null
  language_unsent: Generated<boolean>
  orders_other_currency: Generated<number>
}

interface Deliveries {
  merchant_id: string
  id: string
  kind: string
  channel: Generated<string>
  campaign_id: string | null
  customer_id: string | null
  message_id: string
  status: string
  reason: string | null
  detail: string | null
  address: string | null
  test_mode: Generated<boolean>
  ignores_consent: Generated<boolean>
  attempts: Generated<number>
  next_attempt_at: Date | null
  lease_id: number | null
  created_at: Date
  sent_at: Date | null
  delivered_at: Date | null
  opened_at: Date | null
  machine_opened_at: Date | null
  clicked_at: Date | null
  machine_clicked_at: Date | null
  bounced_at: Date | null
  bounce_kind: string | null
  complained_at: Date | null
  unsubscribed_at: Date | null
  scenario_id: string | null
  execution_id: string | null
  node_id: string | null
  round: number | null
  variables: Json | null
  filled_subject: string | null
  first_tried_at: Date | null
  batch_id: string | null
  language: string | null
}

interface DeliveryLeases {
  merchant_id: string
  id: Generated<number>
  worker_id: string
  message_id: string
  cleared_to: string | null
  beat: Generated<number>
  journal_id: string | null
}

interface DepartureJournals {
  merchant_id: string
  id: string
  position: Generated<number>
  worker: string
  used_at: Date
}

interface Discounts {
  merchant_id: string
  id: string
  terms_key: string
  terms: Json
  last_day: string
  ends_at: Date
  store_discount_id: string | null
  bulk_id: string | null
  attempts: Generated<number>
  next_step_at: Date | null
  lease_expires_at: Date | null
  error: string | null
  failed_at: Date | null
  last_issued_at: Date | null
  created_at: Date
  campaign_id: string | null
  title: string | null
  looked_at: Date | null
  bulk_asked_at: Date | null
  flaw: string | null
  flaw_at: Date | null
  flaw_codes: number | null
  times_told: Generated<number>
  in_doubt: Generated<boolean>
}

interface EmailComponentDrafts {
  merchant_id: string
  component_id: string
  member_id: string
  saved_at: Date
  began_at: Date
  fields: Json
  writer: string | null
}

interface EmailComponents {
  merchant_id: string
  id: string
  key: string
  name: string
  content: string
  components: Generated<string[]>
  created_at: Date
  updated_at: Date
}

interface EmailContentVariants {
  merchant_id: string
  message_id: string
  language: string
  subject: string
  preheader: string
  html: string
  text: string
  first_link: number
}

interface EmailContents {
  merchant_id: string
  message_id: string
  subject: string
  preheader: string
  from_name: string
  from_email: string
  reply_to: string | null
  html: string
  text: string
  language: string | null
  sender_email: string | null
  link_host: string | null
}

interface EmailDrafts {
  merchant_id: string
  email_id: string
  member_id: string
  saved_at: Date
  began_at: Date
  fields: Json
  writer: string | null
}

interface EmailVariantDrafts {
  merchant_id: string
  email_id: string
  member_id: string
  language: string
  saved_at: Date
  began_at: Date
  fields: Json
  writer: string | null
}

interface EmailVersions {
  merchant_id: string
  id: string
  email_id: string
  saved_at: Date
  member_id: string | null
  subject: string
  preheader: string
  content: string
  design: Json | null
  plain_text: string | null
  variants: Json | null
}

interface Emails {
  merchant_id: string
  id: string
  name: string
  subject: string
  preheader: Generated<string>
  from_email: string | null
  from_name: string | null
  content: string
  size_bytes: number
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
  components: Generated<string[]>
  design: Json | null
  plain_text: string | null
  plain_text_for: string | null
  variants: GeneratedJson
}

interface ErasedMarks {
  merchant_id: string
  mark_hash: string
  erased_at: Date
}

interface Events {
  merchant_id: string
  id: string
  kind: string
  key: string
  customer_id: string | null
  guest_id: string | null
  scenario_id: string | null
  subject: GeneratedJson
  occurred_at: Date
  created_at: Date
  looked_at: Date | null
  missed: Generated<boolean>
}

interface ExecutionEffects {
  merchant_id: string
  id: string
  execution_id: string
  node_id: string
  round: number
  kind: string
  payload: Json
  status: Generated<string>
  attempts: Generated<number>
  next_attempt_at: Date
  lease_expires_at: Date | null
  answer: string | null
  created_at: Date
  done_at: Date | null
  error: string | null
}

interface ExecutionSteps {
  merchant_id: string
  execution_id: string
  seq: number
  round: number
  node_id: string
  node_kind: string
  outcome: string
  detail: Json | null
  delivery_id: string | null
  at: Date
}

interface Executions {
  merchant_id: string
  id: string
  scenario_id: string
  version: number
  event_id: string | null
  customer_id: string | null
  guest_id: string | null
  status: string
  end_reason: string | null
  node_id: string | null
  asleep: Generated<boolean>
  wake_at: Date | null
  awaits: string | null
  held: Generated<boolean>
  round: Generated<number>
  attempts: Generated<number>
  steps: Generated<number>
  test: Generated<boolean>
  held_out: Generated<boolean>
  late_accepted: Generated<boolean>
  coupon_id: string | null
  last_error: string | null
  last_error_detail: string | null
  last_error_at: Date | null
  created_at: Date
  ended_at: Date | null
  woken_by: string | null
  asleep_since: Date | null
  kept_event: Json | null
}

interface FavoriteChanges {
  merchant_id: string
  id: string
  store_product_id: number
  active: number
  removed: number
  set_seconds: number
  kept_seconds: number
  first_at: Date | null
  latest_at: Date | null
}

interface FavoriteCounts {
  merchant_id: string
  store_product_id: number
  active_count: number
  removed_count: number
  set_seconds: number
  kept_seconds: number
  first_at: Date
  latest_at: Date
}

interface FavoriteSettings {
  merchant_id: string
  show_count: boolean
  quiet_days: number
  low_stock: number
}

interface Favorites {
  merchant_id: string
  id: string
  customer_id: string | null
  guest_id: string | null
  store_product_id: number
  store_variant_id: Generated<number>
  status: Generated<string>
  created_at: Date
  removed_at: Date | null
  is_again: Generated<boolean>
}

interface Guests {
  merchant_id: string
  id: string
  token_hash: Buffer | null
  customer_id: string | null
  created_at: Date
  last_seen_at: Date | null
  joined_at: Date | null
}

interface ImportErrors {
  merchant_id: string
  import_id: string
  line: number
  reason: string
  header: string | null
  cells: Json
  email_key: string | null
  store_customer_id: number | null
}

interface ImportPoints {
  merchant_id: string
  import_id: string
  customer_id: string
  points: number
  expires_on: string | null
}

interface Imports {
  merchant_id: string
  id: string
  app: string
  status: Generated<string>
  file_name: string
  size_bytes: number
  encoding: string
  delimiter: string
  line_ending: string
  has_header: boolean
  columns: GeneratedJson
  options: Json
  position_bytes: Generated<number>
  next_line: Generated<number>
  rows_count: Generated<number>
  created_count: Generated<number>
  changed_count: Generated<number>
  unchanged_count: Generated<number>
  error_count: Generated<number>
  failure: string | null
  member_id: string | null
  created_at: Date
  updated_at: Date
  started_at: Date | null
  finished_at: Date | null
}

interface Installation {
  only_row: Generated<boolean>
  secrets_fingerprint: string
  created_at: Date
  last_alive_at: Date | null
  all_asked_at: Date | null
}

interface IntervalRuns {
  merchant_id: string
  computed_at: Date
}

interface LedgerState {
  singleton: Generated<boolean>
  home: string | null
  folders: GeneratedJson
  held_since: Date | null
  held_because: string | null
}

interface LineAccounts {
  merchant_id: string
  channel_id: string | null
  channel_secret: string | null
  access_token: string | null
  token_is_issued: Generated<boolean>
  access_token_expires_at: Date | null
  bot_user_id: string | null
  basic_id: string | null
  display_name: string | null
  picture_url: string | null
  login_channel_id: string | null
  login_channel_secret: string | null
  login_enabled: Generated<boolean>
  multipass_secret: string | null
  trouble: string | null
  trouble_since: Date | null
  checked_at: Date | null
  updated_at: Date
  login_shown: string | null
  last_channel_id: string | null
  reserved_total: Generated<number>
  webhook_arrives: Generated<boolean>
}

interface LineChannelDirectory {
  channel_id: string
  merchant_id: string
}

interface LineContents {
  merchant_id: string
  message_id: string
  messages: Json
  is_personal: boolean
  unit: string | null
  unit_refused: Generated<boolean>
  first_sent_at: Date | null
  opened_count: number | null
  opened_read_at: Date | null
  opened_due_at: Date | null
}

interface LineEvents {
  merchant_id: string
  id: string
  event_id: string
  line_user_id: string | null
  type: string
  event: Json
  happened_at: Date
  received_at: Date
  processed_at: Date | null
  attempts: Generated<number>
  error: string | null
}

interface LineFriends {
  merchant_id: string
  line_user_id: string
  customer_id: string | null
  is_friend: boolean
  friend_since: Date | null
  blocked_at: Date | null
  display_name: string | null
  picture_url: string | null
  language: string | null
  last_contact_at: Date | null
  changed_at: Date
  profile_read_at: Date | null
  created_at: Date
  is_tester: Generated<boolean>
  former_channel_id: string | null
}

interface LineLinkChanges {
  merchant_id: string
  id: string
  customer_id: string
  line_user_id: string
  is_linked: boolean
  occurred_at: Date
}

interface LineLogins {
  merchant_id: string
  id: string
  customer_id: string
  step: string
  token_hash: Buffer | null
  browser_hash: Buffer | null
  secrets: string | null
  line_user_id: string | null
  display_name: string | null
  picture_url: string | null
  is_friend: boolean | null
  expires_at: Date
  from_chat: Generated<boolean>
  moves: Generated<boolean>
}

interface LineMessages {
  merchant_id: string
  id: string
  name: string
  messages: Json
  quick_replies: Json
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
}

interface LineRelayCalls {
  merchant_id: string
  id: string
  relay_id: string
  body: Buffer
  signature: string
  state: Generated<string>
  received_at: Date
  tries: Generated<number>
  answer: string | null
  next_try_at: Date | null
}

interface LineRelays {
  merchant_id: string
  id: string
  url: string
  created_at: Date
}

interface LinkHostDirectory {
  host: string
  merchant_id: string
  served_since: Date | null
}

interface MailerPauses {
  merchant_id: string
  mailer: string
  until: Date
  detail: string | null
}

interface MarketingPauses {
  merchant_id: string
  address_key: string
  until: Date
  created_at: Date
}

interface Media {
  merchant_id: string
  id: string
  folder: Generated<string>
  name: string
  alt_text: Generated<string>
  state: Generated<string>
  received_at: Date | null
  look_at: Date | null
  created_at: Date
}

interface MediaCopies {
  merchant_id: string
  media_id: string
  copy: string
  type: string
  width: number
  height: number
  size_bytes: number
}

interface MediaSweeps {
  merchant_id: string
  sweep_at: Date
}

interface Members {
  merchant_id: string
  id: string
  email: string
  email_key: string
  name: Generated<string>
  role: string
  language: Generated<string>
  password_hash: string | null
  created_at: Date
  email_confirmed_at: Date | null
}

interface Merchants {
  id: string
  site_name: string
  language: Generated<string>
  timezone: Generated<string>
  currency: Generated<string>
  sender_name: Generated<string>
  sender_email: Generated<string>
  reply_to: string | null
  email_provider: Generated<string>
  test_mode: Generated<boolean>
  test_emails: Generated<string[]>
  sending_hours: GeneratedJson
  staff_email: string | null
  staff_phone: string | null
  postal_address: Generated<string>
  attribution_days: Generated<number>
  attribution_counts_opens: Generated<boolean>
  plan: Generated<string>
  trial_ends_at: Date | null
  created_at: Date
  updated_at: Date
  closed_at: Date | null
  frequency_cap_count: number | null
  frequency_cap_days: Generated<number>
  undo_seconds: Generated<number>
  canary_from: Generated<number | null>
  canary_minutes: Generated<number>
  own_mailer_id: string | null
  own_mailer_connections: number | null
  agreed_currency: string | null
  agreed_amounts: string | null
}

interface MessageStats {
  merchant_id: string
  bucket: Date
  program_id: string
  email_id: string
  sent: Generated<number>
  opened: Generated<number>
  clicked: Generated<number>
  machine_opened: Generated<number>
  machine_clicked: Generated<number>
  unsubscribed: Generated<number>
  bounced: Generated<number>
  complained: Generated<number>
  orders: Generated<number>
  revenue: Generated<number>
  node_id: Generated<string>
  channel: Generated<string>
}

interface Messages {
  merchant_id: string
  id: string
  campaign_id: string | null
  email_id: string | null
  subject: string | null
  preheader: Generated<string>
  from_name: string | null
  from_email: string | null
  reply_to: string | null
  html: string | null
  text: string | null
  links: Generated<string[]>
  tracking_enabled: boolean
  tracking_parameters: GeneratedJson
  state: Generated<string>
  test_mode: Generated<boolean>
  created_at: Date
  scenario_id: string | null
  node_id: string | null
  version: number | null
  fingerprint: string | null
  priority: Generated<string>
  post_purchase: Generated<boolean>
  for_tests: Generated<boolean>
  uses_event: Generated<boolean>
  uses_coupon: Generated<boolean>
  uncounted_from: Date | null
  channel: Generated<string>
  expected_count: number | null
  is_canary: Generated<boolean>
  ab_group: string | null
  consent_kind: Generated<string>
  is_receipt: Generated<boolean>
  awaits_codes: Generated<boolean>
  code_doubts: Generated<number>
}

interface MetafieldFills {
  merchant_id: string
  id: string
  setting_ids: string[]
  status: Generated<string>
  error: string | null
  bulk_operation_id: string | null
  exported_at: Date | null
  exported_count: Generated<number>
  loaded_count: Generated<number>
  attempts: Generated<number>
  lease_id: string | null
  lease_expires_at: Date | null
  next_step_at: Date | null
  started_at: Date
  finished_at: Date | null
}

interface MetafieldSettings {
  merchant_id: string
  id: string
  name: string
  namespace: string
  key: string
  namespace_type: string
  value_type: string
  status: Generated<string>
  error: string | null
  value_count: Generated<number>
  filled_at: Date | null
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
  unreadable_count: Generated<number>
  told_since: Date | null
}

interface OneTimeTokens {
  merchant_id: string
  id: string
  purpose: string
  member_id: string
  token_hash: Buffer
  expires_at: Date
  used_at: Date | null
}

interface OrderLines {
  merchant_id: string
  order_id: string
  position: number
  customer_id: string | null
  store_product_id: number | null
  title: string
  sku: string | null
  quantity: number
  amount: number
  processed_at: Date
  store_variant_id: number | null
}

interface Orders {
  merchant_id: string
  id: string
  store_order_id: number
  customer_id: string | null
  store_customer_id: number | null
  name: string
  email_key: string | null
  processed_at: Date
  total_amount: number
  current_amount: number
  currency: string
  financial_status: string | null
  cancelled_at: Date | null
  landing_site: string | null
  store_updated_at: Date | null
  announced_at: Date | null
  tags: Generated<string[]>
  discount_codes: Generated<string[]>
  fulfillment_status: string | null
  checkout_token: string | null
  cart_token: string | null
  deleted_at: Date | null
}

interface OwnMailers {
  merchant_id: string
  id: string
  kind: string
  host: string
  port: number
  security: string
  username: string
  password: string
  connections: number
  returns_to_us: Generated<boolean>
  feedback_key: string | null
  tested_at: Date | null
  updated_at: Date
}

interface PrivacyFiles {
  merchant_id: string
  id: string
  sealed: string
  size_bytes: number
  created_at: Date
  expires_at: Date
}

interface PrivacyRequests {
  merchant_id: string
  id: string
  kind: string
  source: string
  event_key: string
  status: string
  person_hash: string | null
  sealed: string | null
  customer_id: string | null
  member_id: string | null
  received_at: Date
  due_at: Date
  done_at: Date | null
  outcome: GeneratedJson
  skip_reason: string | null
  sweep_at: Date | null
  attempts: Generated<number>
  next_attempt_at: Date | null
  error: string | null
}

interface ProductIntervals {
  merchant_id: string
  store_product_id: number
  days: number
  repeats: number
  computed_at: Date
}

interface ProductVariants {
  merchant_id: string
  id: string
  store_variant_id: number
  store_product_id: number
  title: Generated<string>
  sku: string | null
  price_amount: number | null
  inventory_quantity: number | null
  position: Generated<number>
  online_quantity: number | null
  sells_without_stock: Generated<boolean>
  online_read_at: Date | null
}

interface ProductViews {
  merchant_id: string
  customer_id: string
  store_product_id: number
  first_viewed_at: Date
  viewed_at: Date
  views: number
}

interface Products {
  merchant_id: string
  id: string
  store_product_id: number
  title: string
  handle: string | null
  status: Generated<string>
  image_url: string | null
  total_inventory: number | null
  store_updated_at: Date | null
  deleted_at: Date | null
  search_text: Generated<string>
  vendor: string | null
  product_type: string | null
  tags: Generated<string[]>
  updated_at: Date | null
}

interface RateLimits {
  key: string
  points: number
  expire: number | null
}

interface ReceiverCountings {
  merchant_id: string
  program_id: string
  kind: string
  active_at: Date
  counted_at: Date | null
  due_at: Date | null
  pause_ms: Generated<number>
}

interface ReceiverFigures {
  merchant_id: string
  program_id: string
  day: string
  receiver: string
  sent: number
  refused: number
  refused_hard: number
  failed: number
  uncertain: number
  bounced_hard: number
  bounced_soft: number
  bounced_blocked: number
  complained: number
  opened: number
  clicked: number
  first_sent_at: Date | null
  last_sent_at: Date | null
  peak_per_minute: number
  answers: GeneratedJson
}

interface ReceiverPaces {
  merchant_id: string
  route: string
  receiver: string
  per_minute: number
  slowed_in_a_row: Generated<number>
  held_until: Date
  next_at: Date
  waiting: Generated<number>
  sent_since: Generated<number>
  changed_at: Date
  slowed_at: Date
  since: Date
  answer: string
}

interface RefreshTokens {
  merchant_id: string
  session_id: string
  token_hash: Buffer
  created_at: Date
  used_at: Date | null
  parent_hash: Buffer | null
}

interface RemoteSegmentMembers {
  merchant_id: string
  segment_id: string
  store_customer_id: number
}

interface RestockChanges {
  merchant_id: string
  id: string
  store_product_id: number
  active: number
  sent: number
  deleted: number
  unknown: number
  first_at: Date | null
  latest_at: Date | null
}

interface RestockCounts {
  merchant_id: string
  store_product_id: number
  active_count: number
  sent_count: number
  deleted_count: number
  unknown_count: number
  first_at: Date
  latest_at: Date
}

interface RestockLooks {
  merchant_id: string
  next_at: Date
}

interface RestockNotices {
  merchant_id: string
  return_id: string
  request_id: string
  wave: number
  customer_id: string | null
  scenario_id: string | null
  event_key: string | null
  outcome: string
  reason: string | null
  at: Date
  sent_at: Date | null
  check_at: Date | null
}

interface RestockRecounts {
  merchant_id: string
  due_at: Date
}

interface RestockRequests {
  merchant_id: string
  id: string
  customer_id: string | null
  guest_id: string | null
  email: string | null
  email_key: string | null
  store_product_id: number
  store_variant_id: Generated<number>
  channel: Generated<string>
  status: Generated<string>
  source: Generated<string>
  created_at: Date
  sent_at: Date | null
  deleted_at: Date | null
  answering: string | null
  ended_by: string | null
  notified_count: Generated<number>
}

interface RestockSettings {
  merchant_id: string
  people_per_unit: number
  wave_minutes: number
  settle_minutes: number
  asks_again: boolean
  email_button: boolean
  line_button: boolean
  confirms_address: boolean
  sends_receipt: boolean
  texts: Json
  updated_at: Date
  sends_line_receipt: Generated<boolean>
}

interface RestockWaves {
  merchant_id: string
  return_id: string
  number: number
  at: Date
  stock: number | null
  places: number
  told: Generated<number>
  bought: Generated<number>
  unreachable: Generated<number>
  is_done: Generated<boolean>
}

interface RichMenuClicks {
  merchant_id: string
  menu_id: string
  tab: number
  area: number
  day: string
  human: number
  machine: number
}

interface RichMenuLinks {
  merchant_id: string
  line_user_id: string
  line_menu_id: string | null
  is_pending: Generated<boolean>
  is_refused: Generated<boolean>
}

interface RichMenuLooks {
  merchant_id: string
  look_at: Date | null
  changes: Generated<number>
  held_until: Date | null
  shown_menu_id: string | null
  trouble: string | null
  failures: Generated<number>
  compare_at: Date | null
  member_changes: Generated<number>
  link_at: Date | null
  link_size: Generated<number>
  has_leftovers: Generated<boolean>
  channel_changes: Generated<number>
}

interface RichMenuPictures {
  merchant_id: string
  id: string
  type: string
  width: number
  height: number
  bytes: Buffer
  created_at: Date
}

interface RichMenuTargets {
  merchant_id: string
  menu_id: string
  tab: number
  area: number
  url: string
}

interface RichMenuUploads {
  merchant_id: string
  menu_id: string
  tab: number
  line_menu_id: string
}

interface RichMenus {
  merchant_id: string
  id: string
  title: string
  state: Generated<string>
  starts_at: Date | null
  ends_at: Date | null
  is_open: boolean
  chat_bar_text: string
  tab_height: number
  tabs: Json
  created_at: Date
  updated_at: Date
  segment_id: string | null
  tracking_enabled: Generated<boolean>
  refusal: string | null
  refusals: Generated<number>
  retry_at: Date | null
}

interface SavedViews {
  merchant_id: string
  id: string
  member_id: string | null
  page: string
  name: string
  search: Json
  created_at: Date
}

interface ScenarioClocks {
  merchant_id: string
  scenario_id: string
  version: number
  looked_day: string | null
  looked_until: Date | null
}

interface ScenarioEntries {
  merchant_id: string
  event_id: string
  scenario_id: string
  customer_id: string | null
  execution_id: string | null
  refused_by: string | null
  detail: Json | null
  at: Date
  guest_id: string | null
  waits: Generated<boolean>
}

interface ScenarioNodeCounts {
  merchant_id: string
  scenario_id: string
  node_id: string
  entered: Generated<number>
  passed: Generated<number>
  failed: Generated<number>
}

interface ScenarioRehearsals {
  merchant_id: string
  scenario_id: string
  number: number
  status: string
  flow: Json
  from_at: Date
  until_at: Date
  progress_percent: Generated<number>
  result: Json | null
  asked_at: Date
}

interface ScenarioStats {
  merchant_id: string
  scenario_id: string
  node_id: string
  sent: Generated<number>
  opened: Generated<number>
  clicked: Generated<number>
  machine_opened: Generated<number>
  machine_clicked: Generated<number>
  unsubscribed: Generated<number>
  bounced: Generated<number>
  complained: Generated<number>
  orders: Generated<number>
  revenue: Generated<number>
  channel: Generated<string>
}

interface ScenarioVersions {
  merchant_id: string
  scenario_id: string
  number: number
  flow: Json
  created_at: Date
}

interface Scenarios {
  merchant_id: string
  id: string
  name: string
  status: string
  mode: string
  template: string | null
  form: Json | null
  include_all_customers: Generated<boolean>
  priority: Generated<string>
  holdout_percent: Generated<number>
  version: number
  trigger_kind: string
  entries_hour: Date | null
  entries_in_hour: Generated<number>
  braked_at: Date | null
  enabled_at: Date | null
  stopped_at: Date | null
  created_at: Date
  updated_at: Date
  conditions: Json | null
}

interface ScoreRuns {
  merchant_id: string
  computed_at: Date
  customer_count: number
  usual_interval_days: number | null
}

interface SegmentFollowing {
  merchant_id: string
  customers_total: number | null
  customers_counted_at: Date | null
  remote_status: Generated<string>
  remote_failure: string | null
  remote_requested_at: Date | null
  remote_listed_at: Date | null
}

interface SegmentMembers {
  merchant_id: string
  segment_id: string
  customer_id: string
  entered_at: Date
}

interface Segments {
  merchant_id: string
  id: string
  name: string
  origin: Generated<string>
  conditions: Json | null
  status: string
  customer_count: number | null
  customers_total: number | null
  counted_at: Date | null
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
  count_number: Generated<number>
  count_requested_at: Date | null
  members_at: Date | null
  members_day: string | null
  store_segment_id: number | null
  store_query: string | null
  store_count: number | null
  store_counted_at: Date | null
  failure: string | null
  answered_number: Generated<number>
  members_zone: string | null
  store_members_query: string | null
  store_cursor: string | null
  store_fetched_count: number | null
  store_unknown_count: Generated<number>
  tells_of_nobody: Generated<boolean>
}

interface SenderDomainKeys {
  merchant_id: string
  domain_id: string
  selector: string
  state: string
  public_key: string
  private_key: string | null
  created_at: Date
  published_until: Date | null
}

interface SenderDomains {
  merchant_id: string
  id: string
  name: string
  token: string
  status: Generated<string>
  records: GeneratedJson
  gone_checks: Generated<number>
  verified_at: Date | null
  failing_since: Date | null
  warned_at: Date | null
  checked_at: Date | null
  next_check_at: Date
  created_at: Date
  warm_up_since: Date | null
  link_host: string | null
  link_host_since: Date | null
  link_host_verified_at: Date | null
}

interface Senders {
  merchant_id: string
  id: string
  name: string
  email: string
  email_key: string
  reply_to: string | null
  created_at: Date
}

interface Sessions {
  merchant_id: string
  id: string
  member_id: string
  remember: Generated<boolean>
  user_agent: Generated<string>
  created_at: Date
  last_used_at: Date
  expires_at: Date
  ended_at: Date | null
  ended_reason: string | null
}

interface SettlingGoods {
  merchant_id: string
  round_id: Generated<string>
  store_variant_id: number
  store_product_id: number
  price_before: number | null
  price_after: number | null
  stock_before: number | null
  stock_after: number | null
  first_at: Date
  changed_at: Date
}

interface SignInDirectory {
  email_key: string
  merchant_id: string
  member_id: string
}

interface StepBrakes {
  merchant_id: string
  scenario_id: string
  node_id: string
  look_at: Date | null
  looks_from: Date | null
  held_since: Date | null
  result: Json | null
}

interface StockLooks {
  merchant_id: string
  of: string
  store_id: number
  asked_at: Date
  due_at: Date
  attempts: Generated<number>
  lease_expires_at: Date | null
}

interface StockReturns {
  merchant_id: string
  id: string
  store_product_id: number
  store_variant_id: number
  began_at: Date
  due_at: Date | null
  held_by: string | null
  stopped_by: string | null
  ended_at: Date | null
  ended_as: string | null
  unanswered_since: Date | null
  continued_at: Date | null
}

interface StoreAuthorizations {
  state: string
  shop_domain: string
  merchant_id: string | null
  created_at: Date
  session_id: string | null
}

interface StoreChecks {
  merchant_id: string
  id: string
  kind: string
  method: string
  from_at: Date | null
  until_at: Date
  status: string
  cursor: string | null
  checked_count: Generated<number>
  missing_count: Generated<number>
  outdated_count: Generated<number>
  consent_count: Generated<number>
  gone_count: Generated<number>
  started_at: Date
  finished_at: Date | null
}

interface StoreConnections {
  merchant_id: string
  id: string
  shop_domain: string
  name: string | null
  storefront_url: string | null
  status: string
  scopes: Generated<string>
  access_token: string | null
  access_token_expires_at: Date | null
  refresh_token: string | null
  under_review: Generated<boolean>
  connected_at: Date
  disconnected_at: Date | null
  disconnected_reason: string | null
  trouble: string | null
  trouble_since: Date | null
  signs_in: Generated<boolean>
  currency: string | null
}

interface StoreDirectory {
  shop_domain: string
  merchant_id: string
}

interface StoreValues {
  merchant_id: string
  field: string
  value: string
  search_text: string
}

interface StoreWatches {
  merchant_id: string
  kind: string
  compared_until: Date | null
  next_check_at: Date
  next_sweep_at: Date
  lease_id: string | null
  lease_expires_at: Date | null
  asked_at: Date | null
  has_another_stores_rows: Generated<boolean>
  opt_outs_unknown_at: Date | null
}

interface StoreWebhooks {
  merchant_id: string
  event_id: string
  topic: string
  subject: string
  payload: Json
  triggered_at: Date
  received_at: Date
  processed_at: Date | null
  attempts: Generated<number>
  next_attempt_at: Date
  error: string | null
  parked_at: Date | null
}

interface StorefrontSettings {
  merchant_id: string
  birthday_changes: Generated<number>
  consent_wording_ja: Generated<string>
  consent_wording_en: Generated<string>
  double_opt_in: Generated<boolean>
  records_behavior: Generated<boolean>
  updated_at: Date
  records_carts: Generated<boolean>
}

interface Suppressions {
  merchant_id: string
  id: string
  channel: Generated<string>
  address_key: string
  reason: string
  detail: string | null
  created_at: Date
  lifted_at: Date | null
  proof: string | null
  lifted_by: string | null
  added_by: string | null
  lift_reason: string | null
}

interface SyncRuns {
  merchant_id: string
  id: string
  status: string
  error: string | null
  started_at: Date
  finished_at: Date | null
  lease_id: string | null
  lease_expires_at: Date | null
  next_step_at: Date | null
  purpose: Generated<string>
  since: Date | null
  trouble: string | null
  trouble_since: Date | null
}

interface SyncSteps {
  merchant_id: string
  sync_run_id: string
  kind: string
  position: number
  status: string
  bulk_operation_id: string | null
  exported_count: Generated<number>
  loaded_count: Generated<number>
  started_at: Date | null
  finished_at: Date | null
  attempts: Generated<number>
  missing_count: Generated<number>
  outdated_count: Generated<number>
  consent_count: Generated<number>
  gone_count: Generated<number>
  progressed_at: Date | null
  given_up: Generated<boolean>
}

interface TestMailDays {
  merchant_id: string
  day: string
  mails: number
}

interface TrackingHits {
  merchant_id: string
  id: string
  delivery_id: string
  kind: string
  link_position: number | null
  occurred_at: Date
  user_agent: Generated<string>
  network: Generated<string>
  verdict: string | null
  evidence: string | null
  judged_at: Date | null
}

interface UnreadableBirthdays {
  merchant_id: string
  customer_id: string
  value: string
}

interface UnrecordedDepartures {
  merchant_id: string
  delivery_id: string
  program_id: string | null
  customer_id: string | null
  node_id: string | null
  execution_id: string | null
  round: number | null
  found_at: Date
  channel: string | null
}

interface WarmUpDays {
  merchant_id: string
  domain_id: string
  day: string
  sent: number
}

interface WidgetSettings {
  merchant_id: string
  parts: GeneratedJson
  texts: GeneratedJson
  colors: GeneratedJson
  updated_at: Date
}

export interface DB {
  address_confirmations: AddressConfirmations
  birthday_entries: BirthdayEntries
  bounces: Bounces
  campaigns: Campaigns
  cart_products: CartProducts
  carts: Carts
  changed_customers: ChangedCustomers
  channel_pauses: ChannelPauses
  checked_addresses: CheckedAddresses
  checkouts: Checkouts
  collection_products: CollectionProducts
  collections: Collections
  complaint_warnings: ComplaintWarnings
  confirmed_domains: ConfirmedDomains
  consent_changes: ConsentChanges
  conversions: Conversions
  coupons: Coupons
  customer_conflicts: CustomerConflicts
  customer_mail_times: CustomerMailTimes
  customer_metafields: CustomerMetafields
  customer_scores: CustomerScores
  customer_search: CustomerSearch
  customer_settings: CustomerSettings
  customer_tag_changes: CustomerTagChanges
  customers: Customers
  deliveries: Deliveries
  delivery_leases: DeliveryLeases
  departure_journals: DepartureJournals
  discounts: Discounts
  email_component_drafts: EmailComponentDrafts
  email_components: EmailComponents
  email_content_variants: EmailContentVariants
  email_contents: EmailContents
  email_drafts: EmailDrafts
  email_variant_drafts: EmailVariantDrafts
  email_versions: EmailVersions
  emails: Emails
  erased_marks: ErasedMarks
  events: Events
  execution_effects: ExecutionEffects
  execution_steps: ExecutionSteps
  executions: Executions
  favorite_changes: FavoriteChanges
  favorite_counts: FavoriteCounts
  favorite_settings: FavoriteSettings
  favorites: Favorites
  guests: Guests
  import_errors: ImportErrors
  import_points: ImportPoints
  imports: Imports
  installation: Installation
  interval_runs: IntervalRuns
  ledger_state: LedgerState
  line_accounts: LineAccounts
  line_channel_directory: LineChannelDirectory
  line_contents: LineContents
  line_events: LineEvents
  line_friends: LineFriends
  line_link_changes: LineLinkChanges
  line_logins: LineLogins
  line_messages: LineMessages
  line_relay_calls: LineRelayCalls
  line_relays: LineRelays
  link_host_directory: LinkHostDirectory
  mailer_pauses: MailerPauses
  marketing_pauses: MarketingPauses
  media: Media
  media_copies: MediaCopies
  media_sweeps: MediaSweeps
  members: Members
  merchants: Merchants
  message_stats: MessageStats
  messages: Messages
  metafield_fills: MetafieldFills
  metafield_settings: MetafieldSettings
  one_time_tokens: OneTimeTokens
  order_lines: OrderLines
  orders: Orders
  own_mailers: OwnMailers
  privacy_files: PrivacyFiles
  privacy_requests: PrivacyRequests
  product_intervals: ProductIntervals
  product_variants: ProductVariants
  product_views: ProductViews
  products: Products
  rate_limits: RateLimits
  receiver_countings: ReceiverCountings
  receiver_figures: ReceiverFigures
  receiver_paces: ReceiverPaces
  refresh_tokens: RefreshTokens
  remote_segment_members: RemoteSegmentMembers
  restock_changes: RestockChanges
  restock_counts: RestockCounts
  restock_looks: RestockLooks
  restock_notices: RestockNotices
  restock_recounts: RestockRecounts
  restock_requests: RestockRequests
  restock_settings: RestockSettings
  restock_waves: RestockWaves
  rich_menu_clicks: RichMenuClicks
  rich_menu_links: RichMenuLinks
  rich_menu_looks: RichMenuLooks
  rich_menu_pictures: RichMenuPictures
  rich_menu_targets: RichMenuTargets
  rich_menu_uploads: RichMenuUploads
  rich_menus: RichMenus
  saved_views: SavedViews
  scenario_clocks: ScenarioClocks
  scenario_entries: ScenarioEntries
  scenario_node_counts: ScenarioNodeCounts
  scenario_rehearsals: ScenarioRehearsals
  scenario_stats: ScenarioStats
  scenario_versions: ScenarioVersions
  scenarios: Scenarios
  score_runs: ScoreRuns
  segment_following: SegmentFollowing
  segment_members: SegmentMembers
  segments: Segments
  sender_domain_keys: SenderDomainKeys
  sender_domains: SenderDomains
  senders: Senders
  sessions: Sessions
  settling_goods: SettlingGoods
  sign_in_directory: SignInDirectory
  step_brakes: StepBrakes
  stock_looks: StockLooks
  stock_returns: StockReturns
  store_authorizations: StoreAuthorizations
  store_checks: StoreChecks
  store_connections: StoreConnections
  store_directory: StoreDirectory
  store_values: StoreValues
  store_watches: StoreWatches
  store_webhooks: StoreWebhooks
  storefront_settings: StorefrontSettings
  suppressions: Suppressions
  sync_runs: SyncRuns
  sync_steps: SyncSteps
  test_mail_days: TestMailDays
  tracking_hits: TrackingHits
  unreadable_birthdays: UnreadableBirthdays
  unrecorded_departures: UnrecordedDepartures
  warm_up_days: WarmUpDays
  widget_settings: WidgetSettings
}
