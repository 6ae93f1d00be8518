import { createHmac, randomUUID } from 'node:crypto'
import { ApiError, type CallInput } from '@okaeri/contract/client'
import type { Endpoint, EndpointTypes } from '@okaeri/contract/endpoint'
import * as entering from '@okaeri/contract/scenarios/entering-routes'
import { getExecution, listExecutions } from '@okaeri/contract/scenarios/execution'
import { listEvents } from '@okaeri/contract/scenarios/event'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { getScenario } from '@okaeri/contract/scenarios/routes'
import { ENTRIES_PER_HOUR } from '@okaeri/contract/scenarios/scenario'
import { describe, expect, test } from 'vitest'
import { addCustomers, finishCopying } from '../../../test/fixtures.ts'
import { SHOP } from '../../../test/sandbox-store.ts'
import { addScenario, asleep, flowOf, granted, lineNode, mailNode, type PlainNode } from '../../../test/scenarios.ts'
import { SANDBOX_APP } from '../../../test/harness.ts'
import { connectSandbox, eachWithMerchant, merchant, okaeri, play, withSandbox } from '../../../test/with-okaeri.ts'
import { aSegment } from '../../../test/builders/segment.ts'
import { recordEvents } from '../events/index.ts'
import { connectSandboxStore } from '../stores/index.ts'

const HOUR = 3_600_000
withSandbox()
eachWithMerchant()

const scenario = (rest: Partial<Flow>): Promise<string> => addScenario(merchant.scope(), flowOf([asleep], rest))
const executions = async (scenarioId: string) =>
  (await merchant.call(listExecutions, { query: { action_id: scenarioId, limit: 200 } })).data
async function refused<T extends EndpointTypes>(endpoint: Endpoint<T>, input: CallInput<T>) {
  const error = await merchant.call(endpoint, input).then(
    () => null,
    (error: unknown) => error,
  )
  if (!(error instanceof ApiError)) throw new Error('it was not refused')
  return { status: error.status, reason: error.reason, fields: error.fields }
}

describe('a segment', () => {
  test('enters at once if it has as many customers as the member saw, and a second click does nothing', async () => {
    const ids = await addCustomers(merchant.scope(), [{}, {}, { marketing_state: 'withdrawn' }])
    const segment = await aSegment(merchant)
    const id = await scenario({
      trigger: { kind: 'manual', segment_id: segment.id },
      reentry: { mode: 'always' },
    })
    const enter = { params: { id }, body: { people_seen: 3 } }
    expect(await refused(entering.enterSegment, enter)).toMatchObject({ status: 409, reason: 'people_changed' })
    expect(await merchant.call(entering.enterSegment, { ...enter, body: { people_seen: 2 } })).toEqual({ entering: 2 })
    expect(await refused(entering.enterSegment, { ...enter, body: { people_seen: 2 } })).toMatchObject({
      status: 409,
      reason: 'people_still_entering',
    })
    await okaeri.settle()
    expect((await executions(id)).map(({ customer }) => customer?.id ?? '').sort()).toEqual(ids.slice(0, 2).sort())
  })

  test('enters only a scenario that is active and started manually', async () => {
    const paid = await scenario({})
    expect(await refused(entering.enterSegment, { params: { id: paid }, body: { people_seen: 1 } })).toMatchObject({
      status: 409,
      reason: 'scenario_not_manual',
    })
    const gone = await scenario({ trigger: { kind: 'manual', segment_id: randomUUID() } })
    expect(await refused(entering.enterSegment, { params: { id: gone }, body: { people_seen: 1 } })).toMatchObject({
      status: 409,
      reason: 'scenario_incomplete',
    })
    await okaeri.query`update scenarios set status = 'stopped' where merchant_id = ${merchant.id}`
    expect(await refused(entering.enterSegment, { params: { id: gone }, body: { people_seen: 1 } })).toMatchObject({
      status: 409,
      reason: 'scenario_not_active',
    })
  })
})

test('a segment does not enter while the store is copied, because its members are not right yet', async () => {
  await addCustomers(merchant.scope(), [{}])
  const segment = await aSegment(merchant)
  const id = await scenario({ trigger: { kind: 'manual', segment_id: segment.id } })
  await connectSandboxStore(merchant.scope(), `copied-${merchant.id}.myshopify.com`)
  const enter = { params: { id }, body: { people_seen: 1 } }
  expect(await refused(entering.enterSegment, enter)).toMatchObject({ status: 409, reason: 'store_being_copied' })
  await finishCopying(merchant.scope())
  expect(await merchant.call(entering.enterSegment, enter)).toEqual({ entering: 1 })
})

describe('the entry limit', () => {
  const hold = async (): Promise<{ id: string; customers: string[] }> => {
    const customers = await addCustomers(merchant.scope(), [{}, {}, {}, {}])
    const id = await scenario({ reentry: { mode: 'when_none_runs' } })
    await okaeri.query`update scenarios set entries_hour = ${okaeri.clock.now()}, entries_in_hour = ${ENTRIES_PER_HOUR - 1}
      where merchant_id = ${merchant.id} and id = ${id}`
    await tell(customers)
    await okaeri.settle()
    return { id, customers }
  }
  const tell = (customers: readonly string[]) =>
    recordEvents(
      merchant.scope(),
      customers.map((customerId) => ({
        kind: 'order_paid' as const,
        key: `${customerId} ${okaeri.clock.now().toISOString()}`,
        customerId,
        occurredAt: okaeri.clock.now(),
      })),
    )
  const braked = async (id: string) => (await merchant.call(getScenario, { params: { id } })).action.braked
  test('holds back customers above the limit of an hour, says how many, and holds until a member answers', async () => {
    const { id, customers } = await hold()
    expect(await executions(id)).toHaveLength(1)
    expect(await braked(id)).toMatchObject({ waiting: 3 })
    okaeri.advance(2 * HOUR)
    await tell(customers.slice(0, 1))
    await okaeri.settle()
    expect(await braked(id)).toMatchObject({ waiting: 3 })
    expect(
      (await merchant.call(listEvents, { query: {} })).data.filter(({ entries }) => entries[0]?.refused_by === 'brake'),
    ).toHaveLength(3)
    expect(await merchant.call(entering.releaseEntryLimit, { params: { id } })).toEqual({ count: 3 })
    await okaeri.settle()
    expect(await braked(id)).toBeNull()
    expect(await executions(id)).toHaveLength(4)
    expect(await refused(entering.releaseEntryLimit, { params: { id } })).toMatchObject({
      status: 409,
      reason: 'scenario_not_braked',
    })
  })

  test('dropped customers stay out, and others enter again', async () => {
    const { id, customers } = await hold()
    expect(await merchant.call(entering.dropWaitingEntries, { params: { id } })).toEqual({ count: 3 })
    await okaeri.settle()
    expect(await executions(id)).toHaveLength(1)
    okaeri.advance(1000)
    await tell(customers)
    await okaeri.settle()
    expect(await executions(id)).toHaveLength(4)
  })

  test('does not hold customers whom a member let in by number', async () => {
    await addCustomers(merchant.scope(), [{}, {}])
    const segment = await aSegment(merchant)
    const id = await scenario({ trigger: { kind: 'manual', segment_id: segment.id } })
    await okaeri.query`update scenarios set entries_hour = ${okaeri.clock.now()}, entries_in_hour = ${ENTRIES_PER_HOUR}
      where merchant_id = ${merchant.id} and id = ${id}`
    await merchant.call(entering.enterSegment, { params: { id }, body: { people_seen: 2 } })
    await okaeri.settle()
    expect(await executions(id)).toHaveLength(2)
  })
})

describe('a test', () => {
  test('runs once for a chosen event, also of a draft; without one it asks to select one', async () => {
    const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
    const id = await scenario({ reentry: { mode: 'once' } })
    await okaeri.query`update scenarios set status = 'draft' where merchant_id = ${merchant.id}`
    const params = { id }
    for (const body of [{}, { customer_id: customerId }])
      expect(await refused(entering.testScenario, { params, body })).toMatchObject({
        status: 400,
        reason: 'no_test_event',
        fields: { event_id: 'required' },
      })
    await recordEvents(merchant.scope(), [
      { kind: 'order_paid', key: 'a', customerId, occurredAt: okaeri.clock.now(), subject: { order_name: '#1' } },
    ])
    const [event] = (await merchant.call(listEvents, { query: {} })).data
    const given = [{ event_id: event?.id ?? '' }, { customer_id: customerId }]
    for (const body of given) {
      const { execution_id } = await merchant.call(entering.testScenario, { params, body })
      await okaeri.settle()
      const { execution } = await merchant.call(getExecution, { params: { id: execution_id } })
      expect(execution).toMatchObject({
        test: true,
        status: 'done',
        event: { id: event?.id },
        customer: { id: customerId },
      })
    }
    for (const body of [{ event_id: randomUUID() }, { customer_id: randomUUID() }])
      expect(await refused(entering.testScenario, { params, body })).toMatchObject({ status: 404 })
    // Tests are not entries.
    await okaeri.query`update scenarios set status = 'active' where merchant_id = ${merchant.id}`
    await recordEvents(merchant.scope(), [{ kind: 'order_paid', key: 'b', customerId, occurredAt: okaeri.clock.now() }])
    await okaeri.settle()
    expect((await executions(id)).filter(({ test }) => !test)).toHaveLength(1)
  })

  test('of a birthday scenario needs no real birthday', async () => {
    const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
    const id = await scenario({ trigger: { kind: 'birthday', days_before: 0, time: '10:00' } })
    const { execution_id } = await merchant.call(entering.testScenario, {
      params: { id },
      body: { customer_id: customerId },
    })
    await okaeri.settle()
    expect((await merchant.call(getExecution, { params: { id: execution_id } })).execution).toMatchObject({
      event: null,
      status: 'done',
    })
  })
})

describe('why', () => {
  const why = async (id: string, customerId: string) => {
    const { why } = await merchant.call(entering.whyInScenario, { params: { id }, query: { customer_id: customerId } })
    return { ...why, rules: Object.fromEntries(why.rules.map(({ rule, ...decided }) => [rule, decided])) }
  }
  const tell = async (customerId: string, key: string): Promise<void> => {
    await recordEvents(merchant.scope(), [{ kind: 'order_paid', key, customerId, occurredAt: okaeri.clock.now() }])
    await okaeri.settle()
  }
  test('names the rule that let a customer in, with the values', async () => {
    const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
    const id = await scenario({ condition: granted })
    expect(await why(id, customerId)).toMatchObject({
      in: false,
      execution_ids: [],
      rules: {
        status: { admits: true },
        event: { admits: false, detail: { kind: 'order_paid' } },
        condition: { admits: true, at: null, detail: { parts: [{ path: 'conditions', holds: true }] } },
        reentry: { admits: true, at: null },
        consent: { admits: true },
      },
    })
    await tell(customerId, 'a')
    const [execution] = await executions(id)
    expect(await why(id, customerId)).toMatchObject({
      in: true,
      execution_ids: [execution?.id],
      rules: {
        event: { admits: true, detail: { kind: 'order_paid' } },
        condition: { admits: true, at: expect.any(String) },
        reentry: { admits: true, at: expect.any(String) },
        holdout: { admits: true },
        late: { admits: true },
      },
    })
  })

  test('names the rule that kept a customer out, with the value at that time even if it has changed', async () => {
    const [customerId = ''] = await addCustomers(merchant.scope(), [{ marketing_state: 'withdrawn' }])
    const id = await scenario({ condition: granted, reentry: { mode: 'once' } })
    await tell(customerId, 'a')
    await okaeri.query`update customers set marketing_state = 'granted' where id = ${customerId}`
    expect(await why(id, customerId)).toMatchObject({
      in: false,
      rules: {
        customer_known: { admits: true, at: expect.any(String) },
        condition: {
          admits: false,
          at: expect.any(String),
          detail: { version: 1, parts: [{ path: 'conditions', value: { kind: 'boolean', boolean: false } }] },
        },
        reentry: { admits: true, at: null },
        consent: { admits: true, at: null },
      },
    })
    await tell(customerId, 'b')
    await tell(customerId, 'c')
    expect(await why(id, customerId)).toMatchObject({
      in: true,
      rules: { reentry: { admits: false, detail: { mode: 'once', is_running: true } } },
    })
    expect(
      await refused(entering.whyInScenario, { params: { id }, query: { customer_id: randomUUID() } }),
    ).toMatchObject({
      status: 404,
    })
  })

  test('a stopped scenario, the hold-out group, a customer who cannot be mailed', async () => {
    const [customerId = ''] = await addCustomers(merchant.scope(), [{ email: null }])
    const id = await scenario({})
    await okaeri.query`update scenarios set status = 'stopped', holdout_percent = 100 where merchant_id = ${merchant.id}`
    expect(await why(id, customerId)).toMatchObject({
      rules: {
        status: { admits: false, detail: { status: 'stopped' } },
        holdout: { admits: false, detail: { percent: 100 } },
        consent: { admits: false, detail: { because: 'no_address' } },
      },
    })
  })

  test('“why not” checks the channels a scenario sends by: one of them is enough', async () => {
    const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
    const consentOf = async (...nodes: PlainNode[]) => {
      const { rules } = await why(await addScenario(merchant.scope(), flowOf(nodes)), customerId)
      return rules.consent
    }
    const [line, mail] = [lineNode('l', null, null), mailNode('m', null, null)]
    expect(await consentOf(line)).toMatchObject({ admits: false, detail: { because: 'not_linked' } })
    expect(await consentOf(lineNode('l', null, 'm'), mail)).toMatchObject({ admits: true })
  })
})

describe('the flow tool of the platform', () => {
  const post = async (body: unknown, { signed = true } = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const signature = createHmac('sha256', signed ? SANDBOX_APP.apiSecret : 'another')
      .update(text)
      .digest('base64')
    const response = await fetch(`${okaeri.url}/shopify/flow`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-shopify-hmac-sha256': signature },
      body: text,
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const action = (properties: unknown, rest: Record<string, unknown> = {}) => ({
    shop_id: '690933842',
    shopify_domain: SHOP,
    action_run_id: randomUUID(),
    action_definition_id: 'start-scenario',
    handle: 'start-scenario',
    step_reference: '01',
    properties,
    ...rest,
  })
  test('starts the scenario with its handle, once per run; invalid calls get a reason', async () => {
    await connectSandbox()
    await finishCopying(merchant.scope())
    const { customer } = await play<{ customer: { id: number } }>('customers.json', {
      email: 'flow@example.test',
      last_name: '高橋',
    })
    const vip = await scenario({ trigger: { kind: 'flow_action', handle: 'vip' } })
    const other = await scenario({ trigger: { kind: 'flow_action', handle: 'start-scenario' } })
    // The customer's own webhook has not come yet, so the store is asked.
    const gid = `gid://shopify/Customer/${customer.id}`
    const run = action({ customer_id: gid, handle: ' vip ', points: 12, note: '\u0000ok', list: [1] })
    expect(await post(run)).toEqual({ status: 200, body: { accepted: true } })
    expect(await post(run)).toEqual({ status: 200, body: { accepted: false } })
    expect((await post(action({ customer_id: customer.id }))).body).toEqual({ accepted: true })
    // Values that would be cut in the middle of a character.
    const long = `${'x'.repeat(999)}😀`
    expect((await post(action({ customer_id: customer.id, handle: long, [long]: long }))).status).toBe(200)
    await okaeri.settle()
    expect(await executions(vip)).toMatchObject([
      {
        customer: { email: 'flow@example.test' },
        event: { subject: { properties: { handle: 'vip', points: '12', note: 'ok', list: '[1]' } } },
      },
    ])
    expect(await executions(other)).toHaveLength(1)

    const nonsense: [unknown, number, string, Record<string, string>?][] = [
      ['', 401, 'store_signature_invalid'],
      ['{', 400, 'malformed_json'],
      ['[]', 400, 'validation'],
      ['null', 400, 'validation'],
      ['"text"', 400, 'validation'],
      [{}, 400, 'validation', { shopify_domain: 'required', action_run_id: 'required' }],
      [action('text'), 400, 'validation', { properties: 'not_an_object' }],
      [action({}), 400, 'validation', { 'properties.customer_id': 'required' }],
      [action({ customer_id: 'gid://shopify/Order/1' }), 400, 'validation', { 'properties.customer_id': 'not_an_id' }],
      [action({ customer_id: -1 }), 400, 'validation', { 'properties.customer_id': 'not_an_id' }],
      [action({ customer_id: 1e300 }), 400, 'validation', { 'properties.customer_id': 'not_an_id' }],
      [action({ customer_id: ['1'] }), 400, 'validation', { 'properties.customer_id': 'not_an_id' }],
      [action({ customer_id: '9'.repeat(30) }), 400, 'validation', { 'properties.customer_id': 'not_an_id' }],
      [action({ customer_id: 4_000_000_000_123 }), 404, 'not_found'],
      [action({ customer_id: gid }, { shopify_domain: 'nobody.myshopify.com' }), 404, 'not_found'],
      [action({ customer_id: gid }, { action_run_id: 7 }), 400, 'validation', { action_run_id: 'required' }],
      [
        action({ customer_id: gid }, { action_run_id: 'x'.repeat(201) }),
        400,
        'validation',
        { action_run_id: 'too_long' },
      ],
      [`${'['.repeat(20_000)}${']'.repeat(20_000)}`, 400, 'validation'],
    ]
    for (const [body, status, reason, fields] of nonsense) {
      const answer = await post(body)
      expect(
        [answer.status, (answer.body['error'] as Record<string, unknown>)?.['reason']],
        JSON.stringify(body).slice(0, 200),
      ).toEqual([status, reason])
      if (fields) expect((answer.body['error'] as Record<string, unknown>)['fields']).toEqual(fields)
    }
    expect((await post(action({ customer_id: gid }), { signed: false })).status).toBe(401)
    expect((await merchant.call(listEvents, { query: { kind: 'flow_action' } })).total).toBe(3)
  })
})
