import { z } from 'zod'
import { Condition } from '../../segments/condition.ts'
import type { EventKind } from '../event.ts'
import { type NodeKindName, nodeKinds, nodeRules } from '../node-kinds/index.ts'
import { Target } from '../node-kinds/node-kind.ts'
import { Trigger } from '../trigger.ts'

/** A larger flow is refused: no page can show it. */
export const MAX_NODES = 300
/** Limit of a request with a flow: enough for {@link MAX_NODES} nodes with 20 condition rows each. */
export const FLOW_LIMIT_BYTES = 1024 * 1024

type Shape = (typeof nodeKinds)[NodeKindName]['shape']
const shapes = Object.values(nodeKinds).map(({ shape }) => shape) as [Shape, ...Shape[]]
export const FlowNode = z.discriminatedUnion('kind', shapes, 'not_allowed').meta({ id: 'FlowNode' })
export type FlowNode = z.output<typeof FlowNode>
export type NodeOf<K extends NodeKindName> = Extract<FlowNode, { kind: K }>

export const emailOf = ({ settings }: FlowNode): string | null => ('email_id' in settings ? settings.email_id : null)
export const lineMessageOf = ({ settings }: FlowNode): string | null =>
  'line_message_id' in settings ? settings.line_message_id : null
/** A channel that nodes send by. The ledger may know more. */
export type NodeChannel = 'email' | 'line'
/** The way a kind of node sends; null for those that send nothing. */
export const channelOfKind = (kind: NodeKindName): NodeChannel | null =>
  kind === 'send_email' ? 'email' : kind === 'send_line' ? 'line' : null
/** What a node sends: the id of an email or of a LINE message. */
export const contentOf = (node: FlowNode): string | null => emailOf(node) ?? lineMessageOf(node)
export const conditionOf = ({ settings }: FlowNode): Condition | null =>
  'condition' in settings ? settings.condition : null
export const awaitedOf = ({ settings }: FlowNode): EventKind | null => ('event' in settings ? settings.event : null)

/** When a customer may enter again. Except with `always`, never while an earlier execution of theirs runs. */
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
      /** One execution per event, also at the same time: two orders, two follow-ups. */
      z.strictObject({ mode: z.literal('always') }),
    ],
    'not_allowed',
  )
  .meta({ id: 'Reentry' })
export type Reentry = z.output<typeof Reentry>

/**
 * What ends an execution early. `order_cancelled` means the order that started it, `coupon_used` the coupon it issued.
 * `checkout_left`: the customer left during checkout, and that starts another scenario. `favorite_removed`: the favorite that started it.
 */
export const endsOn = [
  'bought',
  'checkout_left',
  'order_cancelled',
  'coupon_used',
  'favorite_removed',
  'unsubscribed',
] as const
export const EndsOn = z.enum(endsOn)
export type EndsOn = z.output<typeof EndsOn>

/** Saving a changed flow makes a new version; running executions stay on the version they entered. */
export const Flow = z
  .strictObject({
    trigger: Trigger,
    /** Who may enter, checked when the event is processed; null: everyone. */
    condition: Condition.nullable(),
    reentry: Reentry,
    ends_on: z.array(EndsOn).max(endsOn.length),
    start: Target,
    nodes: z.array(FlowNode).max(MAX_NODES, 'too_long'),
  })
  .meta({ id: 'Flow' })
export type Flow = z.output<typeof Flow>

/** The ports in use, in drawing order. */
export const portsOf = ({ kind, settings, next }: FlowNode): readonly string[] =>
  nodeRules(kind).ports?.(settings) ?? Object.keys(next)
/** The node a port leads to; null: the execution ends there. */
export const nextOf = (node: FlowNode, port: string): string | null =>
  (node.next as Record<string, string | null>)[port] ?? null
