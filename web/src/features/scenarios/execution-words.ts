import type { EventKind, EventSubject } from '@okaeri/contract/scenarios/event'
import type { Execution, ExecutionStatus } from '@okaeri/contract/scenarios/execution'
import { nodeKindNames, nodeKinds, nodeRules } from '@okaeri/contract/scenarios/node-kinds/index'
import { sharePorts } from '@okaeri/contract/scenarios/node-kinds/random-split'
import { eventKinds } from '@okaeri/contract/scenarios/trigger-kinds/index'
import type { Locale } from '@okaeri/contract/locale'
import type { Tone } from '../../ui/status-badge.tsx'
import { kindName } from './flow-names.ts'

export const executionTones: Record<ExecutionStatus, Tone> = {
  running: 'progress',
  paused: 'warning',
  late: 'warning',
  failed: 'danger',
  done: 'success',
  resolved: 'neutral',
}

/** Asleep until its time, as opposed to being moved right now. */
export const isAsleep = (
  { status, wake_at }: Pick<Execution, 'status' | 'wake_at'>,
  now: number = Date.now(),
): boolean => status === 'running' && wake_at !== null && Date.parse(wake_at) > now

/** A node as history rows name it: the merchant's name for it, or its kind. */
export function stepTitle(step: { kind: string; name: string }, language: Locale): string {
  const kind = nodeKindNames.find((each) => each === step.kind)
  return step.name || (kind ? kindName(nodeRules(kind).words, language) : step.kind)
}

/** An event as a thing in a table or a list. */
export function eventName(kind: EventKind, language: Locale): string {
  const name = eventKinds[kind].event[language]
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** The way by which a step of a history was left; null where there was only one. Its shares are in the flow, not in its history. */
export function wayTaken(
  { node_kind, outcome }: { node_kind: string; outcome: string },
  language: Locale,
): string | null {
  if (sharePorts.some((port) => port === outcome)) return outcome.toUpperCase()
  const kind = nodeKindNames.find((each) => each === node_kind)
  if (!kind || !(outcome in nodeKinds[kind].shape.shape.next.shape)) return null
  const { way, initial } = nodeRules(kind)
  return way?.(outcome, initial, language).name ?? null
}

/** What the event was about, in a few words of the store's own. */
export function subjectText(subject: EventSubject): string | null {
  if (subject.order_name) return subject.order_name
  if (subject.coupon_code) return subject.coupon_code
  const titles = subject.lines?.map(({ title }) => title) ?? []
  return titles.length > 0 ? titles.slice(0, 2).join(', ') : null
}
