import { z } from 'zod'
import { Condition } from '../segments/condition.ts'
import type { EventKind } from './event.ts'
import { type NodeKindName, nodeKinds, nodeRules } from './node-kinds/index.ts'
import { Target } from './node-kinds/node-kind.ts'
import { Trigger } from './trigger.ts'

/** A flow larger than this is refused: no page can show it. */
export const MAX_NODES = 300
/** Of a request that brings a flow: {@link MAX_NODES} nodes with conditions of 20 rows each fit. */
export const FLOW_LIMIT_BYTES = 1024 * 1024

type Shape = (typeof nodeKinds)[NodeKindName]['shape']
const shapes = Object.values(nodeKinds).map(({ shape }) => shape) as [Shape, ...Shape[]]
export const FlowNode = z.discriminatedUnion('kind', shapes, 'not_allowed').meta({ id: 'FlowNode' })
export type FlowNode = z.output<typeof FlowNode>
export type NodeOf<K extends NodeKindName> = Extract<FlowNode, { kind: K }>

/** The mail, the condition and the event that the settings of a node name; null where they name none. */
export const emailOf = ({ settings }: FlowNode): string | null => ('email_id' in settings ? settings.email_id : null)
export const conditionOf = ({ settings }: FlowNode): Condition | null =>
  'condition' in settings ? settings.condition : null
export const awaitedOf = ({ settings }: FlowNode): EventKind | null => ('event' in settings ? settings.event : null)

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
export const portsOf = ({ kind, settings, next }: FlowNode): readonly string[] =>
  nodeRules(kind).ports?.(settings) ?? Object.keys(next)
/** The id of the node that follows behind a port; null where the execution ends there. */
export const nextOf = (node: FlowNode, port: string): string | null =>
  (node.next as Record<string, string | null>)[port] ?? null
