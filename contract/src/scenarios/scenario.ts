import { z } from 'zod'
import { nameLine } from '../fields.ts'
import { CouponTerms } from '../coupons/coupon.ts'
import { Money } from '../money.ts'
import { ChannelFigures } from '../reports/figures.ts'
import { Condition } from '../segments/condition.ts'
import { Flow, Reentry } from './flow/flow.ts'
import { FlowProblem } from './flow/flow-problem.ts'
import { HeldStep } from './step-circuit-breaker.ts'

/** Spec §4. Only active scenarios run. */
export const scenarioStatuses = ['draft', 'active', 'stopped', 'deleted'] as const
export const ScenarioStatus = z.enum(scenarioStatuses)
export type ScenarioStatus = z.output<typeof ScenarioStatus>

export type ScenarioVerb = 'edit' | 'enable' | 'stop' | 'duplicate' | 'delete' | 'test' | 'rehearse' | 'enter_segment'
const allowed: Record<ScenarioVerb, readonly ScenarioStatus[]> = {
  // Executions stay on the version they entered.
  edit: ['draft', 'stopped', 'active'],
  enable: ['draft', 'stopped'],
  stop: ['active'],
  duplicate: ['draft', 'active', 'stopped'],
  delete: ['draft', 'stopped'],
  test: ['draft', 'active', 'stopped'],
  rehearse: ['draft', 'active', 'stopped'],
  enter_segment: ['active'],
}
/** Both sides use this rule: the API refuses by it, the page disables the button by it. */
export const scenarioAllows = (verb: ScenarioVerb, status: ScenarioStatus): boolean => allowed[verb].includes(status)

/** The entry limit: with more entries in an hour, the others wait until a member has looked. */
export const ENTRIES_PER_HOUR = 20_000

/** Executions are counted up to this; the page then says "at least". */
export const EXECUTIONS_COUNTED_TO = 10_000

/** Limits of a merchant's active scenarios and of their flows together: each event is compared with all of them. */
export const MAX_ACTIVE_SCENARIOS = 200
export const MAX_ACTIVE_FLOW_BYTES = 10 * 1024 * 1024

/** `form`: edited by the fields of a template. `flow`: edited as a graph. Spec §4: once saved as a flow, there is no way back to the form. */
export const ScenarioMode = z.enum(['form', 'flow'])
/** Values of the template's fields, by slug. */
export const FormValues = z.record(
  z.string().max(50),
  z.union([z.string().max(2000), z.number().finite(), z.boolean(), z.null()]),
)
export type FormValues = z.output<typeof FormValues>

/** Spec §3: in form mode, who may enter and the terms of the coupon. The same for every template, besides its own fields. */
export const FormConditions = z
  .strictObject({
    /** Null: everyone. */
    condition: Condition.nullable(),
    /** Null: the template's. */
    reentry: Reentry.nullable(),
    /** Used if the form issues a coupon. */
    coupon: CouponTerms.pick({ minimum: true, applies_to: true }),
  })
  .meta({ id: 'FormConditions' })
export type FormConditions = z.output<typeof FormConditions>
export const NO_CONDITIONS: FormConditions = {
  condition: null,
  reentry: null,
  coupon: { minimum: { kind: 'none' }, applies_to: { kind: 'all' } },
}

export const ScenarioName = nameLine(100)
export const scenarioFields = {
  name: ScenarioName,
  /** Spec §3: also customers without marketing consent, but never suppressed addresses. */
  include_all_customers: z.boolean('not_a_boolean'),
  /** `always`: the frequency cap does not count its emails and does not hold them back. */
  priority: z.enum(['normal', 'always'], 'not_allowed'),
  /** Size of the hold-out group. */
  holdout_percent: z.int('not_a_number').min(0, 'too_small').max(50, 'too_big'),
} as const

export const Scenario = z
  .object({
    id: z.uuid(),
    name: z.string(),
    status: ScenarioStatus,
    mode: ScenarioMode,
    /** The template's class name, e.g. BirthdayAction; null if made without a template. */
    template: z.string().nullable(),
    form: FormValues.nullable(),
    /** Only in form mode. */
    conditions: FormConditions.nullable(),
    trigger: Flow.shape.trigger,
    include_all_customers: z.boolean(),
    priority: z.enum(['normal', 'always']),
    holdout_percent: z.int(),
    version: z.int(),
    /** Without tests. The four counts of executions go up to {@link EXECUTIONS_COUNTED_TO}. */
    execution_count: z.int(),
    /** False: there are at least `execution_count`. */
    execution_count_exact: z.boolean(),
    /** Not over: running, paused or late. */
    running_count: z.int(),
    failed_count: z.int(),
    /** Late executions: a member has to choose to send or skip. */
    late_count: z.int(),
    /** Customers whose entry failed, and since when; null if there are none. */
    failed_entries: z.object({ count: z.int(), since: z.iso.datetime() }).nullable(),
    /** Set while the entry limit holds: how many events wait. */
    braked: z.object({ since: z.iso.datetime(), waiting: z.int() }).nullable(),
    /** Steps whose emails are held back because too much went wrong with the last ones. */
    held_steps: z.array(HeldStep),
    /** Over all channels; the open rate is of emails alone. */
    sent_count: z.int(),
    mails_sent: z.int(),
    open_rate: z.number(),
    click_rate: z.number(),
    order_count: z.int(),
    revenue: Money,
    /** The same of each channel; empty where there is nothing but mail. */
    by_channel: z.array(ChannelFigures),
    problems: z.array(FlowProblem),
    enabled_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Scenario' })
export type Scenario = z.output<typeof Scenario>

/** A segment or scenario whose conditions use this scenario, which therefore cannot be deleted. */
export const ScenarioUse = z
  .object({ type: z.enum(['segment', 'scenario']), id: z.uuid(), name: z.string(), status: z.string() })
  .meta({ id: 'ScenarioUse' })
export type ScenarioUse = z.output<typeof ScenarioUse>

/** Most frequent first; each counted up to {@link EXECUTIONS_COUNTED_TO}. */
const ByReason = z.array(z.object({ reason: z.string(), count: z.int() }))
/** Figures of a node, over all versions that have it. `waiting` and `failed` are counted up to {@link EXECUTIONS_COUNTED_TO}. */
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
    /** How many were skipped, by `SkipReason`. */
    skipped: ByReason,
    /** How many ended early here, by `EndReason`. */
    ended: ByReason,
  })
  .meta({ id: 'NodeCounts' })
export type NodeCounts = z.output<typeof NodeCounts>
