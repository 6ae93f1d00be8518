import { getCouponFailures, renewCoupons } from '@okaeri/contract/scenarios/coupon-failures'
import { renewFailedCoupons } from './coupon-renewal.ts'
import type { CouponTerms } from '@okaeri/contract/coupons/coupon'
import { listDiscounts } from '@okaeri/contract/coupons/routes'
import type { EventSubject } from '@okaeri/contract/scenarios/event'
import { playExecution, restartExecution } from '@okaeri/contract/scenarios/execution'
import { stopScenario } from '@okaeri/contract/scenarios/routes'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addCustomers, addEmail, GOOD_HTML } from '../../../test/fixtures.ts'
import { merchant, okaeri, play, withSandboxStore } from '../../../test/with-okaeri.ts'
import {
  addEvent,
  addExecutions,
  addScenario,
  endNode,
  executionOf,
  flowOf,
  mailNode,
  pathOf,
  type PlainNode,
  waitNode,
} from '../../../test/scenarios.ts'
import { merchantScope } from '../../kernel/merchant-scope.ts'
import { createThreads } from '../../kernel/work/threads.ts'
import { suppress } from '../consent/index.ts'
import { releaseScenarioMessages } from '../deliveries/index.ts'
import { renderingThread } from '../email-rendering/index.ts'
import { guestOf } from '../guests/index.ts'
import { advanceDue } from './time-slice.ts'
import { sendEmail } from './nodes/send-email.ts'
import { updateScenario } from '../flows/queries.ts'
import { claimDueExecutions } from '../executions/step-queries.ts'
import { selectFlows } from '../flows/queries.ts'

withSandboxStore({ settings: { test_emails: ['team@shop.test'] } })
beforeAll(async () => {
  await okaeri.settle()
  const { rows } = await sql`select from sync_runs where merchant_id = ${merchant.id} and status = 'running'`.execute(
    okaeri.context.db,
  )
  expect(rows).toHaveLength(0)
})
let number = 0
let terms: CouponTerms
beforeEach(() => {
  number += 1
  // Different terms from the test before, so that its pool cannot be used.
  terms = {
    prefix: `T${number}`,
    ratio_percent: 10,
    valid_days: 14,
    minimum: { kind: 'none' },
    applies_to: { kind: 'all' },
  }
})

const end = endNode('e')
const mail = (emailId: string | null, next = 'e'): PlainNode => mailNode('m', emailId, next)
const issue = (next = 'm'): PlainNode => ({
  id: 'c',
  kind: 'issue_coupon',
  settings: { coupon: terms },
  next: { next },
})
const COUPON_HTML = GOOD_HTML.replace('</p>', '</p><p>{{ coupon.code }}</p>')
const detail = (id: string) => executionOf(merchant, id)
const path = (id: string) => pathOf(merchant, id)
const deliveriesOf = async (scenarioId: string) =>
  (
    await sql<{ kind: string; status: string; reason: string | null; code: string | null; execution_id: string }>`
      select kind, status, reason, variables -> 'coupon' ->> 'code' as code, execution_id from deliveries
      where merchant_id = ${merchant.id} and scenario_id = ${scenarioId} order by id`.execute(okaeri.context.db)
  ).rows
async function start(
  nodes: readonly PlainNode[],
  executions: readonly { test?: boolean; heldOut?: boolean }[] = [{}],
  endsOn: 'coupon_used'[] = [],
): Promise<{ scenarioId: string; ids: string[]; customerIds: string[] }> {
  const scope = merchant.scope()
  const customerIds = await addCustomers(
    scope,
    executions.map((_, at) => ({ email: `t${number}-${at}@example.test` })),
  )
  const scenarioId = await addScenario(scope, flowOf(nodes, { ends_on: endsOn }))
  const ids = await addExecutions(
    scope,
    scenarioId,
    executions.map((one, at) => ({ customerId: customerIds[at] ?? null, ...one })),
  )
  return { scenarioId, ids, customerIds }
}

describe('a mail', () => {
  test('is one delivery per execution, which continues at once', async () => {
    const { scenarioId, ids } = await start([mail(await addEmail(merchant.scope())), end], [{}, {}, { heldOut: true }])
    await okaeri.settle()
    for (const id of ids) expect(await path(id)).toEqual(['m next', 'e ended'])
    const deliveries = await deliveriesOf(scenarioId)
    expect(deliveries.map(({ status, reason }) => reason ?? status)).toEqual(['sent', 'sent', 'holdout'])
    const [step] = (await detail(ids[0] ?? '')).steps
    expect(step?.delivery).toMatchObject({ id: step?.delivery_id, status: 'sent', email_id: expect.any(String) })
    const heldOut = (await Promise.all(ids.map(detail))).find(({ held_out }) => held_out)
    expect(heldOut?.steps[0]?.delivery).toMatchObject({ status: 'skipped', reason: 'holdout' })
  })

  test('fails no execution when the process is stopping or rendering is busy: the next process writes it', async () => {
    const { ids } = await start([mail(await addEmail(merchant.scope())), end], [{}, {}])
    const threads = createThreads({ file: renderingThread })
    await threads.close()
    await expect(advanceDue(merchantScope({ ...okaeri.context, threads }, merchant.id))).rejects.toMatchObject({
      code: 'unavailable',
    })
    for (const id of ids) expect(await detail(id)).toMatchObject({ status: 'running', steps: [] })
    await okaeri.settle()
    for (const id of ids) expect(await path(id)).toEqual(['m next', 'e ended'])
  })

  test('is sent again when its execution is restarted', async () => {
    const { scenarioId, ids } = await start([mail(await addEmail(merchant.scope())), end])
    await okaeri.settle()
    await merchant.call(restartExecution, { params: { id: ids[0] ?? '' } })
    await okaeri.settle()
    expect((await deliveriesOf(scenarioId)).map(({ status }) => status)).toEqual(['sent', 'sent'])
  })

  test('goes to the test addresses in a test, with a code that says so', async () => {
    const emailId = await addEmail(merchant.scope(), { content: COUPON_HTML })
    const { scenarioId, ids } = await start([issue(), mail(emailId), end], [{ test: true }])
    await okaeri.settle()
    expect(await path(ids[0] ?? '')).toEqual(['c next', 'm next', 'e ended'])
    expect(await deliveriesOf(scenarioId)).toMatchObject([{ kind: 'test', status: 'sent', code: 'TEST' }])
    expect((await merchant.call(listDiscounts, { query: { action_id: scenarioId } })).total).toBe(0)
  })

  test.each(['stopped', 'deleted'] as const)(
    'of a scenario that is %s while it is being written does not go out',
    async (what) => {
      const { scenarioId, ids } = await start([mail(await addEmail(merchant.scope())), end])
      await okaeri.settle()
      await okaeri.settle()
      const before = await deliveriesOf(scenarioId)
      expect(before).toMatchObject([{ status: 'sent' }])
      const messages = async () =>
        (
          await sql<{ state: string }>`select state from messages
            where merchant_id = ${merchant.id} and scenario_id = ${scenarioId} order by id`.execute(okaeri.context.db)
        ).rows.map(({ state }) => state)
      expect(await messages()).toEqual(['done'])
      const [flow] = await selectFlows(merchant.scope(), [{ scenarioId, version: 1 }])
      const node = flow?.flow.nodes[0]
      if (!flow || node?.kind !== 'send_email') throw new Error('no mail')
      await sql`update executions set status = 'running', node_id = 'm', round = 2, wake_at = ${okaeri.clock.now()}, ended_at = null
        where merchant_id = ${merchant.id} and id = ${ids[0]}`.execute(okaeri.context.db)
      await merchant.scope().transaction(async (scope) => {
        const due = await claimDueExecutions(scope, { limit: 1, only: ids })
        await merchant.call(stopScenario, { params: { id: scenarioId } })
        if (what === 'deleted')
          await sql`update scenarios set status = 'deleted' where merchant_id = ${merchant.id} and id = ${scenarioId}`.execute(
            okaeri.context.db,
          )
        const scenario = { id: scenarioId, name: '', version: 1, include_all_customers: false, flow: flow.flow }
        const [row] = due
        if (!row) throw new Error('nothing is due')
        const execution = {
          ...row,
          event: null,
          moving_since: scope.now,
          waits_from: scope.now,
          may_have_sent: false,
          woken: 'arrived' as const,
        }
        await sendEmail.advance({ scope, scenario: { ...scenario, priority: 'normal' }, node, executions: [execution] })
      })
      await okaeri.settle()
      const [, written] = await deliveriesOf(scenarioId)
      expect(written).toMatchObject(
        what === 'stopped' ? { status: 'pending', reason: null } : { status: 'skipped', reason: 'cancelled' },
      )
      expect(await messages()).toEqual([what === 'stopped' ? 'held' : 'done'])
      if (what === 'deleted') return
      await updateScenario(merchant.scope(), scenarioId, { status: 'active' })
      await releaseScenarioMessages(merchant.scope(), scenarioId, new Date(0))
      await okaeri.settle()
      expect((await deliveriesOf(scenarioId)).map(({ status }) => status)).toEqual(['sent', 'sent'])
    },
  )

  test('that is deleted keeps its executions, with the reason', async () => {
    const { ids } = await start([mail(crypto.randomUUID()), end])
    await okaeri.settle()
    expect(await detail(ids[0] ?? '')).toMatchObject({ status: 'failed', last_error: { error: 'email_gone' } })
  })

  test('that needs a coupon is not sent while none was issued, and says so', async () => {
    const emailId = await addEmail(merchant.scope(), { content: COUPON_HTML })
    const { scenarioId, ids } = await start([mail(emailId), end])
    await okaeri.settle()
    expect(await detail(ids[0] ?? '')).toMatchObject({ status: 'failed', last_error: { error: 'coupon_not_made' } })
    expect(await deliveriesOf(scenarioId)).toEqual([])
  })

  test('names the product and the variant the event was about, and leads to it', async () => {
    const scope = merchant.scope()
    const [product] = (
      await sql<{ id: number; title: string; variant: number }>`
        select p.store_product_id as id, p.title, v.store_variant_id as variant from products p
        join product_variants v on v.merchant_id = p.merchant_id and v.store_product_id = p.store_product_id
        where p.merchant_id = ${merchant.id} order by p.store_product_id, v.store_variant_id limit 1`.execute(
        okaeri.context.db,
      )
    ).rows
    const variantIs = (title: string) =>
      sql`update product_variants set title = ${title} where merchant_id = ${merchant.id} and store_variant_id = ${product?.variant ?? 0}`.execute(
        okaeri.context.db,
      )
    await variantIs('M / 藍')
    const emailId = await addEmail(scope, {
      subject: '{{ event.product_title }} {{ event.variant_title }} {{ event.product_url }}',
      content: GOOD_HTML,
    })
    const [customerId = ''] = await addCustomers(scope, [{ email: `t${number}@example.test` }])
    const eventId = await addEvent(scope, {
      kind: 'favorite_added',
      customerId,
      subject: { store_product_id: product?.id ?? 0, store_variant_id: product?.variant ?? 0 },
    })
    const written = async () => {
      const scenarioId = await addScenario(scope, flowOf([mail(emailId), end]))
      await addExecutions(scope, scenarioId, [{ customerId, eventId }])
      await okaeri.settle()
      const { rows } = await sql<{ product: Record<string, string> }>`
        select variables #> '{event,product}' as product from deliveries
        where merchant_id = ${merchant.id} and scenario_id = ${scenarioId}`.execute(okaeri.context.db)
      return rows[0]?.product
    }
    const named = {
      title: product?.title,
      url: expect.stringMatching(new RegExp(`^https?:.*/products/.*[?]variant=${product?.variant}$`)),
    }
    expect(await written()).toMatchObject({ ...named, variant: 'M / 藍' })
    await variantIs('Default Title')
    const only = await written()
    expect(only).toMatchObject(named)
    expect(only).not.toHaveProperty('variant')
  })
})

test('what an order or a cart held is in its mail with pictures and what it costs', async () => {
  const scope = merchant.scope()
  const { db } = okaeri.context
  const emailId = await addEmail(scope, {
    subject: '{% for line in event.lines %}{{ line.quantity }}:{{ line.price }} {% endfor %}{{ event.subtotal }}',
    content: GOOD_HTML,
  })
  const sentFor = async (subject: EventSubject, kind: 'order_paid' | 'cart_abandoned') => {
    const [customerId = ''] = await addCustomers(scope, [{ email: `items-${kind}@example.test` }])
    const eventId = await addEvent(scope, { kind, customerId, subject })
    const scenarioId = await addScenario(scope, flowOf([mail(emailId), end]))
    await addExecutions(scope, scenarioId, [{ customerId, eventId }])
    await okaeri.settle()
    const { rows } = await sql<{ lines: { amount?: number; image_url?: string }[] }>`
      select variables #> '{event,lines}' as lines from deliveries
      where merchant_id = ${merchant.id} and scenario_id = ${scenarioId}`.execute(db)
    return rows[0]?.lines ?? []
  }
  const variant = (
    await sql<{ product: number; variant: number; price: number; image: string }>`
      select p.store_product_id as product, v.store_variant_id as variant, v.price_amount as price, p.image_url as image
      from product_variants v join products p on p.merchant_id = v.merchant_id and p.store_product_id = v.store_product_id
      where v.merchant_id = ${merchant.id} and v.price_amount > 0 and p.image_url is not null limit 1`.execute(db)
  ).rows[0]
  const line = {
    store_product_id: variant?.product ?? 0,
    store_variant_id: variant?.variant ?? 0,
    title: '籠',
    quantity: 3,
  }
  const unknown = { store_product_id: null, store_variant_id: null, title: '昔の品', quantity: 1 }
  expect(await sentFor({ lines: [line, unknown] }, 'cart_abandoned')).toEqual([
    { ...line, amount: (variant?.price ?? 0) * 3, image_url: variant?.image },
    unknown,
  ])
  const order = (
    await sql<{ number: number; amounts: number[] }>`
      select o.store_order_id as number, array_agg(l.amount::float8 order by l.position) as amounts
      from orders o join order_lines l on l.merchant_id = o.merchant_id and l.order_id = o.id
      where o.merchant_id = ${merchant.id} group by 1 order by count(*) desc limit 1`.execute(db)
  ).rows[0]
  const lines = (order?.amounts ?? []).map(() => unknown)
  const sent = await sentFor({ store_order_id: order?.number ?? 0, currency: 'JPY', lines }, 'order_paid')
  expect(sent.map(({ amount }) => amount)).toEqual(order?.amounts)
  expect(order?.amounts.length).toBeGreaterThan(0)
})

describe('a coupon', () => {
  test('is made in the store, written into the mail, and issued once to each customer', async () => {
    const emailId = await addEmail(merchant.scope(), { content: COUPON_HTML })
    const people = Array.from({ length: 12 }, () => ({}))
    const { scenarioId, ids } = await start([issue(), mail(emailId), end], people)
    await okaeri.settle()
    for (const id of ids) expect(await path(id)).toEqual(['c asleep', 'c next', 'm next', 'e ended'])
    const codes = (await deliveriesOf(scenarioId)).map(({ code }) => code)
    expect(new Set(codes).size).toBe(12)
    for (const code of codes) expect(code).toMatch(new RegExp(`^T${number}[A-Z0-9]{10}$`))
    const { data, total } = await merchant.call(listDiscounts, { query: { action_id: scenarioId, limit: 50 } })
    expect(total).toBe(12)
    expect(data[0]).toMatchObject({ status: 'made', terms, scenario_id: scenarioId, customer_name: expect.any(String) })
    expect(codes).toContain(data[0]?.code)
    expect(new Date(data[0]?.expires_at ?? '').getTime()).toBeGreaterThan(
      okaeri.clock.now().getTime() + 14 * 86_400_000 - 1,
    )
    // The pool is filled meanwhile, so the next execution need not wait.
    const later = await addExecutions(merchant.scope(), scenarioId, [
      { customerId: (await addCustomers(merchant.scope(), [{ email: `pool${number}@example.test` }]))[0] ?? null },
    ])
    await okaeri.settle()
    expect(await path(later[0] ?? '')).toEqual(['c next', 'm next', 'e ended'])
  })

  test('is not issued to customers who cannot be mailed if it only reaches them by mail; their mail is skipped for that reason', async () => {
    const scope = merchant.scope()
    const emailId = await addEmail(scope, { content: COUPON_HTML })
    const scenarioId = await addScenario(scope, flowOf([issue(), mail(emailId), end]))
    const [mailable, stranger, bounced, addressless] = await addCustomers(scope, [
      { email: `t${number}-a@example.test` },
      { email: `t${number}-b@example.test`, marketing_state: 'unknown' },
      { email: `t${number}-c@example.test` },
      { email: null },
    ])
    await suppress(scope, { address: `t${number}-c@example.test`, reason: 'hard_bounce' })
    const { guestId } = await guestOf(scope, { token: `guest-${number}` })
    const ids = await addExecutions(scope, scenarioId, [
      ...[mailable, stranger, bounced, addressless].map((customerId) => ({ customerId: customerId ?? null })),
      { customerId: null, guestId },
    ])
    await okaeri.settle()
    expect((await merchant.call(listDiscounts, { query: { action_id: scenarioId } })).total).toBe(1)
    const reasons = [null, 'no_consent', 'suppressed', 'no_address', 'no_address']
    const skipped = (await deliveriesOf(scenarioId)).map(({ reason }) => reason ?? 'sent')
    expect(skipped.sort()).toEqual(['no_address', 'no_address', 'no_consent', 'sent', 'suppressed'])
    for (const [at, id] of ids.entries()) {
      const { status, steps } = await detail(id)
      expect(status).toBe('done')
      const coupon = steps.find(({ node_id, outcome }) => node_id === 'c' && outcome === 'next')
      const sent = steps.find(({ node_id }) => node_id === 'm')
      expect([coupon?.detail?.because ?? null, sent?.delivery?.reason ?? null]).toEqual([reasons[at], reasons[at]])
    }
  })

  test('is issued to everyone if no mail brings it', async () => {
    const [customerId = ''] = await addCustomers(merchant.scope(), [{ email: null }])
    const scenarioId = await addScenario(
      merchant.scope(),
      flowOf([mail(await addEmail(merchant.scope()), 'c'), issue('e'), end]),
    )
    await addExecutions(merchant.scope(), scenarioId, [{ customerId }])
    await okaeri.settle()
    expect((await merchant.call(listDiscounts, { query: { action_id: scenarioId } })).total).toBe(1)
  })

  test('is not issued to the hold-out group, and is issued again after a restart', async () => {
    const { scenarioId, ids } = await start([issue('e'), end], [{}, { heldOut: true }])
    await okaeri.settle()
    expect(await path(ids[1] ?? '')).toEqual(['c next', 'e ended'])
    await merchant.call(restartExecution, { params: { id: ids[0] ?? '' } })
    await okaeri.settle()
    const { data } = await merchant.call(listDiscounts, { query: { action_id: scenarioId } })
    expect(new Set(data.map(({ code }) => code)).size).toBe(2)
  })

  test('ends its execution when it is used in an order', async () => {
    const wait: PlainNode = {
      id: 'w',
      kind: 'wait',
      settings: { wait: { mode: 'for', amount: 5, unit: 'days' } },
      next: { next: 'e' },
    }
    const { scenarioId, ids } = await start([issue('w'), wait, end], [{}], ['coupon_used'])
    await okaeri.settle()
    const [coupon] = (await merchant.call(listDiscounts, { query: { action_id: scenarioId } })).data
    await play('orders.json', {
      email: `t${number}-0@example.test`,
      items: [{ variant_id: null, quantity: 1 }],
      discount_codes: [coupon?.code.toLowerCase()],
    })
    await okaeri.settle()
    expect((await detail(ids[0] ?? '')).end_reason).toBe('coupon_used')
    const { data, total } = await merchant.call(listDiscounts, { query: { status: 'used' } })
    const { totals } = await merchant.call(listDiscounts, { query: { status: 'used', action_id: scenarioId } })
    expect(data).toMatchObject([
      {
        code: coupon?.code,
        status: 'used',
        used_at: expect.any(String),
        scenario_name: expect.any(String),
        execution_id: ids[0],
        order: { name: expect.stringMatching(/^#/), cancelled: false, amount: { currency: 'JPY' } },
      },
    ])
    expect(data[0]?.order?.amount.amount).toBeGreaterThan(0)
    expect(total).toBe(1)
    expect(totals).toMatchObject({ issued: expect.any(Number), used: 1, revenue: data[0]?.order?.amount })
    await sql`update orders set cancelled_at = ${okaeri.clock.now()} where merchant_id = ${merchant.id}`.execute(
      okaeri.context.db,
    )
    const after = await merchant.call(listDiscounts, { query: { action_id: scenarioId, status: 'used' } })
    expect(after.data).toMatchObject([{ order: { cancelled: true } }])
    expect(after.totals).toMatchObject({ used: 1, revenue: { amount: 0 } })
    const { rows } = await sql<{ subject: unknown }>`select subject from events
      where merchant_id = ${merchant.id} and kind = 'coupon_used'`.execute(okaeri.context.db)
    expect(rows).toMatchObject([{ subject: { coupon_code: coupon?.code } }])
  })

  test('is made later when the store throttles; a refusal is shown, and playing asks again', async () => {
    const { ids } = await start([issue('e'), end])
    const id = ids[0] ?? ''
    await sql`update store_connections set status = 'disconnected' where merchant_id = ${merchant.id}`.execute(
      okaeri.context.db,
    )
    const { rows: tokens } = await sql<{ access_token: Buffer }>`select access_token from store_connections
      where merchant_id = ${merchant.id}`.execute(okaeri.context.db)
    await sql`update store_connections set access_token = null where merchant_id = ${merchant.id}`.execute(
      okaeri.context.db,
    )
    await okaeri.settle()
    expect(await detail(id)).toMatchObject({
      status: 'failed',
      last_error: { error: 'coupon_not_made', detail: 'no store is connected' },
    })
    await sql`update store_connections set status = 'connected', access_token = ${tokens[0]?.access_token}
      where merchant_id = ${merchant.id}`.execute(okaeri.context.db)
    await play('switches.json', { throttle_next: 1 })
    await merchant.call(playExecution, { params: { id } })
    await okaeri.settle()
    expect(await detail(id)).toMatchObject({ status: 'done', last_error: null })
  })

  test('can have a minimum and apply to certain products, and the store gets both', async () => {
    terms = { ...terms, applies_to: { kind: 'products', ids: [1] }, minimum: { kind: 'subtotal', amount: 5000 } }
    const { scenarioId, ids } = await start([issue('e'), end])
    await okaeri.settle()
    expect(await detail(ids[0] ?? '')).toMatchObject({ status: 'done' })
    const [coupon] = (await merchant.call(listDiscounts, { query: { action_id: scenarioId } })).data
    const order = {
      email: 'x@example.test',
      items: [{ variant_id: null, quantity: 1 }],
      discount_codes: [coupon?.code],
    }
    await expect(play('orders.json', order)).rejects.toThrow('is for other products')
  })
})

// Last, because these tests move the clock and the store's clock stays.
describe('a mail, days later,', () => {
  test('that needs a coupon is not sent to a customer who got none but can now be mailed; after a restart there is one', async () => {
    const scope = merchant.scope()
    const emailId = await addEmail(scope, { content: COUPON_HTML })
    const [customerId = ''] = await addCustomers(scope, [
      { email: `t${number}@example.test`, marketing_state: 'unknown' },
    ])
    const scenarioId = await addScenario(
      scope,
      flowOf([issue('w'), waitNode('w', 'm', 1, 'hours'), mail(emailId), end]),
    )
    const [id = ''] = await addExecutions(scope, scenarioId, [{ customerId }])
    await okaeri.settle()
    await sql`update customers set marketing_state = 'granted' where id = ${customerId}`.execute(okaeri.context.db)
    okaeri.advance(2 * 3_600_000)
    await okaeri.settle()
    expect(await detail(id)).toMatchObject({ status: 'failed', last_error: { error: 'coupon_not_made' } })
    await merchant.call(restartExecution, { params: { id } })
    await okaeri.settle()
    okaeri.advance(2 * 3_600_000)
    await okaeri.settle()
    expect((await deliveriesOf(scenarioId)).map(({ status, code }) => [status, typeof code])).toEqual([
      ['sent', 'string'],
    ])
  })

  test('with an expired coupon gets a new one for all who wait; pressing twice sends one mail', async () => {
    const emailId = await addEmail(merchant.scope(), { content: COUPON_HTML })
    terms = { ...terms, valid_days: 1 }
    const { scenarioId, ids } = await start([
      issue('first'),
      mailNode('first', emailId, 'w'),
      waitNode('w', 'm', 3),
      mail(emailId),
      end,
    ])
    const id = ids[0] ?? ''
    const params = { id: scenarioId }
    await okaeri.settle()
    okaeri.advance(3 * 86_400_000)
    await okaeri.settle()
    expect(await detail(id)).toMatchObject({ status: 'failed', last_error: { error: 'coupon_expired' } })
    const failures = async () => (await merchant.call(getCouponFailures, { params })).coupon_failures
    expect(await failures()).toMatchObject({ count: 1, terms: [{ valid_days: 1 }] })
    const pressed = await Promise.all([1, 2].map(() => merchant.call(renewCoupons, { params })))
    expect(pressed[0]).toEqual({ count: 1 })
    for (let at = 0; at < 3; at += 1) await okaeri.settle()
    await renewFailedCoupons.run(merchant.scope(), { scenarioId, until: merchant.scope().now.toISOString() })
    await okaeri.settle()
    expect(await detail(id)).toMatchObject({ status: 'done', end_reason: 'finished' })
    expect(await failures()).toMatchObject({ count: 0 })
    const sent = await deliveriesOf(scenarioId)
    expect(sent.map(({ status }) => status)).toEqual(['sent', 'sent'])
    expect(new Set(sent.map(({ code }) => code)).size).toBe(2)
    expect(await merchant.call(renewCoupons, { params })).toEqual({ count: 0 })
  })

  test('with an expired coupon is not sent; after a restart there is another coupon', async () => {
    const emailId = await addEmail(merchant.scope(), { content: COUPON_HTML })
    terms = { ...terms, valid_days: 1 }
    const { scenarioId, ids } = await start([issue('w'), waitNode('w', 'm', 3), mail(emailId), end])
    const id = ids[0] ?? ''
    await okaeri.settle()
    okaeri.advance(3 * 86_400_000)
    await okaeri.settle()
    expect(await detail(id)).toMatchObject({
      status: 'failed',
      node: { id: 'm' },
      last_error: { error: 'coupon_expired' },
    })
    expect(await deliveriesOf(scenarioId)).toEqual([])
    await merchant.call(restartExecution, { params: { id } })
    await okaeri.settle()
    expect((await merchant.call(listDiscounts, { query: { action_id: scenarioId } })).total).toBe(2)
  })

  test('that names its event is not sent when that is no longer stored; a mail that does not is sent', async () => {
    const scope = merchant.scope()
    const telling = await addEmail(scope, { subject: '{{ event.order_name }}', content: GOOD_HTML })
    const [customerId = ''] = await addCustomers(scope, [{ email: `t${number}@example.test` }])
    const begin = async (emailId: string): Promise<string> => {
      const eventId = await addEvent(scope, { kind: 'order_paid', customerId, subject: { order_name: '#1' } })
      const scenarioId = await addScenario(scope, flowOf([waitNode('w', 'm', 1), mail(emailId), end]))
      return (await addExecutions(scope, scenarioId, [{ customerId, eventId }]))[0] ?? ''
    }
    const [held, sent] = [await begin(telling), await begin(await addEmail(scope))]
    await okaeri.settle()
    await sql`delete from events where merchant_id = ${merchant.id}`.execute(okaeri.context.db)
    okaeri.advance(86_400_000)
    await okaeri.settle()
    expect(await detail(held)).toMatchObject({ status: 'failed', last_error: { error: 'event_gone' } })
    expect(await detail(sent)).toMatchObject({ status: 'done' })
  })
})
