import { z } from 'zod'

/**
 * `running`: at a node, or asleep until `wake_at`. `paused`: by a member. `late`: its wake-up was found more than a day late; a member
 * decides. `failed`: a step failed and it stays at that node. `done`: ended, see `end_reason`. `resolved`: failed, and accepted as such.
 */
export const executionStatuses = ['running', 'paused', 'late', 'failed', 'done', 'resolved'] as const
export const ExecutionStatus = z.enum(executionStatuses)
export type ExecutionStatus = z.output<typeof ExecutionStatus>

export const endReasons = [
  'finished',
  'bought',
  'checkout_left',
  'order_cancelled',
  'coupon_used',
  'favorite_removed',
  'unsubscribed',
  'customer_gone',
  'late_skipped',
  /** The answer to a restock registration: it is sold out again, and they are notified at the next return. */
  'out_of_stock',
  'stopped',
] as const
export const EndReason = z.enum(endReasons)
export type EndReason = z.output<typeof EndReason>

/** Why a step failed. The page says what to do. */
export const stepErrors = [
  'email_gone',
  'line_message_gone',
  'segment_gone',
  'template_broken',
  'coupon_not_made',
  'coupon_expired',
  'event_gone',
  'store_refused',
  'webhook_unreachable',
  'webhook_refused',
  'line_not_connected',
  'endless',
  'internal',
] as const
export const StepError = z.enum(stepErrors)
export type StepError = z.output<typeof StepError>

export type ExecutionVerb = 'pause' | 'play' | 'restart' | 'resolve' | 'update' | 'delete'
const allowed: Record<ExecutionVerb, readonly ExecutionStatus[]> = {
  pause: ['running', 'failed'],
  // A failed step is tried again.
  play: ['paused', 'failed', 'late'],
  // Spec §4: from the beginning, with new mails and coupons.
  restart: ['paused', 'failed', 'late', 'done', 'resolved', 'running'],
  resolve: ['failed', 'late'],
  update: ['running', 'paused', 'failed', 'late'],
  delete: ['running', 'paused', 'late', 'failed', 'done', 'resolved'],
}
/** Both sides use this rule: the API refuses by it (`execution_status_forbids`), the page disables the button by it. */
export const executionAllows = (verb: ExecutionVerb, status: ExecutionStatus): boolean => allowed[verb].includes(status)
