import type { EventSubject } from '@okaeri/contract/scenarios/event'
import type { ChannelName } from '@okaeri/contract/deliveries/delivery'
import { contentOf } from '@okaeri/contract/scenarios/flow/flow'
import { consentKindOf, isPostPurchase } from '@okaeri/contract/scenarios/trigger'
import type { TransactionScope } from '../../../kernel/merchant-scope.ts'
import { readCoupons, writtenCoupon } from '../../coupons/index.ts'
import {
  stepContentsOf,
  insertScenarioDeliveries,
  isStepHeld,
  messageForNode,
  type ScenarioRecipient,
} from '../../deliveries/index.ts'
import { exampleVariables, type RecipientVariables, storeUrlOf } from '../../email-rendering/index.ts'
import { selectScenariosOf } from '../../flows/index.ts'
import { getMerchant } from '../../merchants/index.ts'
import {
  type ProductOfEvent,
  selectAmountsOfOrders,
  selectExecutionsWithMessage,
  selectPricesOfVariants,
  selectProductsOfEvents,
  selectVariantNames,
  selectUnreachable,
} from '../sending-queries.ts'
import type { ExecutionAt, Move, NodeStep } from '../node-kind.ts'
import type { PastVisit, Rehearsed } from '../rehearsal-past.ts'

type SendingStep = NodeStep<'send_email'> | NodeStep<'send_line'>

/**
 * A node that sends by this channel. It writes one delivery per execution, all in one statement. `deliveries` decides when each leaves and who
 * is skipped. A message with a coupon is not written while there is none.
 */
export const sendsBy = (channel: ChannelName) => ({
  reachesCustomer: true as const,
  async advance(step: SendingStep): Promise<Move[]> {
    const write = (forTests: boolean) =>
      writeDeliveries(
        step,
        step.executions.filter(({ test }) => test === forTests),
        { channel, forTests },
      )
    const real = await write(false)
    const tests = await write(true)
    return step.executions.map((execution) => (execution.test ? tests : real).get(execution.id) as Move)
  },
  rehearse(node: SendingStep['node'], { past, customerId, at, isFirst }: PastVisit): Rehearsed {
    const contentId = contentOf(node)
    if (contentId === null || !past.contents.has(contentId.toLowerCase())) return 'stuck'
    const skipped = past.whyNot(channel, customerId, isFirst)
    return skipped ? { to: 'next', skipped } : { to: 'next', sentAt: past.leavesAt(at) }
  },
})

const DAY_MS = 86_400_000

async function writeDeliveries(
  { scope, scenario, node }: SendingStep,
  executions: readonly ExecutionAt[],
  { channel, forTests }: { channel: ChannelName; forTests: boolean },
): Promise<Map<string, Move>> {
  if (executions.length === 0) return new Map()
  const all = (move: Move): Map<string, Move> => new Map(executions.map(({ id }) => [id, move]))
  const contentId = contentOf(node)
  if (contentId === null)
    return all({ fail: stepContentsOf(scope.context, channel).gone, detail: 'nothing is chosen to be sent' })
  // The scenario may have been stopped or deleted since this batch began. From here on that waits for our commit and then finds these
  // deliveries.
  const [present] = await selectScenariosOf(scope, [scenario.id], { locked: !forTests })
  const status = forTests ? 'active' : (present?.status ?? 'deleted')
  const held = status !== 'active'
  // People stay here, where what they do meanwhile still counts, until a person lets the step go on.
  if (!forTests && channel === 'email' && (await isStepHeld(scope, { scenarioId: scenario.id, nodeId: node.id })))
    return all({ sleepUntil: new Date(scope.now.getTime() + DAY_MS), awaits: 'effect' })
  const consentKind = consentKindOf(scenario.flow.trigger.kind)
  const message = await messageForNode(scope, {
    scenarioId: scenario.id,
    nodeId: node.id,
    version: scenario.version,
    channel,
    contentId,
    trackingParameters: node.settings.tracking_parameters ?? null,
    priority: scenario.priority,
    postPurchase: isPostPurchase(scenario.flow.trigger.kind),
    consentKind,
    forTests,
    held,
  })
  if ('missing' in message) return all({ fail: message.missing, detail: message.detail })
  const mayCancel = scenario.flow.trigger.kind === 'product_restocked'
  const variablesOf = await readVariables(scope, executions, { ...message, mayCancel }, forTests)
  const moves = new Map<string, Move>()
  const lacks = new Map(
    executions.map(({ id, held_out }) => [id, held_out ? null : lackOf(variablesOf(id), message, scope.now)]),
  )
  // A customer who could not be reached got no coupon. The message is then skipped, not failed, as long as that is so.
  const whyNot = forTests
    ? () => null
    : await selectUnreachable(
        scope,
        executions.flatMap(({ id, customer_id }) => (isCouponLack(lacks.get(id)) ? customer_id : [])),
        { channel, sendToAll: scenario.include_all_customers, kind: consentKind },
      )
  const recipients: ScenarioRecipient[] = []
  for (const { id, round, customer_id, held_out } of executions) {
    const variables = variablesOf(id)
    const lack = lacks.get(id)
    const unreachable = isCouponLack(lack) ? whyNot(customer_id) : null
    if (lack && !unreachable) moves.set(id, lack)
    else
      recipients.push({
        executionId: id,
        round,
        customerId: customer_id,
        variables: message.uses_event || message.uses_coupon ? variables : null,
        skip: held_out ? 'holdout' : status === 'deleted' ? 'cancelled' : unreachable,
      })
  }
  const asked = await selectWhoAsked(scope, scenario, recipients)
  for (const isAnswer of [true, false]) {
    const some = recipients.filter(({ executionId }) => asked.has(executionId) === isAnswer)
    if (some.length === 0) continue
    const ignoresConsent = isAnswer || scenario.include_all_customers
    const ids = await insertScenarioDeliveries(
      scope,
      { scenarioId: scenario.id, nodeId: node.id, message, ignoresConsent, held },
      some,
    )
    some.forEach(({ executionId, skip }, at) => {
      const deliveryId = ids[at] as string
      const detail = { ...sentBy(node), ...(skip ? { done: false, because: skip } : {}) }
      moves.set(executionId, { to: 'next', deliveryId, detail })
    })
  }
  return moves
}

/** Who asked for a notice of stock agreed to the message that answers, and to nothing that follows it (decision 173). */
async function selectWhoAsked(
  scope: TransactionScope,
  { flow }: SendingStep['scenario'],
  recipients: readonly ScenarioRecipient[],
): Promise<Set<string>> {
  if (flow.trigger.kind !== 'product_restocked') return new Set()
  const all = recipients.map(({ executionId }) => executionId)
  const answered = await selectExecutionsWithMessage(scope, all)
  return new Set(all.filter((id) => !answered.has(id)))
}

const sentBy = ({ settings }: SendingStep['node']) =>
  'email_id' in settings ? { email_id: settings.email_id } : { line_message_id: settings.line_message_id }

type Lack = Extract<Move, { fail: unknown }>

/** What the message needs and does not have. It is not sent then, rather than with gaps or a useless code. */
function lackOf(
  { coupon, event }: RecipientVariables,
  uses: { uses_event: boolean; uses_coupon: boolean },
  now: Date,
): Lack | null {
  if (uses.uses_event && !event)
    return { fail: 'event_gone', detail: 'the message uses the event that started this, which is no longer stored' }
  if (!uses.uses_coupon) return null
  if (!coupon) return { fail: 'coupon_not_made', detail: 'the message uses a coupon, and none was issued before it' }
  if (coupon.expires_at !== null && new Date(coupon.expires_at) <= now)
    return { fail: 'coupon_expired', detail: `${coupon.code} was valid until ${coupon.expires_at}` }
  return null
}

const isCouponLack = (lack: Lack | null | undefined): boolean => lack?.fail === 'coupon_not_made'

/** Values for each recipient's mail, besides the customer. Reads only what the message uses. */
async function readVariables(
  scope: TransactionScope,
  executions: readonly ExecutionAt[],
  uses: { uses_event: boolean; uses_coupon: boolean; mayCancel: boolean },
  forTests: boolean,
): Promise<(executionId: string) => RecipientVariables> {
  if (!uses.uses_event && !uses.uses_coupon) return () => ({})
  const coupons = await readCoupons(
    scope,
    executions.flatMap(({ coupon_id }) => coupon_id ?? []),
  )
  const storeUrl = await storeUrlOf(scope)
  const lines = executions.flatMap(({ event }) => shownLines(event?.subject))
  const products = await selectProductsOfEvents(scope, [
    ...new Set([
      ...executions.flatMap((execution) => productIdOf(execution) ?? []),
      ...lines.flatMap(({ store_product_id: id }) => id ?? []),
    ]),
  ])
  const variantNames = await selectVariantNames(scope, [
    ...new Set(executions.flatMap(({ event }) => event?.subject.store_variant_id ?? [])),
  ])
  const { language, currency } = await getMerchant(scope)
  const costOf = await readLineCosts(scope, executions)
  const example = exampleVariables(language, storeUrl, scope.now)
  const variantOf = (subject: EventSubject | undefined) => {
    const variant = variantNames.get(subject?.store_variant_id ?? 0)
    return variant === undefined ? undefined : { variant }
  }
  const variables = executions.map((execution): [string, RecipientVariables] => {
    const { id, event, coupon_id } = execution
    const product = products.get(productIdOf(execution) ?? 0)
    const about = product && {
      product: {
        title: product.title,
        url: productUrl(storeUrl, product, event?.subject),
        image_url: product.image_url ?? '',
        ...variantOf(event?.subject),
      },
    }
    const pricedLines = (subject: EventSubject) =>
      subject.lines && {
        currency: subject.currency ?? currency,
        lines: subject.lines.map((line, position) => ({
          ...line,
          ...costOf(subject, position),
          ...pictureOf(position < SHOWN_LINES ? products.get(line.store_product_id ?? 0) : undefined),
        })),
      }
    const coupon = coupons.get(coupon_id ?? '')
    const made = coupon && (coupon.status === 'made' || coupon.status === 'used')
    return [
      id,
      {
        ...(event
          ? {
              event: {
                ...event.subject,
                ...pricedLines(event.subject),
                ...about,
                ...(uses.mayCancel && { may_cancel: true as const }),
              },
            }
          : forTests
            ? { event: example.event ?? {} }
            : {}),
        ...(made
          ? {
              coupon: writtenCoupon(coupon, currency),
            }
          : forTests && example.coupon
            ? { coupon: { ...example.coupon, code: 'TEST' } }
            : {}),
      },
    ]
  })
  const byExecution = new Map(variables)
  return (executionId) => byExecution.get(executionId) ?? {}
}

/** Opens with the variant it is about, so that what is in stock is what they see. */
function productUrl(
  storeUrl: string,
  { handle }: ProductOfEvent,
  { store_variant_id: variantId }: EventSubject = {},
): string {
  if (handle === null) return storeUrl
  const page = `${storeUrl.replace(/\/$/, '')}/products/${handle}`
  return variantId ? `${page}?variant=${variantId}` : page
}

/** More are not pictured. */
const SHOWN_LINES = 20
const shownLines = (subject: EventSubject | undefined) => subject?.lines?.slice(0, SHOWN_LINES) ?? []
const pictureOf = (product: ProductOfEvent | undefined) =>
  product?.image_url ? { image_url: product.image_url } : undefined

/** What each line of an order cost; of a basket, what the store asks for it now. */
async function readLineCosts(
  scope: TransactionScope,
  executions: readonly ExecutionAt[],
): Promise<(subject: EventSubject, position: number) => { amount: number } | undefined> {
  const subjects = executions.flatMap(({ event }) => event?.subject ?? [])
  const ofOrders = await selectAmountsOfOrders(
    scope,
    subjects.flatMap(({ store_order_id: id }) => id ?? []),
  )
  const baskets = subjects.filter(({ store_order_id: id }) => id === undefined)
  const prices = await selectPricesOfVariants(scope, [
    ...new Set(baskets.flatMap((basket) => (basket.lines ?? []).flatMap(({ store_variant_id: id }) => id ?? []))),
  ])
  return ({ store_order_id: orderId, lines }, position) => {
    const line = lines?.[position]
    const price = prices.get(line?.store_variant_id ?? 0)
    const amount =
      orderId === undefined
        ? price !== undefined && line
          ? price * line.quantity
          : undefined
        : ofOrders.get(`${orderId} ${position}`)
    return amount === undefined ? undefined : { amount }
  }
}

const productIdOf = ({ event }: ExecutionAt): number | null =>
  event?.subject.store_product_id ??
  event?.subject.lines?.find(({ store_product_id: id }) => id !== null)?.store_product_id ??
  null
