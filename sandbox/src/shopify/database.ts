import type { DatabaseSync } from 'node:sqlite'

/**
 * All tables of the store platform. Times are whole seconds since 1970 (the platform shows no fractions), amounts are
 * amounts in the smallest unit of the store's currency, lists and addresses are JSON text. Ids are per store, so every key starts with the store.
 */
const tables = `
CREATE TABLE IF NOT EXISTS store (
  id INTEGER PRIMARY KEY, shop TEXT NOT NULL UNIQUE, name TEXT NOT NULL, created_at INTEGER NOT NULL,
  app_url TEXT, installed_at INTEGER, throttle_next INTEGER NOT NULL DEFAULT 0, fail_next_bulk INTEGER NOT NULL DEFAULT 0,
  throttling INTEGER NOT NULL DEFAULT 1, bulk_duration_ms INTEGER NOT NULL DEFAULT 600, points REAL, points_at INTEGER,
  lose_webhooks INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS store_counter (store_id INTEGER, kind TEXT, next INTEGER NOT NULL, PRIMARY KEY (store_id, kind)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS store_code (
  code TEXT PRIMARY KEY, store_id INTEGER NOT NULL, scope TEXT NOT NULL, expires_ms INTEGER NOT NULL, used INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS store_token (
  access_token TEXT PRIMARY KEY, store_id INTEGER NOT NULL, scope TEXT NOT NULL, expires_ms INTEGER,
  refresh_token TEXT UNIQUE, refresh_expires_ms INTEGER, parent_refresh_token TEXT, refresh_revoked INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS store_token_store ON store_token (store_id);
CREATE TABLE IF NOT EXISTS store_customer (
  store_id INTEGER, id INTEGER, first_name TEXT, last_name TEXT, email TEXT, phone TEXT, locale TEXT NOT NULL, note TEXT,
  state TEXT NOT NULL, tags TEXT NOT NULL, email_state TEXT NOT NULL, email_opt_in_level TEXT, email_consent_at INTEGER,
  sms_state TEXT NOT NULL, address TEXT, orders_count INTEGER NOT NULL DEFAULT 0, total_spent INTEGER NOT NULL DEFAULT 0,
  last_order_id INTEGER, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (store_id, id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS store_customer_updated ON store_customer (store_id, updated_at, id);
CREATE INDEX IF NOT EXISTS store_customer_created ON store_customer (store_id, created_at, id);
CREATE INDEX IF NOT EXISTS store_customer_name ON store_customer (store_id, last_name, id);
CREATE INDEX IF NOT EXISTS store_customer_email ON store_customer (store_id, email COLLATE NOCASE);
CREATE TABLE IF NOT EXISTS store_segment (
  store_id INTEGER, id INTEGER, name TEXT NOT NULL, query TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  PRIMARY KEY (store_id, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS store_segment_query (
  store_id INTEGER, id INTEGER, members TEXT NOT NULL, total INTEGER NOT NULL, ready_ms INTEGER NOT NULL, PRIMARY KEY (store_id, id)
);
CREATE TABLE IF NOT EXISTS store_metafield (
  store_id INTEGER, id INTEGER, owner_type TEXT NOT NULL, owner_id INTEGER NOT NULL, namespace TEXT NOT NULL, key TEXT NOT NULL,
  type TEXT NOT NULL, value TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (store_id, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS store_metafield_owner ON store_metafield (store_id, owner_type, owner_id, namespace, key);
CREATE TABLE IF NOT EXISTS store_metafield_definition (
  store_id INTEGER, id INTEGER, namespace TEXT NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL, description TEXT, type TEXT NOT NULL,
  PRIMARY KEY (store_id, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS store_subscription_namespaces (
  store_id INTEGER, subscription_id INTEGER, namespaces TEXT NOT NULL, PRIMARY KEY (store_id, subscription_id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS store_product (
  store_id INTEGER, id INTEGER, title TEXT NOT NULL, handle TEXT NOT NULL, status TEXT NOT NULL, vendor TEXT NOT NULL,
  product_type TEXT NOT NULL, tags TEXT NOT NULL, description TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  options TEXT NOT NULL DEFAULT '[]', PRIMARY KEY (store_id, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS store_product_handle ON store_product (store_id, handle);
CREATE INDEX IF NOT EXISTS store_product_updated ON store_product (store_id, updated_at, id);
CREATE TABLE IF NOT EXISTS store_variant (
  store_id INTEGER, id INTEGER, product_id INTEGER NOT NULL, position INTEGER NOT NULL, title TEXT NOT NULL, sku TEXT, price INTEGER NOT NULL,
  inventory_item_id INTEGER NOT NULL, inventory_quantity INTEGER NOT NULL, inventory_policy TEXT NOT NULL,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, compare_at_price INTEGER, option_values TEXT NOT NULL DEFAULT '[]',
  online_quantity INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (store_id, id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS store_variant_product ON store_variant (store_id, product_id, position);
CREATE INDEX IF NOT EXISTS store_variant_item ON store_variant (store_id, inventory_item_id);
CREATE TABLE IF NOT EXISTS store_location (
  store_id INTEGER, id INTEGER, name TEXT NOT NULL, is_active INTEGER NOT NULL, sells_online INTEGER NOT NULL, created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, PRIMARY KEY (store_id, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS store_level (
  store_id INTEGER, inventory_item_id INTEGER, location_id INTEGER, available INTEGER NOT NULL, created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, PRIMARY KEY (store_id, inventory_item_id, location_id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS store_cart (
  store_id INTEGER, token TEXT, items TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (store_id, token)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS store_collection (
  store_id INTEGER, id INTEGER, title TEXT NOT NULL, handle TEXT NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (store_id, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS store_collection_product (
  store_id INTEGER, collection_id INTEGER, product_id INTEGER, PRIMARY KEY (store_id, collection_id, product_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS store_product_collection ON store_collection_product (store_id, product_id, collection_id);
CREATE TABLE IF NOT EXISTS store_order (
  store_id INTEGER, id INTEGER, number INTEGER NOT NULL, name TEXT NOT NULL, customer_id INTEGER, email TEXT, token TEXT NOT NULL,
  total INTEGER NOT NULL, current_total INTEGER NOT NULL, financial_status TEXT NOT NULL, fulfillment_status TEXT NOT NULL,
  cancel_reason TEXT, discount_codes TEXT NOT NULL, landing_site TEXT, referring_site TEXT, locale TEXT,
  processed_at INTEGER NOT NULL, cancelled_at INTEGER, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  tags TEXT NOT NULL DEFAULT '[]', checkout_token TEXT, cart_token TEXT, PRIMARY KEY (store_id, id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS store_order_updated ON store_order (store_id, updated_at, id);
CREATE INDEX IF NOT EXISTS store_order_created ON store_order (store_id, created_at, id);
CREATE INDEX IF NOT EXISTS store_order_processed ON store_order (store_id, processed_at, id);
CREATE INDEX IF NOT EXISTS store_order_customer ON store_order (store_id, customer_id, id);
CREATE INDEX IF NOT EXISTS store_order_token ON store_order (store_id, token);
CREATE INDEX IF NOT EXISTS store_order_email ON store_order (store_id, email COLLATE NOCASE);
CREATE TABLE IF NOT EXISTS store_order_item (
  store_id INTEGER, id INTEGER, order_id INTEGER NOT NULL, product_id INTEGER, variant_id INTEGER, title TEXT NOT NULL,
  variant_title TEXT, sku TEXT, quantity INTEGER NOT NULL, current_quantity INTEGER NOT NULL, price INTEGER NOT NULL, PRIMARY KEY (store_id, id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS store_order_item_order ON store_order_item (store_id, order_id, id);
CREATE TABLE IF NOT EXISTS store_refund (
  store_id INTEGER, id INTEGER, order_id INTEGER NOT NULL, amount INTEGER NOT NULL, note TEXT, created_at INTEGER NOT NULL, PRIMARY KEY (store_id, id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS store_refund_order ON store_refund (store_id, order_id);
CREATE TABLE IF NOT EXISTS store_checkout (
  store_id INTEGER, id INTEGER, token TEXT NOT NULL, cart_token TEXT NOT NULL, customer_id INTEGER, email TEXT, items TEXT NOT NULL,
  landing_site TEXT, referring_site TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, completed_at INTEGER, PRIMARY KEY (store_id, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS store_checkout_token ON store_checkout (store_id, token);
CREATE TABLE IF NOT EXISTS store_discount (
  store_id INTEGER, id INTEGER, title TEXT NOT NULL, share REAL NOT NULL, minimum TEXT NOT NULL, items TEXT NOT NULL, usage_limit INTEGER,
  starts_at INTEGER NOT NULL, ends_at INTEGER, created_at INTEGER NOT NULL, PRIMARY KEY (store_id, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS store_discount_code (
  store_id INTEGER, code TEXT COLLATE NOCASE, discount_id INTEGER NOT NULL, used INTEGER NOT NULL, PRIMARY KEY (store_id, code)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS store_discount_code_discount ON store_discount_code (store_id, discount_id);
CREATE TABLE IF NOT EXISTS store_discount_bulk (
  store_id INTEGER, id INTEGER, discount_id INTEGER NOT NULL, codes TEXT NOT NULL, ready_ms INTEGER NOT NULL, created_at INTEGER NOT NULL,
  PRIMARY KEY (store_id, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS store_order_discount (store_id INTEGER, order_id INTEGER, code TEXT, amount INTEGER NOT NULL, PRIMARY KEY (store_id, order_id, code)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS store_subscription (
  store_id INTEGER, id INTEGER, topic TEXT NOT NULL, uri TEXT NOT NULL, include_fields TEXT NOT NULL, filter TEXT, name TEXT,
  api_version TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (store_id, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS store_app_address (store_id INTEGER PRIMARY KEY, uri TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS store_delivery (
  id INTEGER PRIMARY KEY, store_id INTEGER NOT NULL, topic TEXT NOT NULL, uri TEXT NOT NULL, api_version TEXT NOT NULL,
  event_id TEXT NOT NULL, webhook_id TEXT NOT NULL, body TEXT NOT NULL, triggered_at TEXT NOT NULL, status TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0, next_ms INTEGER NOT NULL, last_status INTEGER, last_error TEXT, delivered_ms INTEGER
);
CREATE INDEX IF NOT EXISTS store_delivery_due ON store_delivery (next_ms) WHERE status = 'pending';
CREATE INDEX IF NOT EXISTS store_delivery_store ON store_delivery (store_id, id);
CREATE TABLE IF NOT EXISTS store_bulk (
  store_id INTEGER, id INTEGER, status TEXT NOT NULL, query TEXT NOT NULL, api_version TEXT NOT NULL, grouped INTEGER NOT NULL,
  scope TEXT NOT NULL, error_code TEXT, object_count INTEGER NOT NULL DEFAULT 0, root_object_count INTEGER NOT NULL DEFAULT 0,
  file_size INTEGER, partial INTEGER NOT NULL DEFAULT 0, secret TEXT NOT NULL, created_at INTEGER NOT NULL, completed_at INTEGER,
  PRIMARY KEY (store_id, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS store_bulk_part (store_id INTEGER, bulk_id INTEGER, part INTEGER, body BLOB NOT NULL, PRIMARY KEY (store_id, bulk_id, part));
`

/** Columns that were added later: an older file gets them. */
const laterColumns: [table: string, column: string, definition: string][] = [
  ['store', 'lose_webhooks', 'INTEGER NOT NULL DEFAULT 0'],
  ['store', 'state', "TEXT NOT NULL DEFAULT 'open'"],
  ['store', 'break_calls', 'TEXT'],
  ['store', 'break_calls_left', 'INTEGER NOT NULL DEFAULT 0'],
  ['store', 'break_files', 'TEXT'],
  ['store', 'break_files_left', 'INTEGER NOT NULL DEFAULT 0'],
  ['store', 'end_next_bulk', 'TEXT'],
  ['store', 'protected_data', "TEXT NOT NULL DEFAULT 'approved'"],
  ['store', 'look', "TEXT NOT NULL DEFAULT 'light'"],
  ['store', 'has_embed', 'INTEGER NOT NULL DEFAULT 1'],
  ['store', 'has_blocks', 'INTEGER NOT NULL DEFAULT 1'],
  ['store', 'has_script_tag', 'INTEGER NOT NULL DEFAULT 0'],
  ['store', 'has_checkout_block', 'INTEGER NOT NULL DEFAULT 1'],
  ['store', 'lose_code_jobs', 'INTEGER NOT NULL DEFAULT 0'],
  ['store', 'currency', "TEXT NOT NULL DEFAULT 'JPY'"],
  ['store', 'strict_csp', 'INTEGER NOT NULL DEFAULT 0'],
  ['store', 'network', "TEXT NOT NULL DEFAULT 'normal'"],
  ['store_product', 'options', "TEXT NOT NULL DEFAULT '[]'"],
  ['store_variant', 'compare_at_price', 'INTEGER'],
  ['store_variant', 'option_values', "TEXT NOT NULL DEFAULT '[]'"],
  ['store_variant', 'online_quantity', 'INTEGER NOT NULL DEFAULT 0'],
  ['store_order', 'tags', "TEXT NOT NULL DEFAULT '[]'"],
  ['store_order', 'checkout_token', 'TEXT'],
  ['store_order', 'cart_token', 'TEXT'],
]

export function createTables(database: DatabaseSync): void {
  database.exec(tables)
  for (const [table, column, definition] of laterColumns) {
    const known = database.prepare(`PRAGMA table_info(${table})`).all()
    if (!known.some(({ name }) => name === column))
      database.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${definition}`)
  }
}
