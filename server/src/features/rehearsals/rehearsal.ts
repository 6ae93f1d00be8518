import type { SkipReason } from '@okaeri/contract/deliveries/delivery'
import {
  awaitedOf,
  channelOfKind,
  conditionOf,
  emailOf,
  type Flow,
  lineMessageOf,
} from '@okaeri/contract/scenarios/flow/flow'
import type { Rehearsal } from '@okaeri/contract/scenarios/rehearsal'
import { consentKindOf, isPostPurchase } from '@okaeri/contract/scenarios/trigger'
import type { Condition } from '@okaeri/contract/segments/condition'
import { DateTime } from 'luxon'
import { isDeepStrictEqual } from 'node:util'
import { isOutage } from '../../kernel/database/database-trouble.ts'
import { AppError } from '../../kernel/errors.ts'
import { job } from '../../kernel/work/jobs.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { listEmailContents } from '../emails/index.ts'
import { getScenarioRow, refuseForeignReferences, refuseUnlessAllowed } from '../flows/index.ts'
import { listLineContents } from '../line-messages/index.ts'
import { getMerchant, type MerchantRow, nextAllowedTime } from '../merchants/index.ts'
import { conditionsSql, refuseUnusable } from '../segments/index.ts'
import type { RehearsalPast } from '../steps/index.ts'
import {
  type PastEvent,
  readPastNotifiedByRegistration,
  selectPast,
  selectPastOfTrigger,
  type Span,
} from '../triggers/index.ts'
import {
  beginRehearsal,
  countOrdersBefore,
  findRehearsal,
  type RehearsalRow,
  selectNames,
  selectUsualDays,
  selectWho,
  selectWhyNot,
  type StoredResult,
  updateRehearsal,
} from './rehearsal-queries.ts'
import { type Outcome, rehearse } from './simulation.ts'

const DAYS = 90

/** Runs a flow (by default the saved one) over the last 90 days. The result comes later, and only the last one started is kept. */
export async function rehearseScenario(
  scope: MerchantScope,
  id: string,
  given: { flow: Flow | null; until: string | null },
): Promise<Rehearsal> {
  const scenario = await getScenarioRow(scope, id)
  refuseUnlessAllowed('rehearse', scenario.status)
  if (given.flow) await refuseForeignReferences(scope, given.flow)
  const until = given.until === null ? scope.now : new Date(Math.min(Date.parse(given.until), scope.now.getTime()))
  const { timezone } = await getMerchant(scope)
  const from = DateTime.fromJSDate(until, { zone: timezone }).minus({ days: DAYS }).toJSDate()
  await scope.transaction(async (scope) => {
    const number = await beginRehearsal(scope, id, { flow: given.flow ?? scenario.flow, from, until })
    await scope.context.jobs.later(scope, runRehearsal, { scenarioId: id, number })
  })
  const rehearsal = await getRehearsal(scope, id)
  if (!rehearsal) throw new Error('a rehearsal that was begun is there')
  return rehearsal
}

export async function getRehearsal(scope: MerchantScope, id: string): Promise<Rehearsal | null> {
  const { flow } = await getScenarioRow(scope, id)
  const row = await findRehearsal(scope, id)
  return row && present(scope, row, flow)
}

const NOTHING: StoredResult = {
  events: 0,
  entered: 0,
  kept_out: {},
  mails: 0,
  line_messages: 0,
  without_message: {},
  people: 0,
  per_day: [],
  busiest_day: null,
  most_to_one: 0,
  by_node: [],
  samples: [],
}

async function present(scope: MerchantScope, row: RehearsalRow, flow: Flow): Promise<Rehearsal> {
  // Those stored before lack what is counted since.
  const { samples, ...result } = { ...NOTHING, ...row.result }
  const names = await selectNames(
    scope,
    samples.map(({ customer_id }) => customer_id),
  )
  return {
    ...result,
    status: row.status,
    progress_percent: row.progress_percent,
    from: row.from_at.toISOString(),
    to: row.until_at.toISOString(),
    // Customers deleted since are not shown.
    samples: samples.flatMap((sample) => {
      const customer_name = names.get(sample.customer_id)
      return customer_name === undefined ? [] : [{ ...sample, customer_name }]
    }),
    asked_at: row.asked_at.toISOString(),
    outdated: !isDeepStrictEqual(row.flow, flow),
  }
}

export const runRehearsal = job<{ scenarioId: string; number: number }>(
  'rehearse_scenario',
  ({ scenarioId, number }) => `${scenarioId} ${number}`,
  async (scope, asked) => {
    const { scenarioId, number } = asked
    const row = await findRehearsal(scope, scenarioId)
    if (!row || row.number !== number || row.status !== 'running') return
    try {
      const { events, past } = await readPast(scope, scenarioId, row.flow, { from: row.from_at, until: row.until_at })
      const outcome = await simulate(scope, asked, rehearse(row.flow, events, past))
      if (outcome) await updateRehearsal(scope, asked, { result: stored(outcome) })
    } catch (error) {
      if (isOutage(error)) throw error
      // The member can start it again. Left as running, it would never end.
      await updateRehearsal(scope, asked, { failed: true })
      throw error
    }
  },
)

/** Null if another rehearsal was started meanwhile. */
async function simulate(
  scope: MerchantScope,
  asked: { scenarioId: string; number: number },
  steps: ReturnType<typeof rehearse>,
): Promise<Outcome | null> {
  let reported = 0
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    const percent = Math.floor(step.value * 100)
    if (percent >= reported + PROGRESS_EVERY) {
      reported = percent
      if (!(await updateRehearsal(scope, asked, { progress: percent }))) return null
    } else await new Promise(setImmediate)
  }
}
const PROGRESS_EVERY = 5

const iso = (at: number): string => new Date(at).toISOString()
function stored(outcome: Outcome): StoredResult {
  const per_day = [...outcome.sentPerDay]
    .map(([day, sent]) => ({ day, ...named(sent) }))
    .sort((one, other) => (one.day < other.day ? -1 : 1))
  const busiest = per_day.reduce<(typeof per_day)[number] | null>(
    (most, each) => (most && all(most) >= all(each) ? most : each),
    null,
  )
  return {
    events: outcome.events,
    entered: outcome.entered,
    kept_out: Object.fromEntries(outcome.keptOut),
    ...named(outcome.sent),
    without_message: Object.fromEntries(outcome.withoutMessage),
    people: outcome.people,
    per_day,
    busiest_day: busiest,
    most_to_one: outcome.mostToOne,
    by_node: [...outcome.byNode].map(([node_id, { sent, ...counts }]) => ({ node_id, ...counts, ...named(sent) })),
    samples: outcome.samples.map(({ customerId, enteredAt, messages }) => ({
      customer_id: customerId,
      entered_at: iso(enteredAt),
      messages: messages.map(({ node_id, at }) => ({ node_id, at: iso(at) })),
    })),
  }
}
const named = ({ email, line }: Outcome['sent']) => ({ mails: email, line_messages: line })
const all = ({ mails, line_messages }: ReturnType<typeof named>): number => mails + line_messages

async function readPast(
  scope: MerchantScope,
  scenarioId: string,
  flow: Flow,
  span: Span,
): Promise<{ events: readonly PastEvent[]; past: RehearsalPast }> {
  const merchant = await getMerchant(scope)
  const happened = await readHappened(scope, flow, span)
  const events = await selectPastOfTrigger(scope, flow.trigger, {
    span,
    timezone: merchant.timezone,
    countOrders: () => countOrdersAt(scope, span, happened),
  })
  const meets = await readConditions(scope, flow, span, happened)
  const { include_all_customers } = await getScenarioRow(scope, scenarioId)
  const whyNot = new Map<string, ReadonlyMap<string, SkipReason | null>>()
  // Who asked for a notice of stock agreed to the message that answers, and to nothing that follows it.
  const isAsked = flow.trigger.kind === 'product_restocked'
  for (const channel of new Set(flow.nodes.flatMap(({ kind }) => channelOfKind(kind) ?? [])))
    for (const isAnswer of isAsked ? [true, false] : [false])
      whyNot.set(
        `${channel} ${isAnswer}`,
        await scope.transaction((scope) =>
          selectWhyNot(scope, {
            channel,
            sendToAll: isAnswer || include_all_customers,
            kind: consentKindOf(flow.trigger.kind),
          }),
        ),
      )
  const past: RehearsalPast = {
    scenarioId,
    timezone: merchant.timezone,
    until: span.until.getTime(),
    meets,
    isNotifiedByRegistration: await readPastNotifiedByRegistration(scope, flow.trigger, span),
    happened: (kind, customerId) => happened.get(kind)?.get(customerId) ?? [],
    usualDays: await readUsualDays(scope, flow, span),
    whyNot: (channel, customerId, isFirst) => {
      const why = whyNot.get(`${channel} ${isAsked && isFirst}`)?.get(customerId)
      return why === undefined ? 'customer_gone' : why
    },
    leavesAt: leavesAt(merchant, flow),
    contents: new Set(
      [
        await listEmailContents(
          scope,
          flow.nodes.flatMap((node) => emailOf(node) ?? []),
        ),
        await listLineContents(
          scope,
          flow.nodes.flatMap((node) => lineMessageOf(node) ?? []),
        ),
      ].flatMap((contents) => contents.map(({ id }) => id)),
    ),
  }
  return { events, past }
}

function leavesAt(merchant: MerchantRow, flow: Flow): (at: number) => number {
  const { sending_hours: hours, timezone } = merchant
  const exempt = hours.exclude_post_purchase && isPostPurchase(flow.trigger.kind)
  if (!hours.enabled || exempt) return (at) => at
  return (at) => nextAllowedTime(new Date(at), hours, timezone)?.getTime() ?? at
}

async function readUsualDays(scope: MerchantScope, { nodes }: Flow, span: Span): Promise<RehearsalPast['usualDays']> {
  if (!nodes.some((node) => node.kind === 'wait' && node.settings.wait.mode === 'usual_interval')) return () => null
  const key = (customerId: string, at: number): string => `${customerId} ${at}`
  const known = new Map(
    (await selectUsualDays(scope, span)).map(({ customerId, at, days }) => [key(customerId, at), days]),
  )
  return (customerId, at) => known.get(key(customerId, at)) ?? null
}

type Happened = Map<string, Map<string, number[]>>

/** Events the flow waits for or ends on, and orders, which conditions count. */
async function readHappened(scope: MerchantScope, flow: Flow, span: Span): Promise<Happened> {
  const kinds = new Set(flow.nodes.flatMap((node) => awaitedOf(node) ?? []))
  if (flow.ends_on.includes('bought') || ordersCounted(flow.condition) || isNth(flow)) kinds.add('order_created')
  const happened: Happened = new Map()
  for (const kind of kinds) {
    const byCustomer = new Map<string, number[]>()
    for (const { customerId, at } of await selectPast(scope, kind, span)) {
      const moments = byCustomer.get(customerId)
      if (moments) moments.push(at)
      else byCustomer.set(customerId, [at])
    }
    happened.set(kind, byCustomer)
  }
  return happened
}

const isNth = ({ trigger }: Flow): boolean => trigger.kind === 'order_paid' && typeof trigger.nth === 'number'

/** How many orders a customer had made at a time of the span. */
async function countOrdersAt(
  scope: MerchantScope,
  span: Span,
  happened: Happened,
): Promise<(customerId: string, at: number) => number> {
  const before = await countOrdersBefore(scope, span.from)
  const orders = happened.get('order_created')
  return (customerId, at) =>
    (before.get(customerId) ?? 0) + (orders?.get(customerId) ?? []).filter((moment) => moment <= at).length
}

/** Only a condition that is nothing but a number of orders is answered as of that day. */
function ordersCounted(condition: Condition | null): number | null {
  if (condition?.type !== 'condition' || condition.name !== 'orders_count' || condition.operator !== 'equals')
    return null
  return typeof condition.value === 'number' ? condition.value : null
}

/** Other conditions are asked once, about the customers as they are now: their past is not stored. */
async function readConditions(
  scope: MerchantScope,
  flow: Flow,
  span: Span,
  happened: Happened,
): Promise<RehearsalPast['meets']> {
  const chosen = new Map<string | null, ReadonlySet<string> | null>()
  const wanted = new Map<string | null, Condition>()
  const count = ordersCounted(flow.condition)
  if (flow.condition && count === null) wanted.set(null, flow.condition)
  for (const node of flow.nodes) {
    const condition = conditionOf(node)
    if (condition) wanted.set(node.id, condition)
  }
  for (const [nodeId, condition] of wanted) chosen.set(nodeId, await customersMeeting(scope, condition))
  const ordersAt = count === null ? null : await countOrdersAt(scope, span, happened)
  return (nodeId, customerId, at) => {
    if (nodeId === null && ordersAt) return ordersAt(customerId, at) === count
    return chosen.get(nodeId)?.has(customerId) ?? null
  }
}

async function customersMeeting(scope: MerchantScope, condition: Condition): Promise<ReadonlySet<string> | null> {
  try {
    await refuseUnusable(scope, condition)
    return await scope.transaction(async (scope) => selectWho(scope, await conditionsSql(scope, condition)))
  } catch (error) {
    // A draft's condition may be incomplete or name something deleted. Customers get stuck there, as in a real run.
    if (error instanceof AppError && error.reason === 'condition_invalid') return null
    throw error
  }
}
