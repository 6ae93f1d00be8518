import type { EventKind, EventSubject } from '@okaeri/contract/scenarios/event'
import type { Execution, ExecutionStatus } from '@okaeri/contract/scenarios/execution'
import { type NodeKindName, sharePorts } from '@okaeri/contract/scenarios/flow'
import { eventKindWords, nodeKindWords } from '@okaeri/contract/scenarios/kind-words'
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
  const words = (nodeKindWords as Partial<Record<string, (typeof nodeKindWords)[NodeKindName]>>)[step.kind]
  return step.name || (words ? kindName(words, language) : step.kind)
}

/** An event as a thing in a table or a list. */
export function eventName(kind: EventKind, language: Locale): string {
  const name = eventKindWords[kind][language]
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Port words that no node is needed for. */
export const knownPorts = ['yes', 'no', 'happened', 'timed_out'] as const
export type KnownPort = (typeof knownPorts)[number]
export const isKnownPort = (port: string): port is KnownPort => (knownPorts as readonly string[]).includes(port)
export const isShare = (port: string): boolean => (sharePorts as readonly string[]).includes(port)

/** What the event was about, in a few words of the store's own. */
export function subjectText(subject: EventSubject): string | null {
  if (subject.order_name) return subject.order_name
  if (subject.coupon_code) return subject.coupon_code
  const titles = subject.lines?.map(({ title }) => title) ?? []
  return titles.length > 0 ? titles.slice(0, 2).join(', ') : null
}
