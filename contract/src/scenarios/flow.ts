import { z } from 'zod'
import { Id, line, TimeOfDay } from '../fields.ts'
import { TrackingParameters } from '../campaigns/campaign.ts'
import { CouponTerms } from '../coupons/coupon.ts'
import { Condition } from '../segments/condition.ts'
import { EventKind } from './event.ts'
import { Trigger } from './trigger.ts'

/** A flow larger than this is refused: no page can show it. */
export const MAX_NODES = 300
/** Of a request that brings a flow: {@link MAX_NODES} nodes with conditions of 20 rows each fit. */
export const FLOW_LIMIT_BYTES = 1024 * 1024
/** Spec §5: an interval lies between {min} minutes and {max} days. */
export const MIN_WAIT_MINUTES = 1
export const MAX_WAIT_DAYS = 365
export const MAX_SHARES = 5

export const waitUnits = ['minutes', 'hours', 'days'] as const
export const minutesPer = { minutes: 1, hours: 60, days: 1440 } as const

const NodeId = z.string().regex(/^[\w-]{1,40}$/, 'invalid')
/** The page marks these at their fields by {@link isAllowedDuration}; the number itself may be anything while one types. */
const duration = { amount: z.int('not_a_number').min(1, 'too_small'), unit: z.enum(waitUnits, 'not_allowed') }
/** In minutes; a day has 1,440 of them here, however long it is in the calendar. */
export const durationMinutes = (of: { amount: number; unit: (typeof waitUnits)[number] }): number =>
  of.amount * minutesPer[of.unit]
/** Whether it lies between {@link MIN_WAIT_MINUTES} and {@link MAX_WAIT_DAYS}. */
export const isAllowedDuration = (of: { amount: number; unit: (typeof waitUnits)[number] }): boolean =>
  durationMinutes(of) >= MIN_WAIT_MINUTES && durationMinutes(of) <= MAX_WAIT_DAYS * 1440

const common = {
  id: NodeId,
  /** What the merchant calls it; empty: the page says what the node does. */
  name: line(0, 100),
  position: z.object({ x: z.number().finite(), y: z.number().finite() }),
}
const Target = NodeId.nullable()
const node = <K extends string, S extends z.ZodRawShape, P extends string>(kind: K, settings: S, ports: readonly P[]) =>
  z.strictObject({
    ...common,
    kind: z.literal(kind),
    settings: z.strictObject(settings),
    /** By port: the node that follows. Null: the execution ends there. */
    next: z.strictObject(Object.fromEntries(ports.map((port) => [port, Target])) as Record<P, typeof Target>),
  })

/** Ports of a random split, in the order of its shares. */
export const sharePorts = ['a', 'b', 'c', 'd', 'e'] as const

export const SendEmail = node(
  'send_email',
  { email_id: Id.nullable(), tracking_parameters: TrackingParameters.nullable() },
  ['next'],
)
/** The channel comes later: the node can be drawn, not enabled. */
export const SendLine = node('send_line', { line_message_id: Id.nullable() }, ['next'])
export const Wait = node(
  'wait',
  {
    wait: z.discriminatedUnion(
      'mode',
      [
        z.strictObject({ mode: z.literal('for'), ...duration }),
        /** The next time it is this late in the merchant's zone. */
        z.strictObject({ mode: z.literal('until_time'), time: TimeOfDay }),
        /** ISO weekdays, 1 Monday to 7 Sunday; the next of them at that time. */
        z.strictObject({
          mode: z.literal('until_weekday'),
          weekdays: z.array(z.int().min(1).max(7)).min(1, 'required').max(7),
          time: TimeOfDay,
        }),
        /**
         * As long as the store's customers usually take to buy again what the event was about; of several products the one that is needed
         * first. `days` where that is not known.
         */
        z.strictObject({
          mode: z.literal('usual_interval'),
          days: z.int('not_a_number').min(1, 'too_small').max(MAX_WAIT_DAYS, 'too_big'),
        }),
      ],
      'not_allowed',
    ),
  },
  ['next'],
)
export const WaitForEvent = node('wait_for_event', { event: EventKind, ...duration }, ['happened', 'timed_out'])
export const Branch = node('branch', { condition: Condition.nullable() }, ['yes', 'no'])
export const RandomSplit = node(
  'random_split',
  {
    shares: z
      .array(z.int('not_a_number').min(1, 'too_small').max(99, 'too_big'))
      .min(2, 'too_short')
      .max(MAX_SHARES, 'too_long'),
  },
  sharePorts,
)
export const IssueCoupon = node('issue_coupon', { coupon: CouponTerms }, ['next'])
const Tag = line(1, 255)
export const TagCustomer = node(
  'tag_customer',
  { add: z.array(Tag).max(20, 'too_long'), remove: z.array(Tag).max(20, 'too_long') },
  ['next'],
)
export const AddNote = node('add_note', { text: z.string().max(1000, 'too_long') }, ['next'])
export const CallWebhook = node('call_webhook', { url: z.string().max(2000, 'too_long') }, ['next'])
export const End = node('end', {}, [])

export const FlowNode = z
  .discriminatedUnion(
    'kind',
    [SendEmail, SendLine, Wait, WaitForEvent, Branch, RandomSplit, IssueCoupon, TagCustomer, AddNote, CallWebhook, End],
    'not_allowed',
  )
  .meta({ id: 'FlowNode' })
export type FlowNode = z.output<typeof FlowNode>
export type NodeKindName = FlowNode['kind']
export type NodeOf<K extends NodeKindName> = Extract<FlowNode, { kind: K }>

/** When someone who was in the scenario may enter again. Never while an execution of theirs runs, unless `always`. */
export const Reentry = z
  .discriminatedUnion(
    'mode',
    [
      z.strictObject({ mode: z.literal('once') }),
      z.strictObject({
        mode: z.literal('every_days'),
        days: z.int('not_a_number').min(1, 'too_small').max(3650, 'too_big'),
      }),
      z.strictObject({ mode: z.literal('when_none_runs') }),
      /** For each event one, also beside another: two orders, two follow-ups. */
      z.strictObject({ mode: z.literal('always') }),
    ],
    'not_allowed',
  )
  .meta({ id: 'Reentry' })
export type Reentry = z.output<typeof Reentry>

/**
 * What ends an execution before its last node. `order_cancelled`: the order that started it; `coupon_used`: the coupon it issued;
 * `checkout_left`: the customer came as far as the checkout, and another scenario is started by that.
 */
export const endsOn = ['bought', 'checkout_left', 'order_cancelled', 'coupon_used', 'unsubscribed'] as const
export const EndsOn = z.enum(endsOn)
export type EndsOn = z.output<typeof EndsOn>

/** What runs. A saved flow that differs is a new version; a running execution stays on its own. */
export const Flow = z
  .strictObject({
    trigger: Trigger,
    /** Who may enter, asked when the event is looked at; null: everyone. */
    condition: Condition.nullable(),
    reentry: Reentry,
    ends_on: z.array(EndsOn).max(endsOn.length),
    /** The first node; null in an empty draft. */
    start: Target,
    nodes: z.array(FlowNode).max(MAX_NODES, 'too_long'),
  })
  .meta({ id: 'Flow' })
export type Flow = z.output<typeof Flow>

/** The ports of a node that lead somewhere, in the order they are drawn. */
export function portsOf(node: FlowNode): readonly string[] {
  if (node.kind === 'random_split') return sharePorts.slice(0, node.settings.shares.length)
  return Object.keys(node.next)
}
/** The id of the node that follows behind a port; null where the execution ends there. */
export const nextOf = (node: FlowNode, port: string): string | null =>
  (node.next as Record<string, string | null>)[port] ?? null

/** What is wrong with a flow, at a node or (null) with the whole. The page marks the node and says why. */
export const flowProblems = [
  // of the whole
  'no_nodes',
  'no_start',
  'trigger_incomplete',
  'condition_invalid',
  'duplicate_node',
  'cycle_without_wait',
  // of one node
  'unknown_target',
  'unreachable',
  'email_missing',
  'email_gone',
  'email_unfit',
  'sender_unconfirmed',
  'email_lacks_event',
  'email_lacks_coupon',
  'line_not_connected',
  'duration_out_of_range',
  'shares_not_hundred',
  'coupon_incomplete',
  'coupon_not_granted',
  'no_tags',
  'note_empty',
  'url_invalid',
  'segment_gone',
  'metafield_gone',
  'plan_forbids',
  // of the merchant: mails wait, nothing fails
  'account_unconfirmed',
] as const
export const FlowProblem = z
  .object({
    node_id: z.string().nullable(),
    problem: z.enum(flowProblems),
    field: z.string().nullable(),
    /** Of `sender_unconfirmed`: the address whose owner is to confirm it. */
    sender: z.string().optional(),
  })
  .meta({ id: 'FlowProblem' })
export type FlowProblem = z.output<typeof FlowProblem>
