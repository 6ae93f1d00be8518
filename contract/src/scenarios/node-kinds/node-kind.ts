import { z } from 'zod'
import { line } from '../../fields.ts'
import type { Locale } from '../../locale.ts'
import type { ConditionCategory } from '../../segments/condition.ts'
import type { FlowProblem } from '../flow-problem.ts'
import type { KindWords } from '../kind-words.ts'
import type { Clause, FlowSaying } from '../phrases.ts'

const NodeId = z.string().regex(/^[\w-]{1,40}$/, 'invalid')
/** The id of the node that follows; null: the execution ends there. */
export const Target = NodeId.nullable()

const shapeOf = <K extends string, S extends z.ZodRawShape, P extends string>(
  kind: K,
  settings: S,
  ports: readonly P[],
) =>
  z.strictObject({
    id: NodeId,
    /** What the merchant calls it; empty: the page says what the node does. */
    name: line(0, 100),
    position: z.object({ x: z.number().finite(), y: z.number().finite() }),
    kind: z.literal(kind),
    settings: z.strictObject(settings),
    next: z.strictObject(Object.fromEntries(ports.map((port) => [port, Target])) as Record<P, typeof Target>),
  })

/** All that the contract knows about one kind of node, beside its shape. */
export interface NodeRules<S> {
  words: KindWords
  /** Settings of a new one: what most people mean, or what cannot be known yet. */
  initial: S
  /** The ports that lead somewhere, in the order they are drawn, where those are not all. */
  ports?(settings: S): readonly string[]
  /** Of several ways out: what stands beside each (はい), and what begins its branch when the flow is read out (当てはまる場合). */
  way?(port: string, settings: S, language: Locale): { name: string; label: string }
  /** A way around with one of these ends some time. */
  takesTime?: true
  /** What is wrong with its settings, and in which field. */
  check?(settings: S, categories?: readonly ConditionCategory[]): [problem: FlowProblem['problem'], field: string][]
  /** The settings in a few words, as below its name on a card; empty where there are none. */
  summary(settings: S, saying: FlowSaying): string
  /** How the customer's page tells that it was done; absent: it does not tell. */
  told?: { ja: string; en: string }
  /** What it does, as a part of a sentence. */
  clause(settings: S, saying: FlowSaying): Clause
}

/** `ports`: its ways out, in the order they are drawn. */
export const nodeKind = <K extends string, S extends z.ZodRawShape, P extends string>(
  kind: K,
  settings: S,
  ports: readonly P[],
  rules: NodeRules<z.output<z.ZodObject<S, z.core.$strict>>>,
) => ({ shape: shapeOf(kind, settings, ports), rules })
