import type { EventKind, EventSubject } from '@okaeri/contract/scenarios/event'
import type { EndReason, StepError } from '@okaeri/contract/scenarios/execution'
import type { Flow, NodeOf } from '@okaeri/contract/scenarios/flow'
import type { NodeKindName } from '@okaeri/contract/scenarios/node-kinds/index'
import type { TransactionScope } from '../../kernel/merchant-scope.ts'
import type { PastVisit, Rehearsed } from './past.ts'

/** One kind of node: the only place that knows what such a node does. `nodes/index.ts` lists them. */
export interface NodeKind<K extends NodeKindName> {
  /** It writes nothing and asks nothing about executions: whoever is let in may be taken through it before their execution is written. */
  onlyDecides?(settings: NodeOf<K>['settings']): boolean
  /** A mail or a coupon: whoever had it does not come to it again by being moved to another version. */
  readonly brings?: true
  /** Whether somebody who waits at one may go on waiting at the other, which has taken its place. */
  isSameWait?(before: NodeOf<K>['settings'], after: NodeOf<K>['settings']): boolean
  /**
   * Runs the node for all these executions at once, in the engine's transaction; answers one move each, in the same order. Whatever is to
   * happen outside is written as an intent, keyed by execution, node and round. What throws is tried again with fewer executions; one that
   * throws alone fails as `internal`.
   */
  advance(step: NodeStep<K>): Promise<readonly Move[]>
  /** What would have become of somebody who came there in the past. */
  rehearse(node: NodeOf<K>, visit: PastVisit): Rehearsed
}

export interface NodeStep<K extends NodeKindName> {
  scope: TransactionScope
  scenario: ScenarioOfStep
  node: NodeOf<K>
  executions: readonly ExecutionAt[]
}

/** What nodes may know of the scenario; `flow` is the version these executions are on. */
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
  /** Counts restarts and the laps of a loop: with the node it names one visit. */
  round: number
  /** Waits take no time, mails go to the test addresses, nothing else happens outside. */
  test: boolean
  /** Goes through everything and is sent nothing. */
  held_out: boolean
  coupon_id: string | null
  /** How often this visit of the node has failed before. */
  attempts: number
  created_at: Date
  /** Null when the node is just reached. */
  asleep_since: Date | null
  /** Since when it has been moving without a wait: its event, or its last wake-up. What happened since then happened "after" the step before. */
  moving_since: Date
  /** What a wait counts from: its event, its last wake-up, or a mail it has just sent. */
  waits_from: Date
  /** Null when what started it is no longer kept. */
  event: { id: string; kind: EventKind; subject: EventSubject; occurred_at: Date } | null
  woken: Woken
}
/** `arrived`: at the node for the first time, or again after it failed. Otherwise what ended its sleep. */
export type Woken = 'arrived' | 'timer' | 'event' | 'effect'

export type Move =
  /** Leaves by this port. `couponId`: the one its mails write from here on, null for none. `happenedAt`: when that happened which it waited for; what the next nodes wait for comes after. */
  | { to: string; detail?: Detail; deliveryId?: string; couponId?: string | null; happenedAt?: Date }
  /** Begun; goes on at that time, or when what it `awaits` comes (an event kind, or 'effect'): what happens from `since` on, by default from now. */
  | { sleepUntil: Date; awaits?: EventKind | 'effect'; since?: Date; detail?: Detail }
  | { end: EndReason; detail?: Detail }
  /** Kept at this node with the error; playing it tries the node again. */
  | { fail: StepError; detail: string }
/** For people, in stable words and values (contract: ExecutionStep). */
export type Detail = Record<string, unknown>
