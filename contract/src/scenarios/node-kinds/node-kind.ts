import { z } from 'zod'
import { line } from '../../fields.ts'
import type { Locale, Localized } from '../../locale.ts'
import type { ConditionCategory } from '../../segments/condition.ts'
import type { FlowProblem } from '../flow/flow-problem.ts'
import type { KindWords } from '../flow/kind-words.ts'
import type { Clause, FlowSaying } from '../flow/phrases.ts'

const NodeId = z.string().regex(/^[\w-]{1,40}$/, 'invalid')
/** The next node; null: the execution ends there. */
export const Target = NodeId.nullable()

const shapeOf = <K extends string, S extends z.ZodRawShape, P extends string>(
  kind: K,
  settings: S,
  ports: readonly P[],
) =>
  z.strictObject({
    id: NodeId,
    /** The merchant's name for it; when empty, the page says what the node does. */
    name: line(0, 100),
    position: z.object({ x: z.number().finite(), y: z.number().finite() }),
    kind: z.literal(kind),
    settings: z.strictObject(settings),
    next: z.strictObject(Object.fromEntries(ports.map((port) => [port, Target])) as Record<P, typeof Target>),
  })

/** What a check of settings may ask besides them. */
export interface CheckContext {
  /** The condition categories the merchant has; absent: not known. */
  categories?: readonly ConditionCategory[] | undefined
  /** The kind of another node of the flow. */
  kindOf: (id: string) => string | undefined
}

/** The next time of day in the merchant's zone, or the next of these ISO weekdays at it. */
export type WaitUntil =
  | { mode: 'until_time'; time: string }
  | { mode: 'until_weekday'; weekdays: number[]; time: string }

/** What the contract says of one kind of node, besides its shape. */
export interface NodeRules<S> {
  words: KindWords
  /** Settings of a new node: the most usual values, or empty ones. */
  initial: S
  /** The ports in use, in drawing order; absent: all of them. */
  ports?(settings: S): readonly string[]
  /** With several ports: `name` stands next to the port (はい), `label` begins its branch in the description (当てはまる場合). */
  way?(port: string, settings: S, language: Locale): Record<'name' | 'label', Localized>
  /** Customers wait here. Where time always passes, a loop through it is allowed. */
  takesTime?: 'always' | 'sometimes'
  /** The time of day it waits until, if it does; these waits are moved when the merchant's zone changes. */
  waitsUntil?(settings: S): WaitUntil | null
  /** Short, below its icon in small drawings. */
  caption?(settings: S, language: Locale): string | null
  /** What is wrong with its settings, and in which field. */
  check?(settings: S, around: CheckContext): [problem: FlowProblem['problem'], field: string][]
  /** The settings in a few words, for the card; empty if it has none. */
  summary(settings: S, saying: FlowSaying): Localized
  /** How the customer's timeline introduces it; absent: the timeline does not show it. */
  timelineLabel?: Localized
  clause(settings: S, saying: FlowSaying): Clause
}

/** `ports` are in drawing order. `icon` names a picture of the pages: flow-picture/node-icon.tsx. */
export const nodeKind = <K extends string, S extends z.ZodRawShape, P extends string, const I extends string>(
  kind: K,
  settings: S,
  ports: readonly P[],
  { icon, ...rules }: NodeRules<z.output<z.ZodObject<S, z.core.$strict>>> & { icon: I },
) => ({ shape: shapeOf(kind, settings, ports), icon, rules })
