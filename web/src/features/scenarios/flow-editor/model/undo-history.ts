import type { Flow } from '@okaeri/contract/scenarios/flow/flow'

/** Changes of one kind closer together than this are one undo step. */
const ONE_STEP_MS = 1200
const MAX_STEPS = 200

export interface FlowHistory {
  past: readonly Flow[]
  flow: Flow
  future: readonly Flow[]
  last: { kind: string; at: number } | null
}
export const begun = (flow: Flow): FlowHistory => ({ past: [], flow, future: [], last: null })

/** `typing`: quick changes of the same kind, such as typing in one field, are undone together. */
export function changed(history: FlowHistory, flow: Flow, typing?: { kind: string; at: number }): FlowHistory {
  if (flow === history.flow) return history
  const { last, past } = history
  const continues =
    typing !== undefined && last !== null && last.kind === typing.kind && typing.at - last.at < ONE_STEP_MS
  return {
    past: continues ? past : [...past, history.flow].slice(-MAX_STEPS),
    flow,
    future: [],
    last: typing ?? null,
  }
}
export function undone(history: FlowHistory): FlowHistory {
  const before = history.past.at(-1)
  if (before === undefined) return history
  return { past: history.past.slice(0, -1), flow: before, future: [...history.future, history.flow], last: null }
}
export function redone(history: FlowHistory): FlowHistory {
  const after = history.future.at(-1)
  if (after === undefined) return history
  return { past: [...history.past, history.flow], flow: after, future: history.future.slice(0, -1), last: null }
}
