import type { DatabaseSync } from 'node:sqlite'

/** All tables of the played LINE platform. Times are milliseconds since 1970 of the sandbox's clock; messages and events are JSON. */
const tables = `
CREATE TABLE IF NOT EXISTS line_account (
  id INTEGER PRIMARY KEY, provider TEXT NOT NULL, channel_id TEXT NOT NULL UNIQUE, channel_secret TEXT NOT NULL, bot_user_id TEXT NOT NULL,
  basic_id TEXT NOT NULL, name TEXT NOT NULL, webhook_url TEXT, webhook_active INTEGER NOT NULL DEFAULT 1,
  redelivery INTEGER NOT NULL DEFAULT 1, chat_mode TEXT NOT NULL DEFAULT 'bot', quota INTEGER, used_elsewhere INTEGER NOT NULL DEFAULT 0,
  default_menu TEXT, break_as TEXT, break_left INTEGER NOT NULL DEFAULT 0, standby INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS line_login_channel (
  channel_id TEXT PRIMARY KEY, channel_secret TEXT NOT NULL, provider TEXT NOT NULL, account_id INTEGER, name TEXT NOT NULL,
  callbacks TEXT NOT NULL DEFAULT '[]'
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS line_user (
  id TEXT PRIMARY KEY, number INTEGER NOT NULL, name TEXT NOT NULL, language TEXT, status_message TEXT, email TEXT,
  store_customer_id INTEGER, kind TEXT NOT NULL DEFAULT 'person'
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS line_friendship (
  account_id INTEGER, user_id TEXT, state TEXT NOT NULL, since_ms INTEGER NOT NULL, menu_id TEXT, PRIMARY KEY (account_id, user_id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS line_send (
  id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL, request_id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, messages TEXT NOT NULL,
  unit TEXT, counted INTEGER NOT NULL, at_ms INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS line_send_account ON line_send (account_id, at_ms);
CREATE TABLE IF NOT EXISTS line_receipt (
  user_id TEXT, send_id INTEGER, account_id INTEGER NOT NULL, seen_ms INTEGER, PRIMARY KEY (user_id, send_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS line_receipt_send ON line_receipt (send_id);
CREATE TABLE IF NOT EXISTS line_click (
  send_id INTEGER, user_id TEXT, seq INTEGER, url TEXT, at_ms INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS line_click_send ON line_click (send_id);
CREATE TABLE IF NOT EXISTS line_retry_key (
  account_id INTEGER, key TEXT, request_id TEXT NOT NULL, sent TEXT, at_ms INTEGER NOT NULL, PRIMARY KEY (account_id, key)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS line_event (
  id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL, user_id TEXT NOT NULL, body TEXT NOT NULL, said TEXT, at_ms INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS line_event_user ON line_event (account_id, user_id, id);
CREATE TABLE IF NOT EXISTS line_webhook (
  id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL, url TEXT NOT NULL, event TEXT NOT NULL, status TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0,
  next_ms INTEGER NOT NULL, last_status INTEGER, last_error TEXT
);
CREATE INDEX IF NOT EXISTS line_webhook_due ON line_webhook (next_ms) WHERE status = 'pending';
CREATE TABLE IF NOT EXISTS line_reply_token (
  token TEXT PRIMARY KEY, account_id INTEGER NOT NULL, user_id TEXT NOT NULL, at_ms INTEGER NOT NULL, used INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS line_channel_token (
  token TEXT PRIMARY KEY, number INTEGER NOT NULL, account_id INTEGER NOT NULL, kind TEXT NOT NULL, key_id TEXT, expires_ms INTEGER,
  revoked INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS line_assertion_key (account_id INTEGER, kid TEXT, jwk TEXT NOT NULL, PRIMARY KEY (account_id, kid)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS line_login_code (
  code TEXT PRIMARY KEY, channel_id TEXT NOT NULL, user_id TEXT NOT NULL, redirect_uri TEXT NOT NULL, scope TEXT NOT NULL, nonce TEXT,
  challenge TEXT, expires_ms INTEGER NOT NULL, used INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS line_login_token (
  access_token TEXT PRIMARY KEY, refresh_token TEXT NOT NULL UNIQUE, channel_id TEXT NOT NULL, user_id TEXT NOT NULL, scope TEXT NOT NULL,
  expires_ms INTEGER NOT NULL, refresh_expires_ms INTEGER NOT NULL, revoked INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS line_consent (channel_id TEXT, user_id TEXT, scope TEXT NOT NULL, PRIMARY KEY (channel_id, user_id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS line_link_token (
  token TEXT PRIMARY KEY, account_id INTEGER NOT NULL, user_id TEXT NOT NULL, expires_ms INTEGER NOT NULL, used INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS line_menu (
  account_id INTEGER, id TEXT, body TEXT NOT NULL, picture BLOB, picture_type TEXT, at_ms INTEGER NOT NULL, PRIMARY KEY (account_id, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS line_menu_alias (account_id INTEGER, id TEXT, menu_id TEXT NOT NULL, PRIMARY KEY (account_id, id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS line_menu_batch (account_id INTEGER, request_id TEXT, resume_key TEXT, at_ms INTEGER NOT NULL, PRIMARY KEY (account_id, request_id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS line_menu_click (account_id INTEGER, menu_id TEXT, area INTEGER, user_id TEXT, at_ms INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS line_content (
  message_id TEXT PRIMARY KEY, account_id INTEGER NOT NULL, type TEXT NOT NULL, body BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS line_sentinel_try (account_id INTEGER, user_id TEXT, tries INTEGER NOT NULL, PRIMARY KEY (account_id, user_id)) WITHOUT ROWID;
`

export function createTables(database: DatabaseSync): void {
  database.exec(tables)
}
