import type { LineQuota } from '@okaeri/contract/line-quota/routes'
import { LineError } from '../../../integrations/line/index.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { MerchantScope, TransactionScope } from '../../../kernel/merchant-scope.ts'
import { countWaiting, findChannelPause, resumeAfterQuota } from '../../deliveries/index.ts'
import { addReserved, askWithToken, findLineAccount, readReservedTotal } from '../../line-accounts/index.ts'
import { getMerchant } from '../../merchants/index.ts'
import { sentByScenarios } from '../../stats/index.ts'
import { lineChannel } from './channel.ts'
import { endOfMonth } from './month.ts'

const DAY_MS = 86_400_000
/** Scenarios send as many a day as they did in these days. */
const LOOKED_BACK_DAYS = 28

/** Null where no channel is connected. Asks the platform, so not inside a transaction. Throws `line_unreachable` where it does not say. */
export const readLineQuota = (scope: MerchantScope): Promise<LineQuota | null> => read(scope, { handedOver: false })

/** What {@link reserveLineMessages} is asked with. */
export interface QuotaSeen {
  quota: LineQuota
  /** How many were reserved, ever, before the platform was asked. */
  reservedTotal: string
}

/** As {@link readLineQuota}, for a reservation: none is missing, so that what is being handed over may be counted twice. */
export async function checkLineQuota(scope: MerchantScope): Promise<QuotaSeen | null> {
  const reservedTotal = await readReservedTotal(scope)
  const quota = await read(scope, { handedOver: true })
  return quota && { quota, reservedTotal }
}

/**
 * Reserves messages; returns how many there are for it, null: any number, or it is not known. Others that reserve wait until this transaction
 * ends, and what they took since the platform was asked is no longer there, whether it waits or was sent.
 */
export async function reserveLineMessages(
  scope: TransactionScope,
  count: number,
  seen: QuotaSeen | null,
): Promise<number | null> {
  const others = await addReserved(scope, count, seen?.reservedTotal ?? '0')
  const left = seen?.quota.left ?? null
  return left === null ? null : Math.max(0, left - others)
}

async function read(scope: MerchantScope, counted: { handedOver: boolean }): Promise<LineQuota | null> {
  const account = await findLineAccount(scope)
  if (!account?.channel_id || !account.access_token) return null
  const merchant = await getMerchant(scope)
  const ends = endOfMonth(scope.now)
  // Before the platform is asked: what is sent in between is counted by both rather than by neither.
  const reserved = await countWaiting(scope, 'line', counted)
  const [{ limit, used }, scenarios, pause] = await Promise.all([
    askPlatform(scope),
    sentByScenarios(scope, { channel: 'line', since: new Date(scope.now.getTime() - LOOKED_BACK_DAYS * DAY_MS) }),
    findChannelPause(scope, lineChannel, merchant),
  ])
  const daysLeft = (ends.getTime() - scope.now.getTime()) / DAY_MS
  return {
    limit,
    used,
    reserved,
    left: limit === null ? null : Math.max(0, limit - used - reserved),
    forecast: used + reserved + Math.round((scenarios / LOOKED_BACK_DAYS) * daysLeft),
    ends_at: ends.toISOString(),
    paused: pause?.by_quota ?? false,
  }
}

/** A person got more messages, or knows better. Where there are none the next send is refused again, and the channel pauses again. */
export async function resumeLine(scope: MerchantScope): Promise<LineQuota | null> {
  await resumeAfterQuota(scope, 'line')
  return readLineQuota(scope)
}

async function askPlatform(scope: MerchantScope): Promise<{ limit: number | null; used: number }> {
  const { messages } = scope.context.integrations.line
  try {
    return await askWithToken(scope, async (token) => {
      const [limit, used] = await Promise.all([messages.quota(token), messages.consumption(token)])
      return { limit, used }
    })
  } catch (error) {
    if (!(error instanceof LineError)) throw error
    throw new AppError('unavailable', 'line_unreachable', 'LINE could not be asked')
  }
}
