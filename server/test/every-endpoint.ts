import { Readable } from 'node:stream'
import { allEndpoints } from '@okaeri/contract/all-endpoints'
import { addressOf } from '@okaeri/contract/client'
import type { Endpoint } from '@okaeri/contract/endpoint'
import type { MemberRole } from '@okaeri/contract/merchants/merchant'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { defaultConsentWording } from '@okaeri/contract/storefront-settings/settings'
import type { Tokens } from '@okaeri/contract/sessions/routes'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import { pictureKey } from '../src/features/media/files.ts'
import { mediaIdOf, newMediaId } from '../src/features/media/media-id.ts'
import { insertMedia, markReady } from '../src/features/media/queries.ts'
import { trackedLink } from '../src/features/rich-menus/tracked-link.ts'
import type { Database } from '../src/kernel/database/database.ts'
import { findShop, forgetShop } from '../src/features/visitors/shop.ts'
import { sealAccessToken, sealExtensionToken, sealPageToken } from '../src/features/visitors/token.ts'
import { newId } from '../src/kernel/ids.ts'
import type { MerchantScope } from '../src/kernel/merchant-scope.ts'
import { addMail, confirmAddresses, GOOD_HTML } from './fixtures.ts'
import type { TestMerchant, TestOkaeri } from './harness.ts'
import { lightFetch } from './light-fetch.ts'
import { pngPicture } from './picture-files.ts'
import { menuDraft, menuTab } from './rich-menu.ts'
import { sentMail } from './sent-mail.ts'

const lineContent = { messages: [{ type: 'text', text: '夏の新茶 https://shop.test/' }], quick_replies: [] }

/** What the store calls the product, and the order. */
const numberOf = (ids: World['ids']): number => Number.parseInt(ids.order.slice(-9), 16)
const productOf = (ids: World['ids']): string => String(numberOf(ids))

const menuPicture = pngPicture(800, 540)

/** A merchant with one of everything, and the ids by which the API names them. */
export interface World {
  okaeri: TestOkaeri
  merchant: TestMerchant
  /** Of the store that is connected. */
  shopDomain: string
  ids: {
    customer: string
    /** With a call. */
    relay: string
    relayCall: string
    freeRelay: string
    sender: string
    senderDomain: string
    freeSenderDomain: string
    /** A draft with its picture; one that is shown; one that was. */
    richMenu: string
    richMenuPicture: string
    activeRichMenu: string
    inactiveRichMenu: string
    /** A picture that is ready, as the API names it. */
    media: string
    product: string
    order: string
    segment: string
    /** Chosen by no campaign. */
    freeSegment: string
    email: string
    freeEmail: string
    emailVersion: string
    component: string
    freeComponent: string
    lineMessage: string
    freeLineMessage: string
    /** As the platform calls them. */
    lineFriend: string
    draft: string
    reserved: string
    /** Just now: it can be undone still. */
    confirmed: string
    late: string
    heldBack: string
    tested: string
    sent: string
    failed: string
    uncertain: string
    restock: string
    /** The store’s number of the product. */
    productNumber: string
    delivery: string
    message: string
    suppression: string
    view: string
    metafield: string
    /** Used by nothing. */
    freeMetafield: string
    /** A draft, complete; and one that runs, with an event that may start it. */
    scenario: string
    activeScenario: string
    /** Made from a template. */
    templateScenario: string
    event: string
    execution: string
    failedExecution: string
    waitingImport: string
    runningImport: string
    doneImport: string
  }
  /** Of the mail that was sent. */
  linkToken: string
  /** Of a link of the active rich menu. */
  menuLinkToken: string
}

/** One of everything, written as the product would have written it. */
export async function makeWorld(okaeri: TestOkaeri, merchant: TestMerchant): Promise<World> {
  const { db } = okaeri.context
  const now = okaeri.clock.now()
  const m = merchant.id
  const mail = await sentMail(okaeri, merchant)
  await confirmAddresses(merchant.scope(), 'a@shop.test')
  const picture = newMediaId()
  const ids = {
    customer: mail.customerId,
    relay: newId(),
    relayCall: newId(),
    freeRelay: newId(),
    sender: newId(),
    senderDomain: newId(),
    freeSenderDomain: newId(),
    richMenu: newId(),
    richMenuPicture: newId(),
    activeRichMenu: newId(),
    inactiveRichMenu: newId(),
    media: mediaIdOf({ merchantId: m, id: picture }),
    product: newId(),
    order: newId(),
    segment: newId(),
    freeSegment: newId(),
    email: newId(),
    freeEmail: newId(),
    emailVersion: newId(),
    component: newId(),
    freeComponent: newId(),
    lineMessage: newId(),
    freeLineMessage: newId(),
    lineFriend: `U${newId().replaceAll('-', '')}`,
    draft: newId(),
    reserved: newId(),
    confirmed: newId(),
    late: newId(),
    heldBack: newId(),
    tested: newId(),
    sent: mail.campaignId ?? '',
    failed: newId(),
    uncertain: newId(),
    restock: newId(),
    productNumber: '',
    delivery: mail.deliveryId,
    message: mail.messageId,
    waitingImport: newId(),
    runningImport: newId(),
    doneImport: newId(),
    suppression: newId(),
    view: newId(),
    metafield: newId(),
    freeMetafield: newId(),
    scenario: newId(),
    activeScenario: newId(),
    templateScenario: newId(),
    event: newId(),
    execution: newId(),
    failedExecution: newId(),
  }
  const condition = {
    type: 'condition',
    id: 'r1',
    category: 'consent',
    name: 'accepts_marketing',
    operator: 'is',
    value: true,
  }
  const shopDomain = `world-${m}.myshopify.com`
  const statements: RawBuilder<unknown>[] = []
  const put = (statement: RawBuilder<unknown>): void => void statements.push(statement)
  put(sql`insert into store_directory (shop_domain, merchant_id) values (${shopDomain}, ${m})`)
  put(sql`insert into store_connections (merchant_id, id, shop_domain, name, storefront_url, status, scopes, connected_at)
    values (${m}, ${newId()}, ${shopDomain}, '店', ${SHOP_ORIGIN}, 'disconnected', '', ${now})`)
  const mails: Parameters<typeof addMail>[1][] = []
  const conditions = JSON.stringify({ type: 'group', id: 'g', operator: 'and', children: [condition] })
  for (const id of [ids.segment, ids.freeSegment])
    put(sql`insert into segments (merchant_id, id, name, conditions, status, customer_count, customers_total, counted_at,
        members_at, members_day, members_zone, created_at, updated_at)
      values (${m}, ${id}, '許可した人', ${conditions}::jsonb, 'ready', 1, 1, ${now}, ${now},
        (${now}::timestamptz at time zone 'Asia/Tokyo')::date, 'Asia/Tokyo', ${now}, ${now})`)
  put(sql`insert into email_versions (merchant_id, id, email_id, saved_at, subject, preheader, content)
    values (${m}, ${ids.emailVersion}, ${ids.email}, ${now}, '秋', '', '<p>秋</p>')`)
  for (const id of [ids.email, ids.freeEmail])
    put(sql`insert into emails (merchant_id, id, name, subject, content, size_bytes, created_at, updated_at)
      values (${m}, ${id}, '夏のお知らせ', '夏の新茶', ${GOOD_HTML}, ${GOOD_HTML.length}, ${now}, ${now})`)
  for (const id of [ids.component, ids.freeComponent])
    put(sql`insert into email_components (merchant_id, id, key, name, content, created_at, updated_at)
      values (${m}, ${id}, ${id}, 'フッター', '<p>店</p>', ${now}, ${now})`)
  for (const id of [ids.lineMessage, ids.freeLineMessage])
    put(sql`insert into line_messages (merchant_id, id, name, messages, quick_replies, created_at, updated_at)
      values (${m}, ${id}, '夏のお知らせ', ${JSON.stringify(lineContent.messages)}::jsonb, '[]'::jsonb, ${now}, ${now})`)
  const campaigns = [
    { id: ids.draft, status: 'draft', delivery: null, at: null, wait: null },
    { id: ids.reserved, status: 'reserved', delivery: 'pending', at: new Date(now.getTime() + 86_400_000), wait: null },
    {
      id: ids.confirmed,
      status: 'reserved',
      delivery: 'pending',
      at: new Date(now.getTime() + 86_400_000),
      wait: null,
    },
    {
      id: ids.late,
      status: 'waiting',
      delivery: 'pending',
      at: new Date(now.getTime() - 86_400_000),
      wait: 'found_late',
    },
    {
      id: ids.heldBack,
      status: 'waiting',
      delivery: 'pending',
      at: new Date(now.getTime() - 86_400_000),
      wait: 'canary_stopped',
    },
    {
      id: ids.tested,
      status: 'waiting',
      delivery: 'pending',
      at: new Date(now.getTime() - 86_400_000),
      wait: 'ab_undecided',
    },
    { id: ids.failed, status: 'send_failure', delivery: 'failed', at: now, wait: null },
    { id: ids.uncertain, status: 'sent', delivery: 'uncertain', at: now, wait: null },
  ]
  for (const { id, status, delivery, at, wait } of campaigns) {
    const messageId = delivery === null ? null : newId()
    put(sql`insert into campaigns (merchant_id, id, name, status, send_type, scheduled_at, customer_segment_id, email_id, message_id, wait_reason, reserved_at, created_at, updated_at)
      values (${m}, ${id}, ${`夏の${status}`}, ${status}, ${at ? 'scheduled' : 'immediate'}, ${at}, ${ids.segment}, ${ids.email}, ${messageId}, ${wait}, ${delivery === null ? null : now}, ${now}, ${now})`)
    if (messageId === null) continue
    const state = delivery === 'pending' ? 'held' : 'done'
    put(sql`insert into messages (merchant_id, id, campaign_id, email_id, tracking_enabled, state, created_at)
      values (${m}, ${messageId}, ${id}, ${ids.email}, true, ${state}, ${now})`)
    mails.push({ messageId, subject: '夏の新茶', html: '<p>新茶</p>' })
    put(sql`insert into deliveries (merchant_id, id, kind, campaign_id, customer_id, message_id, status, reason, created_at)
      values (${m}, ${newId()}, 'campaign', ${id}, ${ids.customer}, ${messageId}, ${delivery}, ${delivery === 'failed' ? 'permanent' : null}, ${now})`)
  }
  const test = {
    differs: 'subject',
    subject: '夏の新茶です',
    email_id: null,
    share: 20,
    decides_by: 'person',
    hours: 1,
  }
  put(sql`update campaigns set ab_test = ${JSON.stringify(test)}::jsonb, started_at = ${now}
    where merchant_id = ${m} and id = ${ids.tested}`)
  put(sql`update messages set ab_group = 'rest' where merchant_id = ${m} and campaign_id = ${ids.tested}`)
  put(sql`update campaigns set undo_until = ${new Date(now.getTime() + 3_600_000)}
    where merchant_id = ${m} and id = ${ids.confirmed}`)
  const terms = {
    prefix: 'OBK',
    ratio_percent: 10,
    valid_days: 30,
    minimum: { kind: 'none' },
    applies_to: { kind: 'all' },
  }
  const [discountId, endsAt] = [newId(), new Date(now.getTime() + 30 * 86_400_000)]
  put(sql`insert into discounts (merchant_id, id, terms_key, terms, last_day, ends_at, campaign_id, title, created_at)
    values (${m}, ${discountId}, ${`of ${ids.heldBack}`}, ${JSON.stringify(terms)}::jsonb, ${endsAt}::date, ${endsAt}, ${ids.heldBack}, '夏', ${now})`)
  put(sql`insert into coupons (merchant_id, id, discount_id, code, status, campaign_id, customer_id, issued_at, created_at)
    values (${m}, ${newId()}, ${discountId}, 'OBKAAAAAAAAAA', 'failed', ${ids.heldBack}, ${ids.customer}, ${now}, ${now})`)
  put(sql`update campaigns set coupon = ${JSON.stringify(terms)}::jsonb, coupon_discount_id = ${discountId}, coupon_ends_at = ${endsAt}
    where merchant_id = ${m} and id = ${ids.heldBack}`)
  const number = numberOf(ids)
  ids.productNumber = String(number)
  put(sql`insert into products (merchant_id, id, store_product_id, title, search_text)
    values (${m}, ${ids.product}, ${number}, '煎茶', '煎茶')`)
  put(sql`insert into orders (merchant_id, id, store_order_id, customer_id, name, processed_at, total_amount, current_amount, currency)
    values (${m}, ${ids.order}, ${number}, ${ids.customer}, '#1001', ${now}, 1000, 1000, 'JPY')`)
  put(sql`insert into line_friends (merchant_id, line_user_id, is_friend, is_tester, display_name, changed_at, created_at)
    values (${m}, ${ids.lineFriend}, true, true, '佐藤', ${now}, ${now})`)
  put(sql`insert into line_relays (merchant_id, id, url, created_at) values
    (${m}, ${ids.relay}, 'https://other.test/', ${now}), (${m}, ${ids.freeRelay}, 'https://free.test/', ${now})`)
  put(sql`insert into senders (merchant_id, id, name, email, email_key, created_at)
    values (${m}, ${ids.sender}, '花屋', 'flowers@shop.test', 'flowers@shop.test', ${now})`)
  for (const [domain, name] of [
    [ids.senderDomain, 'shop.test'],
    [ids.freeSenderDomain, 'free.test'],
  ]) {
    put(sql`insert into sender_domains (merchant_id, id, name, token, status, next_check_at, created_at)
      values (${m}, ${domain}, ${name}, 'x', 'lost', ${new Date(now.getTime() + 86_400_000)}, ${now})`)
    put(sql`insert into sender_domain_keys (merchant_id, domain_id, selector, state, public_key, private_key, created_at)
      values (${m}, ${domain}, 'okaeri1', 'active', 'x', 'x', ${now})`)
  }
  put(sql`insert into link_host_directory (host, merchant_id, served_since) values ('kept.shop.test', ${m}, ${now})`)
  put(sql`insert into line_relay_calls (merchant_id, id, relay_id, body, signature, state, received_at)
    values (${m}, ${ids.relayCall}, ${ids.relay}, 'x', 'x', 'failed', ${now})`)
  put(sql`insert into rich_menu_pictures (merchant_id, id, type, width, height, bytes, created_at)
    values (${m}, ${ids.richMenuPicture}, 'image/png', 800, 540, ${menuPicture}, ${now})`)
  const menus = [
    [ids.richMenu, 'draft'],
    [ids.activeRichMenu, 'active'],
    [ids.inactiveRichMenu, 'inactive'],
  ] as const
  for (const [id, state] of menus)
    put(sql`insert into rich_menus (merchant_id, id, title, state, starts_at, is_open, chat_bar_text, tab_height, tabs, created_at, updated_at)
      values (${m}, ${id}, '夏のメニュー', ${state}, ${now}, true, 'メニュー', 15, ${JSON.stringify([menuTab(ids.richMenuPicture)])}::jsonb, ${now}, ${now})`)
  put(sql`insert into rich_menu_targets (merchant_id, menu_id, tab, area, url)
    values (${m}, ${ids.activeRichMenu}, 0, 0, 'https://shop.test/')`)
  put(sql`insert into order_lines (merchant_id, order_id, position, customer_id, store_product_id, title, quantity, amount, processed_at)
    values (${m}, ${ids.order}, 0, ${ids.customer}, ${number}, '煎茶', 1, 1000, ${now})`)
  put(sql`insert into conversions (merchant_id, order_id, delivery_id, campaign_id, email_id, customer_id, credited_by, amount, currency, ordered_at)
    values (${m}, ${ids.order}, ${ids.delivery}, ${ids.sent}, ${mail.emailId}, ${ids.customer}, 'click', 1000, 'JPY', ${now})`)
  put(sql`insert into tracking_hits (merchant_id, id, delivery_id, kind, link_position, occurred_at, verdict, judged_at)
    values (${m}, ${newId()}, ${ids.delivery}, 'click', 0, ${now}, 'human', ${now})`)
  put(sql`insert into message_stats (merchant_id, bucket, program_id, email_id, sent)
    values (${m}, ${now}, ${ids.sent}, ${mail.emailId}, 1)`)
  put(sql`insert into consent_changes (merchant_id, id, customer_id, kind, from_state, to_state, source, occurred_at, recorded_at)
    values (${m}, ${newId()}, ${ids.customer}, 'marketing', 'unknown', 'granted', 'store', ${now}, ${now})`)
  put(sql`insert into suppressions (merchant_id, id, address_key, reason, created_at)
    values (${m}, ${ids.suppression}, 'gone@example.jp', 'hard_bounce', ${now})`)
  put(sql`insert into saved_views (merchant_id, id, page, name, search, created_at)
    values (${m}, ${ids.view}, 'customers', '常連', '{}', ${now})`)
  put(sql`insert into favorites (merchant_id, id, customer_id, store_product_id, created_at)
    values (${m}, ${newId()}, ${ids.customer}, ${number}, ${now})`)
  put(sql`insert into restock_requests (merchant_id, id, customer_id, store_product_id, created_at)
    values (${m}, ${ids.restock}, ${ids.customer}, ${number}, ${now})`)
  put(sql`insert into stock_returns (merchant_id, id, store_product_id, store_variant_id, began_at)
    values (${m}, ${ids.restock}, ${number}, 0, ${now})`)
  put(sql`insert into restock_waves (merchant_id, return_id, number, at, stock, places)
    values (${m}, ${ids.restock}, 1, ${now}, 1, 5)`)
  put(sql`insert into restock_notices (merchant_id, return_id, request_id, wave, customer_id, outcome, at)
    values (${m}, ${ids.restock}, ${ids.restock}, 1, ${ids.customer}, 'sent', ${now})`)
  for (const [id, key] of [
    [ids.metafield, 'points'],
    [ids.freeMetafield, 'rank'],
  ])
    put(sql`insert into metafield_settings (merchant_id, id, name, namespace, key, namespace_type, value_type, status, created_at, updated_at)
      values (${m}, ${id}, '点数', 'shop', ${key}, 'custom', 'number_integer', 'ready', ${now}, ${now})`)
  put(sql`insert into customer_metafields (merchant_id, metafield_setting_id, customer_id, value, value_number, value_texts, updated_at)
    values (${m}, ${ids.metafield}, ${ids.customer}, '10', 10, '{10}', ${now})`)
  // The flow editor needs a higher plan.
  put(sql`update merchants set plan = 'pro' where id = ${m}`)
  const flow = followUp(ids.email)
  for (const [id, status, template] of [
    [ids.scenario, 'draft', null],
    [ids.activeScenario, 'active', null],
    [ids.templateScenario, 'draft', 'BirthdayAction'],
  ]) {
    const form = template && JSON.stringify({ hour: 9, email: ids.email })
    put(sql`insert into scenarios (merchant_id, id, name, status, mode, template, form, version, trigger_kind, created_at, updated_at)
      values (${m}, ${id}, 'お礼', ${status}, ${template ? 'form' : 'flow'}, ${template}, ${form}::jsonb, 1, 'order_paid', ${now}, ${now})`)
    put(sql`insert into scenario_versions (merchant_id, scenario_id, number, flow, created_at)
      values (${m}, ${id}, 1, ${JSON.stringify(flow)}::jsonb, ${now})`)
  }
  put(sql`insert into events (merchant_id, id, kind, key, customer_id, subject, occurred_at, created_at, looked_at)
    values (${m}, ${ids.event}, 'order_paid', ${ids.event}, ${ids.customer}, '{"order_name":"#1001"}', ${now}, ${now}, ${now})`)
  put(sql`insert into scenario_entries (merchant_id, event_id, scenario_id, customer_id, execution_id, at)
    values (${m}, ${ids.event}, ${ids.activeScenario}, ${ids.customer}, ${ids.execution}, ${now})`)
  put(sql`insert into executions (merchant_id, id, scenario_id, version, event_id, customer_id, status, node_id, asleep, wake_at, steps, created_at)
    values (${m}, ${ids.execution}, ${ids.activeScenario}, 1, ${ids.event}, ${ids.customer}, 'running', 'wait', true,
      ${new Date(now.getTime() + 3 * 86_400_000)}, 1, ${now})`)
  put(sql`insert into executions (merchant_id, id, scenario_id, version, customer_id, status, node_id, steps, last_error, last_error_detail, last_error_at, created_at)
    values (${m}, ${ids.failedExecution}, ${ids.activeScenario}, 1, ${ids.customer}, 'failed', 'mail', 1, 'email_gone', 'gone', ${now}, ${now})`)
  put(sql`insert into execution_steps (merchant_id, execution_id, seq, round, node_id, node_kind, outcome, at)
    values (${m}, ${ids.execution}, 1, 1, 'wait', 'wait', 'asleep', ${now})`)
  const [letter, discount] = [newId(), newId()]
  put(sql`insert into messages (merchant_id, id, scenario_id, node_id, version, fingerprint, email_id, tracking_enabled, state, created_at)
    values (${m}, ${letter}, ${ids.activeScenario}, 'mail', 1, 'x', ${ids.email}, true, 'done', ${now})`)
  mails.push({ messageId: letter, subject: 's', html: '' })
  put(sql`insert into deliveries (merchant_id, id, kind, scenario_id, execution_id, node_id, round, customer_id, message_id, status, created_at)
    values (${m}, ${newId()}, 'scenario', ${ids.activeScenario}, ${ids.execution}, 'mail', 1, ${ids.customer}, ${letter}, 'uncertain', ${now})`)
  put(sql`insert into discounts (merchant_id, id, terms_key, terms, last_day, ends_at, created_at)
    values (${m}, ${discount}, 'x', ${JSON.stringify({ prefix: 'OBK', ratio_percent: 10, valid_days: 7, minimum: { kind: 'none' }, applies_to: { kind: 'all' } })},
      ${now}, ${new Date(now.getTime() + 86_400_000)}, ${now})`)
  put(sql`insert into coupons (merchant_id, id, discount_id, code, status, scenario_id, execution_id, node_id, round, customer_id, issued_at, created_at)
    values (${m}, ${newId()}, ${discount}, 'OBKABC', 'made', ${ids.activeScenario}, ${ids.execution}, 'c', 1, ${ids.customer}, ${now}, ${now})`)
  const columns = JSON.stringify([{ header: 'Email', field: 'email', metafield: null }])
  for (const [id, status] of [
    [ids.waitingImport, 'mapping'],
    [ids.runningImport, 'running'],
    [ids.doneImport, 'done'],
  ])
    put(sql`insert into imports (merchant_id, id, app, status, file_name, size_bytes, encoding, delimiter, line_ending, has_header, columns, options, created_at, updated_at)
      values (${m}, ${id}, 'customers', ${status}, '顧客.csv', 100, 'utf-8', ',', 'lf', true, ${columns}::jsonb, '{"create_unknown":true,"known_values":"keep"}', ${now}, ${now})`)
  put(sql`insert into import_errors (merchant_id, import_id, line, reason, header, cells, email_key)
    values (${m}, ${ids.doneImport}, 3, 'not_an_email', 'Email', '["nobody"]', null)`)
  put(sql`insert into import_points (merchant_id, import_id, customer_id, points)
    values (${m}, ${ids.runningImport}, ${ids.customer}, 5)`)
  await askTogether(db, statements)
  for (const mail of mails) await addMail(merchant.scope(), mail)
  await addPicture(merchant.scope(), picture)
  const menuLink = trackedLink(okaeri.context, { merchantId: m, menuId: ids.activeRichMenu, tab: 0, area: 0 })
  return { okaeri, merchant, shopDomain, ids, linkToken: mail.token, menuLinkToken: menuLink.split('/').at(-1) ?? '' }
}

async function addPicture(scope: MerchantScope, id: string): Promise<void> {
  const bytes = pngPicture(30, 20)
  await insertMedia(scope, { id, name: '新茶.png', folder: '夏', lookAt: scope.now })
  const file = { type: 'image/png' as const, sizeBytes: bytes.length }
  await scope.context.integrations.storage.put(pictureKey(scope, id, 'full'), {
    ...file,
    content: Readable.from([bytes]),
  })
  await markReady(scope, id, [{ ...file, copy: 'full', width: 30, height: 20 }])
}

/** In one question: asked one after another they take longer, and worlds are made by the hundred. */
async function askTogether(db: Database, statements: readonly RawBuilder<unknown>[]): Promise<void> {
  const texts = statements.map((statement) => {
    const { sql: text, parameters } = statement.compile(db)
    return text.replace(/\$(\d+)/g, (_, number) => literal(parameters[Number(number) - 1]))
  })
  await sql.raw(texts.join(';\n')).execute(db)
}
function literal(value: unknown): string {
  if (value === null) return 'null'
  if (value instanceof Date) return `'${value.toISOString()}'`
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`
  if (typeof value === 'string') return pg.escapeLiteral(value)
  if (typeof value === 'number' || typeof value === 'boolean') return `'${value}'`
  throw new Error(`no value of a statement: ${JSON.stringify(value)}`)
}

/** Three days after a paid order, a mail. */
export const followUp = (emailId: string): Flow => ({
  trigger: { kind: 'order_paid' },
  condition: null,
  reentry: { mode: 'when_none_runs' },
  ends_on: ['order_cancelled'],
  start: 'wait',
  nodes: [
    {
      id: 'wait',
      kind: 'wait',
      name: '',
      position: { x: 0, y: 0 },
      settings: { wait: { mode: 'for', amount: 3, unit: 'days' } },
      next: { next: 'mail' },
    },
    {
      id: 'mail',
      kind: 'send_email',
      name: 'お礼',
      position: { x: 0, y: 140 },
      settings: { email_id: emailId, tracking_parameters: null },
      next: { next: null },
    },
  ],
})

type Given<T> = (world: World) => T | Promise<T>
/** How an endpoint is called so that it has something to do. */
export interface Feed {
  params?: Given<Record<string, string>>
  query?: Given<Record<string, unknown>>
  body?: Given<unknown>
  /** What a good call is answered where that is not the endpoint's own status: what it takes is another test's business. */
  status?: number
}

const PASSWORD = 'a-long-enough-password'
async function signedUp({ okaeri }: World): Promise<{ email: string } & Tokens> {
  const email = `${newId()}@people.test`
  const response = await fetch(`${okaeri.url}/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD, site_name: '店', agreement: true }),
  })
  return { email, ...((await response.json()) as Tokens) }
}
async function solvedCaptcha({ okaeri }: World): Promise<string> {
  const challenge = (await (await fetch(`${okaeri.url}/captcha`)).json()) as Challenge
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}
const id =
  (name: keyof World['ids']): Given<Record<string, string>> =>
  ({ ids }) => ({ id: ids[name] })
const versionOfEmail: Given<Record<string, string>> = ({ ids }) => ({ id: ids.email, version_id: ids.emailVersion })
const ofProduct: Given<unknown> = ({ ids }) => ({
  type: 'group',
  id: 'g',
  operator: 'or',
  children: [
    {
      type: 'condition',
      id: 'r',
      category: 'orders',
      name: 'product_bought',
      operator: 'bought',
      value: { ids: [ids.product], within_days: null },
    },
  ],
})
const emailAndPassword: Given<unknown> = async (world) => ({
  email: (await signedUp(world)).email,
  password: PASSWORD,
})
const byToken: Given<unknown> = ({ linkToken }) => ({ token: linkToken })
const tokenQuery: Given<Record<string, unknown>> = ({ linkToken }) => ({ token: linkToken })
const fromStorefront: Given<unknown> = () => ({ shop: 'nobody.myshopify.com', email: 'someone@example.jp' })
const nothing: Feed = {}

/** By method and path. An endpoint that is not here fails the tests over all endpoints. */
export const feeds: Record<string, Feed> = {
  'GET /captcha': nothing,
  'GET /assets/js/{product}.js': { params: () => ({ product: 'okaeri' }) },
  'GET /assets/js/parts/{version}/{name}': { params: () => ({ version: 'x', name: 'kit.js' }) },
  'GET /user/me/widget_settings': nothing,
  'PUT /user/me/widget_settings': {
    body: () => ({
      widgetSettings: {
        parts: { heart: { on: true, selector: '.card', where: 'end' } },
        colors: { accent: '#b3261e' },
      },
    }),
  },
  'GET /frontend/status': { query: ({ shopDomain }) => ({ shop: shopDomain }) },
  'GET /shopify/proxy/connect': { status: 401 },
  'GET /shopify/proxy/token': { status: 401 },
  'POST /frontend/restock': { body: ({ ids }) => ({ product_id: productOf(ids), email: 'someone@example.jp' }) },
  'POST /frontend/line/restock/': { body: ({ ids }) => ({ product_id: productOf(ids) }), status: 409 },
  'POST /frontend/convert_token/': { body: () => ({ guest_id: newId().replaceAll('-', '') }) },
  'POST /frontend/extension/token': { status: 401 },
  'GET /debug/token': { query: () => ({ token: 'x.y.z' }) },
  'GET /debug/webhook/existing_topics': nothing,
  'GET /errortest': { status: 500 },
  'GET /healthz': nothing,
  'GET /readyz': nothing,
  'GET /networktest': nothing,
  'GET /supported-locales': nothing,
  'PUT /user/change_password': { body: () => ({ current_password: 'wrong', password: PASSWORD }), status: 400 },
  'POST /user/me/confirmations': { body: () => ({ purpose: 'sender', email: 'a@shop.test' }) },
  'GET /confirmations': { query: () => ({ token: 'never-mailed' }), status: 400 },
  'POST /confirmations': { body: () => ({ token: 'never-mailed' }), status: 400 },
  'GET /api/auth/sign-up': nothing,
  'POST /oauth/token': {
    body: async (world) => ({ grant_type: 'refresh_token', refresh_token: (await signedUp(world)).refresh_token }),
  },
  'GET /oauth/.well-known/jwks.json': nothing,
  'POST /oauth/token-refresh': { body: async (world) => ({ refresh_token: (await signedUp(world)).refresh_token }) },
  'PATCH /api/users/language': { body: () => ({ language: 'ja' }) },
  'POST /user/reminder': { body: () => ({ email: 'nobody@example.jp' }) },
  'POST /api/auth/request-reset': { body: () => ({ email: 'nobody@example.jp' }) },
  'POST /oauth/revoke': { body: async (world) => ({ token: (await signedUp(world)).refresh_token }) },
  'POST /user/reminder/set': { body: () => ({ token: 'never-mailed', password: PASSWORD }), status: 400 },
  'POST /api/auth/login': { body: emailAndPassword },
  'POST /user/login': { body: emailAndPassword },
  'POST /users': {
    body: () => ({ email: `${newId()}@people.test`, password: PASSWORD, site_name: '店', agreement: true }),
  },
  'PUT /user/me': { body: () => ({ name: '佐藤' }) },
  'PUT /user/me/settings': {
    body: () => ({
      userSetting: {
        site_name: '店',
        test_emails: ['a@shop.test'],
        sending_hours: { enabled: true, start: '08:00', end: '21:00', exclude_post_purchase: true },
        attribution_days: 5,
        timezone: 'Asia/Tokyo',
        reply_to: null,
        staff_phone: '0312345678',
        test_mode: false,
        postal_address: '東京都',
        language: 'ja',
      },
    }),
  },
  'GET /user/me/settings': nothing,
  'POST /store/connect': { body: () => ({ shop: 'a-shop.myshopify.com' }) },
  'POST /store/disconnect': nothing,
  'GET /store/currency': { query: () => ({ currency: 'USD' }) },
  'POST /store/currency': { body: () => ({ currency: 'USD', seen: 'not-the-present-ones' }), status: 409 },
  'GET /shopify': { query: () => ({ shop: 'a-shop.myshopify.com' }), status: 401 },
  'POST /webhooks/shopify': { status: 401 },
  'GET /shopify/callback': { query: () => ({ shop: 'a-shop.myshopify.com' }), status: 401 },
  'GET /data/favorites': { query: ({ ids }) => ({ customer_id: ids.customer, status: 'active' }) },
  'GET /data/favorites/download': { query: () => ({ status: 'active', sort: 'customer_name', lang: 'ja' }) },
  'GET /user/me/favorite_settings': {},
  'PUT /user/me/favorite_settings': { body: () => ({ favorite_settings: { show_count: true, quiet_days: 14 } }) },
  'GET /frontend/favorite': {},
  'POST /frontend/favorite': { body: ({ ids }) => ({ product_id: Number(ids.productNumber), variant_id: null }) },
  'DELETE /frontend/favorite': { query: ({ ids }) => ({ product_id: ids.productNumber }) },
  'GET /shopify/proxy/favorites': { status: 401 },
  'GET /shopify/proxy/favorites/products': { query: () => ({ ids: '1,2' }), status: 401 },
  'GET /data/favorites-aggregated': { query: () => ({ q: '煎', limit: 5, sort: 'product_name' }) },
  'GET /data/favorites-aggregated/download': { query: () => ({ q: '煎', lang: 'en' }) },
  'GET /data/restocks': { query: ({ ids }) => ({ customer_id: ids.customer, status: 'active' }) },
  'GET /data/restocks-aggregated': { query: () => ({ q: '煎', limit: 5 }) },
  'GET /data/restocks/download': { query: () => ({ status: 'active', lang: 'ja' }) },
  'GET /data/restock_outlook': {},
  'POST /data/restock_outlook/continue': { body: () => ({ returns: 0 }) },
  'GET /data/restock_products/{productId}': { params: ({ ids }) => ({ productId: productOf(ids) }) },
  'POST /data/restock_products/{productId}/stop': { params: ({ ids }) => ({ productId: productOf(ids) }) },
  'POST /data/restock_products/{productId}/continue': {
    params: ({ ids }) => ({ productId: productOf(ids) }),
    body: () => ({ people: 0 }),
  },
  'GET /data/restock_returns/{returnId}/waves/{number}': {
    params: ({ ids }) => ({ returnId: ids.restock, number: '1' }),
  },
  'GET /user/me/restock_settings': {},
  'PUT /user/me/restock_settings': { body: () => ({ restock_settings: { people_per_unit: 4, asks_again: true } }) },
  'DELETE /data/restocks/{restockId}': { params: ({ ids }) => ({ restockId: ids.restock }) },
  'POST /webhooks/ses': { status: 404 },
  'POST /webhooks/sendgrid': { status: 404 },
  'POST /webhooks/ses/{merchantId}': { params: ({ merchant }) => ({ merchantId: merchant.id }), status: 404 },
  'POST /webhooks/sendgrid/{merchantId}': { params: ({ merchant }) => ({ merchantId: merchant.id }), status: 404 },
  'POST /webhooks/customers/redact': { status: 401 },
  'POST /webhooks/customers/data_request': { status: 401 },
  'POST /webhooks/shop/redact': { status: 401 },
  'GET /privacy/requests': nothing,
  'GET /privacy/requests/{id}/file': { params: id('customer'), status: 404 },
  'GET /customers/{id}/export': { params: id('customer'), query: () => ({ format: 'html', lang: 'en' }) },
  'POST /customers/{id}/erase': { params: id('customer'), body: () => ({ confirm: true }) },
  'GET /userdata': nothing,
  'GET /userdata/{id}': { params: () => ({ id: 'customers' }) },
  'POST /userdata/{id}/re_fetch': { params: () => ({ id: 'orders' }), body: () => ({}), status: 409 },
  'POST /userdata/{id}/check': { params: () => ({ id: 'orders' }), status: 409 },
  'GET /userdata/{id}/download': { params: () => ({ id: 'orders' }), query: () => ({ lang: 'ja' }) },
  'GET /data/shopify/collections': { query: () => ({ q: '秋', limit: 5 }) },
  'GET /data/shopify/variants': { query: () => ({ q: '煎', limit: 5 }) },
  'GET /data/shopify/values/{field}': { params: () => ({ field: 'vendor' }), query: () => ({ q: '工房' }) },
  'GET /data/shopify/products': { query: ({ ids }) => ({ q: '煎', ids: ids.product }) },
  'PUT /customers/{id}': {
    params: id('customer'),
    body: () => ({
      first_name: '花子',
      last_name: '山田',
      email: 'h@example.jp',
      phone: '090-1234-5678',
      language: 'ja',
      tags: ['常連'],
      birthday: '1004-02-29',
      address: { zip: '150-0001', country: 'JP', province: 'JP-13', city: '渋谷区' },
      loaded: { phone: null },
      accepts_marketing: true,
      accepts_transactions: true,
    }),
  },
  'GET /customers/count': { query: () => ({ q: '山', tag: '常連', created_from: '2026-01-01' }) },
  'GET /customers/tag_changes': nothing,
  'POST /customers/tag_changes': {
    body: ({ ids }) => ({ id: newId(), selection: { ids: [ids.customer] }, expected_count: 1, add: ['常連'] }),
  },
  'POST /customers/export': { body: ({ ids }) => ({ selection: { ids: [ids.customer] }, lang: 'en' }) },
  'POST /suppressions/customers': {
    body: ({ ids }) => ({ selection: { ids: [ids.customer] }, expected_count: 1, detail: 'ご本人の依頼' }),
  },
  'GET /customers/views': nothing,
  'POST /customers/views': {
    body: () => ({ name: '常連', search: { tag: '常連', sort: 'name', columns: ['tags'] }, shared: true }),
  },
  'PUT /customers/views/{id}': {
    params: id('view'),
    body: () => ({ name: '常連さん', search: { marketing: 'granted' } }),
  },
  'DELETE /customers/views/{id}': { params: id('view') },
  'GET /customers/{id}/orders': { params: id('customer'), query: () => ({ limit: 5 }) },
  'GET /customers/{id}/timeline': { params: id('customer'), query: () => ({ part: 'messages', limit: 5 }) },
  'GET /customers/{id}/bounces': { params: id('customer') },
  'GET /customers/{id}/consent_proof': { params: id('customer'), query: () => ({ lang: 'en', format: 'html' }) },
  'GET /consent/proof': { query: () => ({ lang: 'ja' }) },
  'GET /suppressions': { query: () => ({ q: 'gone', reason: 'hard_bounce', state: 'in_force', sort: 'address' }) },
  'POST /suppressions': { body: () => ({ email: `${newId()}@example.jp`, detail: 'ご本人の依頼' }) },
  'POST /suppressions/{id}/lift': { params: id('suppression'), body: () => ({ reason: '本人から再開の依頼' }) },
  'GET /customers/check': { query: () => ({ email: 'h@example.jp' }) },
  'POST /customers': {
    body: () => ({ email: `${newId()}@example.jp`, first_name: '花子', phone: null, language: 'ja', tags: ['常連'] }),
  },
  'DELETE /customers/{id}': { params: id('customer') },
  'GET /customers/{id}': { params: id('customer') },
  'GET /customer_metafield_settings': {
    query: () => ({ q: '点', namespace_type: 'custom', sort: 'value_count', direction: 'asc' }),
  },
  'POST /customer_metafield_settings': {
    body: () => ({ name: '会員番号', key: 'member.number', namespace_type: 'custom', value_type: 'number_integer' }),
  },
  'GET /customer_metafield_settings/{id}': { params: id('metafield') },
  'PUT /customer_metafield_settings/{id}': {
    params: id('metafield'),
    body: () => ({ name: 'ポイント', value_type: 'number_decimal' }),
  },
  'DELETE /customer_metafield_settings/{id}': { params: id('freeMetafield') },
  'POST /customer_metafield_settings/{id}/refetch': { params: id('metafield') },
  'GET /customer_metafield_definitions': { status: 409 },
  'GET /customers/{id}/metafields': { params: id('customer') },
  'PUT /customers/{id}/metafields': {
    params: id('customer'),
    body: ({ ids }) => ({ metafields: [{ setting_id: ids.metafield, value: '30' }] }),
  },
  'GET /user/me/customer_settings': nothing,
  'PUT /user/me/customer_settings': { body: () => ({ customerSetting: { birthday_metafield: 'facts.birth_date' } }) },
  'POST /data/import/csv': {
    body: () => ({ app: 'customers', file: `Email,First Name\n${newId()}@example.jp,花子\n` }),
  },
  'GET /data/imports': { query: () => ({ status: 'done', limit: 5 }) },
  'GET /data/imports/{id}': { params: id('doneImport') },
  'PUT /data/imports/{id}': {
    params: id('waitingImport'),
    body: () => ({
      columns: [{ field: 'email', metafield: null }],
      options: { create_unknown: false, known_values: 'replace' },
    }),
  },
  'POST /data/imports/{id}/start': { params: id('waitingImport') },
  'POST /data/imports/{id}/cancel': { params: id('runningImport') },
  'DELETE /data/imports/{id}': { params: id('doneImport') },
  'GET /data/imports/{id}/errors': { params: id('doneImport'), query: () => ({ lang: 'en' }) },
  'GET /store/sync': nothing,
  'GET /customers': {
    query: () => ({ q: '山', marketing: 'granted', sort: 'name', direction: 'asc', limit: 5, offset: 0 }),
  },
  'POST /store/sync': { status: 409 },
  'PUT /customer_segments/{id}': {
    params: id('segment'),
    body: async (world) => ({ name: '買った人', conditions: await ofProduct(world) }),
  },
  'POST /customer_segments': { body: async (world) => ({ name: '買った人', conditions: await ofProduct(world) }) },
  'DELETE /customer_segments/{id}': { params: id('freeSegment') },
  'GET /customer_segments/{id}': { params: id('segment') },
  'GET /customer_segments/{id}/target_counts': { params: id('segment'), query: () => ({ send_to_all: true }) },
  'GET /customer_segments/{id}/customers': { params: id('segment'), query: () => ({ q: '山' }) },
  'GET /customer_segments/{id}/download': { params: id('segment'), query: () => ({ lang: 'ja' }) },
  'GET /customer_segments/remote': nothing,
  // No store is connected.
  'POST /customer_segments/remote/refetch': { body: () => ({ force: true }), status: 409 },
  'GET /customer_segments': { query: () => ({ q: '人', sort: 'name', direction: 'asc' }) },
  'GET /customer_segments/condition_params': nothing,
  'GET /customer_segments/{id}/explain': { params: id('segment'), query: ({ ids }) => ({ customer_id: ids.customer }) },
  'POST /customer_segments/explain': {
    body: async (world) => ({ conditions: await ofProduct(world), customer_id: world.ids.customer }),
  },
  'POST /customer_segments/preview': { body: async (world) => ({ conditions: await ofProduct(world) }) },
  'POST /customer_segments/{id}/refetch': { params: id('segment'), body: () => ({ force: true }) },
  'GET /messages/line': { query: () => ({ q: '夏', sort: 'name', direction: 'asc' }) },
  'GET /messages/line/templates': { query: () => ({ language: 'en' }) },
  'GET /messages/line/histories': {
    query: ({ ids }) => ({
      line_message_id: ids.lineMessage,
      kind: 'campaign',
      status: 'sent',
      q: '佐',
      from: '2026-01-01',
    }),
  },
  'GET /messages/line/histories/download': {
    query: () => ({ status: 'sent', to: '2026-12-31', lang: 'en' }),
  },
  'POST /messages/line': { body: () => ({ name: '秋', ...lineContent }) },
  'GET /messages/line/{id}': { params: id('lineMessage') },
  'PUT /messages/line/{id}': { params: id('lineMessage'), body: () => ({ name: '秋', ...lineContent }) },
  'DELETE /messages/line/{id}': { params: id('freeLineMessage') },
  // No LINE channel is connected.
  'POST /messages/line/{id}/testsend': {
    params: id('lineMessage'),
    body: ({ ids }) => ({ line_user_ids: [ids.lineFriend], customer_id: ids.customer }),
    status: 409,
  },
  'POST /messages/line/{id}/duplicate': { params: id('lineMessage') },
  'POST /messages/line/preview': {
    body: ({ ids }) => ({ texts: ['{{ customer.greeting }}'], customer_id: ids.customer }),
  },
  'PUT /emails/{id}': {
    params: id('email'),
    body: () => ({
      name: '秋',
      subject: '秋の新茶',
      preheader: '',
      from_email: null,
      from_name: '店',
      content: GOOD_HTML,
    }),
  },
  'POST /emails': {
    body: () => ({
      name: '秋',
      subject: '秋の新茶',
      preheader: 'まもなく',
      from_email: null,
      from_name: '店',
      language: 'ja',
    }),
  },
  'DELETE /emails/{id}': { params: id('freeEmail') },
  'POST /emails/{id}/duplicate': { params: id('email') },
  'GET /emails/{id}': { params: id('email') },
  'GET /emails/{id}/versions': { params: id('email') },
  'GET /emails/{id}/versions/{version_id}': { params: versionOfEmail },
  'POST /emails/{id}/versions/{version_id}/restore': { params: versionOfEmail },
  'GET /emails/{id}/draft': { params: id('email') },
  'PUT /emails/{id}/draft': {
    params: id('email'),
    body: () => ({ fields: { subject: '書きかけ' }, began_at: '2026-11-26T00:00:00.000Z' }),
  },
  'DELETE /emails/{id}/draft': { params: id('email') },
  'GET /emails/{id}/links': { params: id('email') },
  'POST /emails/{id}/links/check': { params: id('email'), body: () => ({ again: true }) },
  'GET /email_components/{id}/draft': { params: id('component') },
  'PUT /email_components/{id}/draft': {
    params: id('component'),
    body: () => ({ fields: { content: '<p>秋</p>' }, began_at: '2026-11-26T00:00:00.000Z' }),
  },
  'DELETE /email_components/{id}/draft': { params: id('component'), query: () => ({ writer: 'a-tab-of-it' }) },
  'GET /email_components': { query: () => ({ q: 'フッター', sort: 'name', direction: 'asc' }) },
  'POST /email_components': { body: () => ({ name: '秋のフッター', content: '<p>秋</p>' }) },
  'GET /email_components/{id}': { params: id('component') },
  'PUT /email_components/{id}': { params: id('component'), body: () => ({ name: '秋', content: '<p>秋の店</p>' }) },
  'DELETE /email_components/{id}': { params: id('freeComponent') },
  'POST /email_components/{id}/duplicate': { params: id('component') },
  'POST /email_components/preview': {
    body: ({ ids }) => ({ content: '<p>秋</p>', customer_id: ids.customer }),
  },
  'GET /content_tags': nothing,
  'GET /emailhistories': { query: ({ ids }) => ({ customer_id: ids.customer, kind: 'campaign' }) },
  'GET /emails': { query: () => ({ q: '夏', sort: 'revenue', direction: 'asc' }) },
  'POST /emails/preview': {
    body: ({ ids }) => ({
      subject: '秋',
      preheader: '',
      content: GOOD_HTML,
      from_name: null,
      customer_id: ids.customer,
    }),
  },
  'POST /emails/plain_text': { body: () => ({ content: GOOD_HTML }) },
  'POST /emails/{id}/testsend': {
    params: id('email'),
    body: async (world) => ({
      emails: ['a@shop.test'],
      customer_id: world.ids.customer,
      captcha: await solvedCaptcha(world),
    }),
  },
  'GET /node_types': {},
  'GET /actiontemplates': {},
  'GET /actiontemplates/{slug}': { params: () => ({ slug: 'BirthdayAction' }) },
  'POST /actiontemplates/{slug}/flow': {
    params: () => ({ slug: 'BirthdayAction' }),
    body: () => ({ form: { hour: 9 } }),
  },
  'GET /actions': { query: () => ({ q: 'お', status: 'draft', sort: 'name', direction: 'asc' }) },
  'POST /actions': {
    body: ({ ids }) => ({ name: '誕生日', template: 'BirthdayAction', form: { hour: 10, email: ids.email } }),
  },
  'GET /actions/check/has_error': {},
  'POST /actions/check': { body: ({ ids }) => ({ flow: followUp(ids.email) }) },
  'GET /actions/{id}': { params: id('scenario') },
  'PUT /actions/{id}': {
    params: id('scenario'),
    body: () => ({ name: '購入のお礼', include_all_customers: false, priority: 'always', holdout_percent: 10 }),
  },
  'DELETE /actions/{id}': { params: id('scenario') },
  'PUT /actions/{id}/recreate': {
    params: id('templateScenario'),
    body: ({ ids }) => ({ form: { hour: 9, email: ids.email } }),
  },
  'GET /actions/{id}/nodes': { params: id('scenario') },
  'PUT /actions/{id}/nodes': {
    params: id('scenario'),
    body: ({ ids }) => ({ flow: followUp(ids.email), version_seen: 1 }),
  },
  'POST /actions/{id}/duplicate': { params: id('scenario') },
  'POST /actions/{id}/enable': { params: id('scenario') },
  'POST /actions/{id}/rehearse': { params: id('scenario'), body: ({ ids }) => ({ flow: followUp(ids.email) }) },
  'GET /actions/{id}/holdout': { params: id('activeScenario') },
  'POST /actions/{id}/moving': { params: id('scenario'), body: ({ ids }) => ({ flow: followUp(ids.email) }) },
  'GET /actions/{id}/coupon_failures': { params: id('scenario') },
  'POST /actions/{id}/renew_coupons': { params: id('scenario') },
  'GET /actions/{id}/outlook': { params: id('scenario') },
  'GET /actions/{id}/rehearsal': { params: id('scenario') },
  'POST /actions/{id}/stop': { params: id('activeScenario') },
  'POST /actions/{id}/test': { params: id('scenario'), body: ({ ids }) => ({ event_id: ids.event }) },
  'POST /actions/{id}/enter_segment': {
    params: id('activeScenario'),
    body: () => ({ people_seen: 1 }),
    status: 409,
  },
  'POST /actions/{id}/release_step': {
    params: id('activeScenario'),
    body: () => ({ node_id: 'mail' }),
    status: 409,
  },
  'POST /actions/{id}/release_brake': { params: id('activeScenario'), status: 409 },
  'POST /actions/{id}/drop_braked': { params: id('activeScenario'), status: 409 },
  'GET /actions/{id}/why': {
    params: id('activeScenario'),
    query: ({ ids }) => ({ customer_id: ids.customer }),
  },
  'GET /executions/': {
    query: ({ ids }) => ({
      action_id: ids.activeScenario,
      status: 'running',
      test: 'false',
      node_id: 'wait',
      q: '花子',
    }),
  },
  'GET /executions/{id}': { params: id('execution') },
  'PUT /executions/{id}': { params: id('execution'), body: () => ({ wake_at: '2030-01-01T00:00:00Z' }) },
  'DELETE /executions/{id}': { params: id('execution') },
  'POST /executions/{id}/restart': { params: id('failedExecution') },
  'POST /executions/{id}/pause': { params: id('execution') },
  'POST /executions/{id}/play': { params: id('failedExecution') },
  'POST /executions/{id}/resolve': { params: id('failedExecution') },
  'POST /actions/{id}/send_late': { params: id('activeScenario') },
  'POST /actions/{id}/skip_late': { params: id('activeScenario') },
  'POST /actions/{id}/play_failed': { params: id('activeScenario') },
  'POST /actions/{id}/resolve_failed': { params: id('activeScenario') },
  'GET /actions/{id}/failed_entries': { params: id('activeScenario') },
  'POST /actions/{id}/retry_failed_entries': { params: id('activeScenario') },
  'POST /actions/{id}/drop_failed_entries': { params: id('activeScenario') },
  'GET /actions/{id}/deliveries': {
    params: id('activeScenario'),
    query: () => ({ status: 'uncertain', node_id: 'mail' }),
  },
  'POST /actions/{id}/resend_uncertain': { params: id('activeScenario'), body: () => ({ uncertain_seen: 1 }) },
  'GET /webhook_secret': {},
  'GET /api/discounts/': { query: ({ ids }) => ({ action_id: ids.activeScenario, status: 'made', q: 'OBK' }) },
  'GET /events/': { query: ({ ids }) => ({ kind: 'order_paid', customer_id: ids.customer }) },
  'GET /events/{id}': { params: id('event') },
  'POST /shopify/flow': { status: 401 },
  'GET /line/account': {},
  'PUT /line/account': {
    body: () => ({
      line_account: { login_channel_id: '2000000001', login_channel_secret: 'a'.repeat(32), login_enabled: true },
    }),
  },
  'POST /line/account/check': { status: 409 },
  'POST /line/account/webhook': { status: 409 },
  'DELETE /line/account': {},
  'GET /line/richmenu/list': { query: () => ({ limit: 5, status: 'draft' }) },
  'GET /line/richmenu/segment/list': { query: ({ ids }) => ({ limit: 5, segment_id: ids.segment }) },
  'POST /line/richmenu/draft': { body: ({ ids }) => ({ richmenu: menuDraft([menuTab(ids.richMenuPicture)]) }) },
  'GET /line/richmenu/draft/{id}': { params: id('richMenu') },
  'PUT /line/richmenu/draft/{id}': {
    params: id('richMenu'),
    body: ({ ids }) => ({ richmenu: menuDraft([menuTab(ids.richMenuPicture)]) }),
  },
  'PUT /line/richmenu/period/{id}': {
    params: id('richMenu'),
    body: () => ({ period: { starts_at: null, ends_at: null } }),
  },
  'GET /line/richmenu/overlaps': { query: ({ ids }) => ({ segment_id: ids.segment }) },
  'GET /line/richmenu/calendar': {
    query: () => ({ from: '2026-07-01T00:00:00Z', to: '2026-08-01T00:00:00Z' }),
  },
  'GET /line/richmenu/customer/{id}': { params: id('customer') },
  'GET /line/richmenu/clicks/{id}': { params: id('activeRichMenu') },
  'GET /line/richmenu/outlook/{id}': { params: id('richMenu') },
  'PUT /line/richmenu/activation/{id}': { params: id('richMenu') },
  'PUT /line/richmenu/deactivation/{id}': { params: id('activeRichMenu') },
  'PUT /line/richmenu/deletion/{id}': { params: id('inactiveRichMenu') },
  'POST /line/richmenu/duplication/{id}': { params: id('richMenu') },
  'POST /line/richmenu/picture': { body: () => ({ data: pngPicture(800, 540).toString('base64') }) },
  'GET /line/richmenu/picture/{id}': { params: id('richMenuPicture') },
  'POST /senders': { body: () => ({ sender: { name: '茶屋', email: 'shop@shop.test', reply_to: null } }) },
  'DELETE /senders/{id}': { params: id('sender') },
  'GET /sender_domains': {},
  'POST /sender_domains': { body: () => ({ sender_domain: { name: 'another.test' } }) },
  'DELETE /sender_domains/{id}': { params: id('freeSenderDomain') },
  'PUT /sender_domains/{id}/link_domain': {
    params: id('senderDomain'),
    body: () => ({ link_domain: { host: 'link.shop.test' } }),
  },
  'DELETE /sender_domains/{id}/link_domain': { params: id('senderDomain') },
  'GET /link_domains/ask': { query: () => ({ domain: 'kept.shop.test' }) },
  'POST /sender_domains/{id}/rotate': { params: id('senderDomain') },
  'POST /user/me/email_check': { body: () => ({ domain: 'shop.test' }) },
  'GET /user_media': { query: () => ({ q: '茶', folder: '夏', for: 'line', sort: 'name' }) },
  'PUT /user_media': { body: ({ ids }) => ({ user_media: { id: ids.media, name: '煎茶', folder: '' } }) },
  'POST /user_media/presigned': { body: () => ({ name: '新茶.png', type: 'image/png', size_bytes: 1000 }) },
  'PUT /user_media/upload/{token}': { params: () => ({ token: 'x' }), status: 404 },
  'GET /user_media/{id}': { params: id('media') },
  'GET /user_media/{id}/uses': { params: id('media') },
  'DELETE /user_media/{id}': { params: id('media') },
  'GET /image/{slug}': { params: ({ ids }) => ({ slug: `${ids.media}-mail` }) },
  'GET /line/relays': {},
  'POST /line/relays': { body: () => ({ relay: { url: 'https://another.test/hook' } }) },
  'DELETE /line/relays/{id}': { params: id('freeRelay') },
  'GET /line/relay_calls': { query: () => ({ limit: 5 }) },
  'POST /line/relay_calls/{id}/replay': { params: id('relayCall') },
  'GET /line/friends': { query: () => ({ q: '佐' }) },
  'GET /line/testers': {},
  'GET /line/quota': {},
  'GET /receiver_paces': {},
  'POST /sender_domains/{id}/warm_up': { params: id('senderDomain') },
  'DELETE /sender_domains/{id}/warm_up': { params: id('senderDomain') },
  'GET /own_mailer': {},
  'PUT /own_mailer': {
    body: () => ({
      own_mailer: {
        kind: 'smtp',
        host: '127.0.0.1',
        port: 9,
        security: 'starttls',
        username: 'shop',
        password: 'secret',
        connections: 2,
        returns_to_us: false,
        feedback_key: null,
      },
    }),
    status: 403,
  },
  'POST /own_mailer/test': { status: 404 },
  'POST /own_mailer/use': { body: () => ({ in_use: false }), status: 404 },
  'DELETE /own_mailer': {},
  'POST /line/quota/resume': {},
  'PUT /line/testers/{lineUserId}': { params: ({ ids }) => ({ lineUserId: ids.lineFriend }) },
  'DELETE /line/testers/{lineUserId}': { params: ({ ids }) => ({ lineUserId: ids.lineFriend }) },
  'GET /frontend/line/connect': { status: 401 },
  'GET /frontend/line/profile': { status: 401 },
  'POST /frontend/line/disconnect': { status: 401 },
  'GET /line/login': {},
  'GET /shopify/proxy/marketing': { status: 401 },
  'GET /frontend/accepts-marketing/': {},
  'POST /frontend/accepts-marketing/': {
    body: () => ({
      accepts_marketing: true,
      wording: defaultConsentWording.ja,
      language: 'ja',
      page: 'https://tea.example.jp/account?x=1',
    }),
  },
  'POST /frontend/captcha': { body: () => ({ form: 'restock' }) },
  'POST /frontend/email/sign_up': {
    body: () => ({ email: `${newId()}@example.jp`, wording: defaultConsentWording.en, language: 'en' }),
  },
  'GET /p/{token}': { params: ({ linkToken }) => ({ token: linkToken }) },
  'POST /frontend/views': { body: () => ({ views: [[1, 0]], cart: [[1, 2]] }) },
  'GET /pages/preferences': { query: tokenQuery },
  'POST /pages/preferences': { body: ({ linkToken }) => ({ token: linkToken, pause: 'on' }), status: 303 },
  'GET /frontend/extension/birthday': {},
  'PUT /frontend/extension/birthday': { body: () => ({ birthday: '1990-04-01' }) },
  'GET /frontend/extension/accepts-marketing': {},
  'POST /frontend/extension/accepts-marketing': {
    body: () => ({
      accepts_marketing: true,
      wording: defaultConsentWording.ja,
      language: 'ja',
      page: 'purchase.thank-you.block.render',
    }),
  },
  'GET /shopify/proxy/birthday': { status: 401 },
  'PUT /shopify/proxy/birthday': { body: () => ({ birthday: '1990-04-01' }), status: 401 },
  'GET /shopify/proxy/birthdayscript': { status: 401 },
  'GET /user/me/storefront_settings': {},
  'PUT /user/me/storefront_settings': {
    body: () => ({
      storefront_settings: { birthday_changes: 2, consent_wording_ja: 'お知らせを受け取る', double_opt_in: true },
    }),
  },
  'GET /line/connect/callback': { query: () => ({ state: 'x', code: 'x' }), status: 404 },
  'GET /line/connect/confirm': { query: () => ({ login: 'x' }), status: 404 },
  'POST /line/connect/confirm': { body: () => ({ login: 'x', choice: 'keep' }), status: 303 },
  'POST /line/webhook/{userId}': { params: ({ merchant }) => ({ userId: merchant.id }), status: 401 },
  'POST /campaigns/{id}/cancel': { params: id('reserved') },
  'POST /campaigns/{id}/undo': { params: id('confirmed') },
  'PUT /campaigns/{id}': {
    params: id('draft'),
    body: ({ ids }) => ({
      name: '秋の便り',
      send_type: 'scheduled',
      scheduled_at: '2150-01-01T09:00:00+09:00',
      segment_type: 'own',
      customer_segment_id: ids.segment,
      email_id: ids.email,
      send_to_all: false,
      tracking_enabled: true,
      tracking_parameters: { source: 'okaeri', medium: null, campaign: null },
    }),
  },
  'POST /campaigns': {
    body: ({ ids }) => ({ name: '秋の便り', customer_segment_id: ids.segment, email_id: ids.email }),
  },
  'DELETE /campaigns/{id}': { params: id('draft') },
  'POST /campaigns/{id}/duplicate': { params: id('draft') },
  'GET /campaigns/{id}': { params: id('sent') },
  'GET /campaigns/{id}/report': { params: id('sent') },
  'GET /campaigns/{id}/deliveries': { params: id('sent'), query: () => ({ status: 'sent', q: '山' }) },
  'GET /campaigns': { query: () => ({ q: '夏', status: 'draft', sort: 'name', direction: 'asc' }) },
  'POST /campaigns/{id}/resend_uncertain': { params: id('uncertain'), body: () => ({ uncertain_seen: 1 }) },
  'POST /campaigns/{id}/reserve': { params: id('draft'), body: () => ({ recipients_seen: 1 }) },
  'POST /campaigns/{id}/resolve': { params: id('failed') },
  'POST /campaigns/{id}/resync': { params: id('failed') },
  'GET /campaigns/{id}/review': { params: id('draft'), query: ({ ids }) => ({ customer_id: ids.customer }) },
  'POST /campaigns/{id}/send_late': { params: id('late') },
  'POST /campaigns/{id}/continue': { params: id('heldBack') },
  'POST /campaigns/{id}/choose_winner': { params: id('tested'), body: () => ({ winner: 'a' }) },
  'POST /campaigns/{id}/stop': { params: id('late') },
  'GET /campaigns/{id}/coupons': { params: id('heldBack') },
  'POST /campaigns/{id}/retry_coupons': { params: id('heldBack') },
  'GET /reports/{id}/click-map': { params: id('sent') },
  'GET /reports/{id}/receivers': { params: id('sent') },
  'GET /reports/{id}/download-receivers': { params: id('sent'), query: () => ({ lang: 'en' }) },
  'GET /deliverability': { query: () => ({ days: 30 }) },
  'GET /deliverability/download': { query: () => ({ days: 30, lang: 'en' }) },
  'GET /reports/{id}/download-clicks': { params: id('sent'), query: () => ({ lang: 'en' }) },
  'GET /reports/{id}/download': { params: id('sent'), query: () => ({ lang: 'ja' }) },
  'GET /actions/{id}/click-map': { params: id('activeScenario'), query: () => ({ node_id: 'mail' }) },
  'GET /stats/dashboard': { query: () => ({ timespan: '3m' }) },
  'GET /stats/scenarios/{id}': { params: id('scenario'), query: () => ({ timespan: '1y' }) },
  'GET /stats/day': { query: () => ({ date: '2026-05-01' }) },
  'GET /stats/range': { query: () => ({ from: '2026-05-01', to: '2026-05-31', unit: 'week' }) },
  'GET /reports': { query: () => ({ limit: 5 }) },
  'POST /pages/unsubscribe/confirm': { body: ({ linkToken }) => ({ token: linkToken, choice: 'keep', lang: 'en' }) },
  'GET /u/{token}': { params: ({ linkToken }) => ({ token: linkToken }) },
  'POST /u/{token}': { params: ({ linkToken }) => ({ token: linkToken }) },
  'POST /mailmagazine/subscribe': { body: byToken },
  'POST /mailmagazine/subscribe/storefront': { body: fromStorefront, status: 404 },
  'POST /frontend/email/subscribe': { query: tokenQuery },
  'GET /emails/subscribe': { query: tokenQuery },
  'POST /mailmagazine/unsubscribe': { body: byToken },
  'GET /r/{token}': { params: ({ linkToken }) => ({ token: linkToken }) },
  'GET /pages/restock': { query: () => ({ token: 'none' }), status: 404 },
  'POST /pages/restock': { body: () => ({ token: 'none', choice: 'cancel' }) },
  'GET /pages/unsubscribe/cancel': { query: tokenQuery },
  'GET /pages/unsubscribe/confirm': { query: tokenQuery },
  'POST /mailmagazine/unsubscribe/storefront': { body: fromStorefront, status: 404 },
  'POST /frontend/email/unsubscribe': { query: tokenQuery },
  'GET /pages/unsubscribe/ok': { query: tokenQuery },
  'GET /emails/unsubscribe': { query: tokenQuery },
  'GET /c/{token}': { params: ({ linkToken }) => ({ token: `${linkToken}-0` }) },
  'GET /m/{token}': { params: ({ menuLinkToken }) => ({ token: menuLinkToken }) },
  'GET /o/{token}': { params: ({ linkToken }) => ({ token: `${linkToken}.gif` }) },
}

export const keyOf = ({ method, path }: Endpoint): string => `${method} ${path}`

/** Every endpoint with its example input. Throws when an endpoint has none. */
export function everyEndpoint(): { key: string; endpoint: Endpoint; feed: Feed }[] {
  return allEndpoints.map(({ endpoint }) => {
    const key = keyOf(endpoint)
    const feed = feeds[key]
    if (!feed) throw new Error(`${key} is new: say in server/test/every-endpoint.ts how it is called`)
    return { key, endpoint, feed }
  })
}

export interface Request {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}
export async function requestOf(feed: Feed, world: World): Promise<Request> {
  return {
    ...(feed.params ? { params: await feed.params(world) } : {}),
    ...(feed.query ? { query: await feed.query(world) } : {}),
    ...(feed.body ? { body: await feed.body(world) } : {}),
  }
}

export interface Answer {
  status: number
  type: string
  text: string
  /** The body where it is JSON. */
  json: unknown
  headers: Headers
}
export async function answerOf(response: Response): Promise<Answer> {
  const type = response.headers.get('content-type') ?? ''
  const text = await response.text()
  return {
    status: response.status,
    type,
    text,
    json: type.startsWith('application/json') ? JSON.parse(text) : undefined,
    headers: response.headers,
  }
}

/** Where the world's shop has its pages. */
export const SHOP_ORIGIN = 'https://tea.example.jp'
/**
 * Of the merchant's customer, on a page of their shop; for what takes a page's token, of a page without a signed-in customer. The shop counts as
 * connected for some seconds only: a world whose store is there would need the store for other things.
 */
export async function visitorTokenOf(
  { okaeri, merchant, ids, shopDomain }: World,
  { access }: Pick<Endpoint, 'access'>,
): Promise<string> {
  const { db } = okaeri.context
  await sql`update store_connections set status = 'connected' where merchant_id = ${merchant.id}`.execute(db)
  forgetShop(okaeri.context, shopDomain)
  await findShop(okaeri.context, shopDomain)
  await sql`update store_connections set status = 'disconnected' where merchant_id = ${merchant.id}`.execute(db)
  const bound = { merchantId: merchant.id, shopDomain, origin: SHOP_ORIGIN }
  if (access === 'connected') return sealPageToken(okaeri.context, { ...bound, storeCustomerId: null })
  const seal = access === 'extension' ? sealExtensionToken : sealAccessToken
  return seal(okaeri.context, { ...bound, storeCustomerId: null, holder: { customerId: ids.customer } })
}
/** The token a good call of the endpoint carries. */
export async function goodTokenOf(world: World, endpoint: Endpoint): Promise<string | null> {
  if (endpoint.access === 'public') return null
  return isForVisitors(endpoint) ? visitorTokenOf(world, endpoint) : tokenOf(world.merchant)
}
export const isForVisitors = ({ access }: Endpoint): boolean =>
  access === 'storefront' || access === 'connected' || access === 'extension'

export const tokenOf = ({ id: merchantId, memberId }: TestMerchant, role: MemberRole = 'owner'): string =>
  `test.${merchantId}.${memberId}.${role}`

/** Over the wire as it is given, without the client's care. */
export async function send(
  okaeri: TestOkaeri,
  endpoint: Endpoint,
  { params = {}, query = {}, body }: Request,
  token: string | null,
): Promise<Answer> {
  const isForm = endpoint.bodyKind === 'form'
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
  if (isForVisitors(endpoint)) headers['origin'] = SHOP_ORIGIN
  const address = `${okaeri.url}${addressOf(endpoint, { params, query } as never)}`
  if (endpoint.bodyKind === 'multipart' && body !== undefined) {
    const form = new FormData()
    for (const [name, value] of Object.entries(body as Record<string, string>))
      form.append(name, name === 'file' ? new File([value], 'people.csv') : value)
    return answerOf(await fetch(address, { method: endpoint.method, headers, body: form }))
  }
  if (body !== undefined) headers['content-type'] = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  const text = isForm ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body)
  const response = await lightFetch(address, {
    method: endpoint.method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body: text }),
  })
  return answerOf(response)
}

/** Every row of every table that belongs to the merchant, to be compared. */
export async function rowsOf(okaeri: TestOkaeri, merchantId: string): Promise<MerchantRows> {
  const read = await (rowsReaders.get(okaeri) ?? openRowsReader(okaeri))
  return read(merchantId)
}

interface MerchantTable {
  name: string
  /** The column that says whose a row is. */
  key: string
}
type MerchantRows = ReadonlyMap<string, readonly string[]>
type RowsReader = (merchantId: string) => Promise<MerchantRows>
const rowsReaders = new WeakMap<TestOkaeri, Promise<RowsReader>>()

/**
 * A connection of its own, on which each statement is planned once: that takes longer than all else about it. Tables that no statement has
 * written to since last time are not read; nor are any, where the versions of all rows are those of last time.
 */
function openRowsReader(okaeri: TestOkaeri): Promise<RowsReader> {
  const opening = (async () => {
    const tables = await tablesOfMerchants(okaeri)
    const client = new pg.Client({ connectionString: okaeri.databaseUrl })
    await client.connect()
    okaeri.beforeClose(() => client.end())
    // A cluster plans by which merchant it is, and knows neither versions nor triggers of statements.
    const onCluster = inject('citusNodes') !== null
    if (!onCluster) {
      await client.query('set plan_cache_mode = force_generic_plan')
      await client.query(noteWrites(tables))
    }
    const fromAll = (columns: (name: string, index: number) => string): string =>
      tables
        .map(({ name, key }, index) => `select ${columns(name, index)} from ${name} t where ${key} = $1`)
        .join(' union all ')
    const text = `${fromAll((name) => `'${name}' as name, to_jsonb(t)::text as row`)} order by 1, 2`
    const versionsOfAll = `select string_agg(version, ' ') as versions
      from (${fromAll((_, index) => `'${index}' || ctid::text || xmin::text as version`)}) v`
    const known = new Map<string, { versions: string | null; rows: MerchantRows; written: Set<string> }>()
    const ask = async <Row extends pg.QueryResultRow>(name: string, text: string, values: readonly string[]) =>
      (await client.query<Row>({ name, text, values: [...values] })).rows
    const readAll = async (merchantId: string): Promise<MerchantRows> => {
      const rows = new Map<string, string[]>(tables.map(({ name }) => [name, []]))
      for (const { name, row } of await ask<{ name: string; row: string }>('rows', text, [merchantId]))
        rows.get(name)?.push(row)
      return rows
    }
    return async (merchantId: string) => {
      if (onCluster) return readAll(merchantId)
      const written = await ask<{ name: string }>('written', 'delete from tests.writes returning name', [])
      for (const each of known.values()) for (const { name } of written) each.written.add(name)
      const before = known.get(merchantId)
      if (before?.written.size === 0) return before.rows
      const [{ versions } = { versions: null }] = await ask<{ versions: string | null }>('versions', versionsOfAll, [
        merchantId,
      ])
      const rows = before?.versions === versions ? before.rows : await readAll(merchantId)
      known.set(merchantId, { versions, rows, written: new Set() })
      return rows
    }
  })()
  rowsReaders.set(okaeri, opening)
  return opening
}

/** Each statement that writes to one of the tables leaves the table's name, with its commit. */
const noteWrites = (tables: readonly MerchantTable[]): string =>
  `create schema tests;
  create unlogged table tests.writes (name text not null);
  create function tests.note_write() returns trigger language plpgsql as
    'begin insert into tests.writes values (tg_table_name); return null; end';
  ${tables
    .map(
      ({ name }) => `create trigger note_write after insert or update or delete or truncate on ${name}
        for each statement execute function tests.note_write();`,
    )
    .join('\n')}`

async function tablesOfMerchants(okaeri: TestOkaeri): Promise<MerchantTable[]> {
  const rows = await okaeri.query<MerchantTable>`
    select table_name as name, column_name as key from information_schema.columns
    where table_schema = 'public' and (column_name = 'merchant_id' or (table_name = 'merchants' and column_name = 'id'))
    order by table_name`
  return rows
}
