import { LineError, type LineOutcome } from '../../../integrations/line/index.ts'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { markUnitRefused } from './openings-queries.ts'
import { startOfMonth } from './month.ts'

/** Units an account may use in a month (limits.json). */
const MOST_UNITS = 1000

/** The name the platform counts a message under: letters and digits, 30 at most, which the id of the message as it is would be too long for. */
export const unitOf = (messageId: string): string =>
  `m${BigInt(`0x${messageId.replaceAll('-', '')}`)
    .toString(36)
    .padStart(25, '0')}`

/**
 * After a refused hand-over: whether it was for its unit, because the month's units are used up. Then that is written, and it may leave
 * without. What was taken under the unit stays as it is: while any of the message was, the unit is one of the month's. An outcome where it
 * could not be asked.
 */
export async function isUnitRefused(
  scope: MerchantScope,
  messageId: string,
  token: string,
): Promise<boolean | LineOutcome> {
  try {
    if ((await scope.context.integrations.line.messages.unitsUsed(token)) < MOST_UNITS) return false
  } catch (error) {
    // It was refused, so no one got it, and it waits until this can be asked.
    if (error instanceof LineError) return { kind: 'unreachable', detail: error.message }
    throw error
  }
  return markUnitRefused(scope, messageId, startOfMonth(scope.context.clock.now()))
}
