import { DateTime } from 'luxon'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getMerchant } from '../merchants/index.ts'
import { writePause } from './pause-queries.ts'

/** How long a pause lasts. Only the mailbox's owner ends it sooner: it is short, and theirs. */
export const PAUSE_MONTHS = 1

/**
 * No marketing to this address (in lower case) for a month, unless a message is sent regardless of consent. The permission stays as it is.
 * Asked again while it lasts, it begins again. Returns until when.
 */
export async function pauseMarketing(scope: MerchantScope, addressKey: string): Promise<Date> {
  const { timezone } = await getMerchant(scope)
  const until = DateTime.fromJSDate(scope.now, { zone: timezone }).plus({ months: PAUSE_MONTHS }).toJSDate()
  await writePause(scope, addressKey, until)
  return until
}
