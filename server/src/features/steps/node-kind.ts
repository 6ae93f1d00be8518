import type { EventKind, EventSubject } from '@okaeri/contract/scenarios/event'
import type { EndReason, StepError } from '@okaeri/contract/scenarios/execution-status'
import type { Flow, NodeOf } from '@okaeri/contract/scenarios/flow/flow'
import type { NodeKindName } from '@okaeri/contract/scenarios/node-kinds/index'
import type { TransactionScope } from '../../kernel/merchant-scope.ts'
import type { PastVisit, Rehearsed } from './rehearsal-past.ts'

/** The server's part of one kind of node. All kinds are listed in `nodes/index.ts`. */
export interface NodeKind<K extends NodeKindName> {
  /** It writes nothing and reads nothing about executions, so new executions can pass it before they are written. */
  onlyDecides?(settings: NodeOf<K>['settings']): boolean
  /** A mail or a coupon. A customer who had it does not get it again by being moved to another version. */
  readonly reachesCustomer?: true
  /** Whether an execution that waits at the old node can keep waiting at the new one. */
  isSameWait?(before: NodeOf<K>['settings'], after: NodeOf<K>['settings']): boolean
  /**
   * Runs the node for all these executions in one transaction; returns one move each, in the same order. What is to happen outside is
   * stored as an intent, keyed by execution, node and round. If it throws, it is tried again with fewer executions; an execution that
   * throws alone fails as `internal`.
   */
  advance(step: NodeStep<K>): Promise<readonly Move[]>
  /** What would have happened to a customer who came here in the past. */
  rehearse(node: NodeOf<K>, visit: PastVisit): Rehearsed
}

export interface NodeStep<K extends NodeKindName> {
  scope: TransactionScope
  scenario: ScenarioOfStep
  node: NodeOf<K>
  executions: readonly ExecutionAt[]
}

/** What nodes may know of the scenario. `flow` is the version of these executions. */
export interface ScenarioOfStep {
  id: string
  name: string
  version: number
  include_all_customers: boolean
  priority: 'normal' | 'always'
  flow: Flow
}

export interface ExecutionAt {
  id: string
  event_id: string | null
  customer_id: string | null
  guest_id: string | null
  /** Counts restarts and laps of a loop. Node and round together are one visit. */
  round: number
  /** Waits take no time, mails go to the test addresses, nothing else happens outside. */
  test: boolean
  /** Passes every node and is sent nothing. */
  held_out: boolean
  coupon_id: string | null
  /** How often this visit has failed before. */
  attempts: number
  created_at: Date
  /** Null when it has just arrived at the node. */
  asleep_since: Date | null
  /** Since when it has run without a wait: its event or its last wake-up. Events since then count as after the previous step. */
  moving_since: Date
  /** Where a wait begins: its event, its last wake-up, or a mail it has just sent. */
  waits_from: Date
  /** False before its first step that sends. */
  may_have_sent: boolean
  /** Null when the event is no longer stored. */
  event: { id: string; kind: EventKind; subject: EventSubject; occurred_at: Date } | null
  woken: WakeCause
}
/** `arrived`: for the first time, or again after a failure. Otherwise what ended its sleep. */
export type WakeCause = 'arrived' | 'timer' | 'event' | 'effect'

export type Move =
  /**
   * Leaves by this port. `couponId`: the coupon of the next mails, or null. `happenedAt`: when the awaited event happened; the next
   * nodes count from there.
   */
  | { to: string; detail?: Detail; deliveryId?: string; couponId?: string | null; happenedAt?: Date }
  /**
   * Sleeps until this time, or until what it `awaits` happens: an event kind, or 'effect'. Events from `since` count, by default from
   * now.
   */
  | { sleepUntil: Date; awaits?: EventKind | 'effect'; since?: Date; detail?: Detail }
  | { end: EndReason; detail?: Detail }
  /** Stays at this node with the error; playing it tries the node again. */
  | { fail: StepError; detail: string }
/**
 * Shown to members in the history (contract: ExecutionStep). `text` is shown as it is, `until` as a time, `code` as a coupon, `because` as
 * the reason when `done` is false; others need words in `step-history.tsx` of the pages.
 */
export type Detail = Record<string, unknown>
