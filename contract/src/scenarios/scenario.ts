import { z } from 'zod'
import { line } from '../fields.ts'
import { CouponTerms } from '../coupons/coupon.ts'
import { Money } from '../money.ts'
import { Condition } from '../segments/condition.ts'
import { Flow, Reentry } from './flow.ts'
import { FlowProblem } from './flow-problem.ts'

/** Spec §4. Only active ones run. */
export const scenarioStatuses = ['draft', 'active', 'stopped', 'deleted'] as const
export const ScenarioStatus = z.enum(scenarioStatuses)
export type ScenarioStatus = z.output<typeof ScenarioStatus>

export type ScenarioVerb = 'edit' | 'enable' | 'stop' | 'duplicate' | 'delete' | 'test' | 'rehearse' | 'enter_segment'
const allowed: Record<ScenarioVerb, readonly ScenarioStatus[]> = {
  // An active one is edited too: who is in it stays on the version they entered.
  edit: ['draft', 'stopped', 'active'],
  enable: ['draft', 'stopped'],
  stop: ['active'],
  duplicate: ['draft', 'active', 'stopped'],
  delete: ['draft', 'stopped'],
  test: ['draft', 'active', 'stopped'],
  rehearse: ['draft', 'active', 'stopped'],
  enter_segment: ['active'],
}
/** The rule both sides obey: the API refuses by it, the button is disabled by it. */
export const scenarioAllows = (verb: ScenarioVerb, status: ScenarioStatus): boolean => allowed[verb].includes(status)

/** More entries in an hour than this pull the brake of a scenario: a person looks first. */
export const ENTRIES_PER_HOUR = 20_000

/** More executions than this are not counted one by one: a page then says "at least". */
export const EXECUTIONS_COUNTED_TO = 10_000

/** Active at once, of one merchant, and how large their flows may be together: each event is compared with all of them. */
export const MAX_ACTIVE_SCENARIOS = 200
export const MAX_ACTIVE_FLOW_BYTES = 10 * 1024 * 1024

/** `form`: the fields of a template, which make the flow. `flow`: the graph itself; there is no way back once saved (spec §4). */
export const ScenarioMode = z.enum(['form', 'flow'])
/** A value of a template's field, by its slug. */
export const FormValues = z.record(
  z.string().max(50),
  z.union([z.string().max(2000), z.number().finite(), z.boolean(), z.null()]),
)
export type FormValues = z.output<typeof FormValues>

/** Spec §3: who may enter a scenario in form mode and what its coupon asks, beside the fields of the template, whatever that is. */
export const FormConditions = z
  .strictObject({
    /** Null: everyone. */
    condition: Condition.nullable(),
    /** Null: as the template has it. */
    reentry: Reentry.nullable(),
    /** Of the coupon, where the form issues one. */
    coupon: CouponTerms.pick({ minimum: true, applies_to: true }),
  })
  .meta({ id: 'FormConditions' })
export type FormConditions = z.output<typeof FormConditions>
export const NO_CONDITIONS: FormConditions = {
  condition: null,
  reentry: null,
  coupon: { minimum: { kind: 'none' }, applies_to: { kind: 'all' } },
}

export const ScenarioName = line(1, 100)
export const scenarioFields = {
  name: ScenarioName,
  /** Spec §3: also those without consent to marketing (never the suppressed). */
  include_all_customers: z.boolean('not_a_boolean'),
  /** `always`: not counted and not held back by the cap on how often one person is mailed. */
  priority: z.enum(['normal', 'always'], 'not_allowed'),
  /** Share that enters and is sent nothing, to see what the scenario brings. */
  holdout_percent: z.int('not_a_number').min(0, 'too_small').max(50, 'too_big'),
} as const

export const Scenario = z
  .object({
    id: z.uuid(),
    name: z.string(),
    status: ScenarioStatus,
    mode: ScenarioMode,
    /** The template's class name, e.g. BirthdayAction; null for one begun empty. */
    template: z.string().nullable(),
    form: FormValues.nullable(),
    /** In form mode; a flow has its own. */
    conditions: FormConditions.nullable(),
    trigger: Flow.shape.trigger,
    include_all_customers: z.boolean(),
    priority: z.enum(['normal', 'always']),
    holdout_percent: z.int(),
    version: z.int(),
    /** Executions that are not tests; these four are counted up to {@link EXECUTIONS_COUNTED_TO}. */
    execution_count: z.int(),
    /** False: there are at least `execution_count`. */
    execution_count_exact: z.boolean(),
    running_count: z.int(),
    failed_count: z.int(),
    /** Wake-ups that wait for an answer: send or skip. */
    late_count: z.int(),
    /** Those whose event could not be looked at because something failed, and since when; null where there are none. */
    failed_entries: z.object({ count: z.int(), since: z.iso.datetime() }).nullable(),
    /** Set while the brake is pulled: so many events wait to enter. */
    braked: z.object({ since: z.iso.datetime(), waiting: z.int() }).nullable(),
    sent_count: z.int(),
    open_rate: z.number(),
    click_rate: z.number(),
    order_count: z.int(),
    revenue: Money,
    problems: z.array(FlowProblem),
    enabled_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Scenario' })
export type Scenario = z.output<typeof Scenario>

/** What asks about a scenario in its conditions; it is not deleted while it does. */
export const ScenarioUse = z
  .object({ type: z.enum(['segment', 'scenario']), id: z.uuid(), name: z.string(), status: z.string() })
  .meta({ id: 'ScenarioUse' })
export type ScenarioUse = z.output<typeof ScenarioUse>

/** The most frequent first; each counted up to {@link EXECUTIONS_COUNTED_TO}. */
const ByReason = z.array(z.object({ reason: z.string(), count: z.int() }))
/**
 * What passed a node, over all versions that have it. How many wait there, or have failed there, now is counted up to
 * {@link EXECUTIONS_COUNTED_TO}.
 */
export const NodeCounts = z
  .object({
    node_id: z.string(),
    entered: z.int(),
    waiting: z.int(),
    passed: z.int(),
    failed: z.int(),
    sent: z.int(),
    opened: z.int(),
    clicked: z.int(),
    revenue: Money,
    /** Whom its mail was not sent to: a `SkipReason`. */
    skipped: ByReason,
    /** Who ended there before the last node: an `EndReason`. */
    ended: ByReason,
  })
  .meta({ id: 'NodeCounts' })
export type NodeCounts = z.output<typeof NodeCounts>
