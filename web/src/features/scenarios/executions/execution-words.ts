import type { EventKind, EventSubject } from '@okaeri/contract/scenarios/event'
import type { Execution } from '@okaeri/contract/scenarios/execution'
import type { ExecutionStatus } from '@okaeri/contract/scenarios/execution-status'
import { nodeKindNames, nodeKinds, nodeRules } from '@okaeri/contract/scenarios/node-kinds/index'
import { capitalized } from '@okaeri/contract/scenarios/flow/phrases'
import { sharePorts } from '@okaeri/contract/scenarios/node-kinds/random-split'
import { eventKinds } from '@okaeri/contract/scenarios/trigger-kinds/index'
import type { Locale } from '@okaeri/contract/locale'
import type { Tone } from '../../../ui/status-badge.tsx'

export const executionTones: Record<ExecutionStatus, Tone> = {
  running: 'progress',
  paused: 'warning',
  late: 'warning',
  failed: 'danger',
  done: 'success',
  resolved: 'neutral',
}

/** Asleep until its time, not being run right now. */
export const isAsleep = (
  { status, wake_at }: Pick<Execution, 'status' | 'wake_at'>,
  now: number = Date.now(),
): boolean => status === 'running' && wake_at !== null && Date.parse(wake_at) > now

/** The merchant's name for the node, or else its kind. */
export function stepTitle(step: { kind: string; name: string }, language: Locale): string {
  const kind = nodeKindNames.find((each) => each === step.kind)
  return step.name || (kind ? nodeRules(kind).words.name[language] : step.kind)
}

export function eventName(kind: EventKind, language: Locale): string {
  return capitalized(eventKinds[kind].event[language])
}

/** The port a history row left by; null if the node has only one. Without the share: that is in the flow, not in the history. */
export function takenPortText(
  { node_kind, outcome }: { node_kind: string; outcome: string },
  language: Locale,
): string | null {
  if (sharePorts.some((port) => port === outcome)) return outcome.toUpperCase()
  const kind = nodeKindNames.find((each) => each === node_kind)
  if (!kind || !(outcome in nodeKinds[kind].shape.shape.next.shape)) return null
  const { way, initial } = nodeRules(kind)
  return way?.(outcome, initial, language).name[language] ?? null
}

/** What the event was about, in the store's own words. */
export function subjectText(subject: EventSubject): string | null {
  if (subject.order_name) return subject.order_name
  if (subject.coupon_code) return subject.coupon_code
  const titles = subject.lines?.map(({ title }) => title) ?? []
  return titles.length > 0 ? titles.slice(0, 2).join(', ') : null
}
