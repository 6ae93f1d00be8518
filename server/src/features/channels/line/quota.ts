import type { LineQuota } from '@okaeri/contract/line-quota/routes'
import { LineError } from '../../../integrations/line/index.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { countWaiting, findPause, resumeAfterQuota } from '../../deliveries/index.ts'
import { findLineAccount, getLineToken } from '../../line-accounts/index.ts'
import { getMerchant } from '../../merchants/index.ts'
import { sentByScenarios } from '../../stats/index.ts'
import { lineChannel } from './channel.ts'
import { endOfMonth } from './month.ts'

const DAY_MS = 86_400_000
/** Scenarios send as many a day as they did in these days. */
const LOOKED_BACK_DAYS = 28

/** Null where no channel is connected. Asks the platform, so not inside a transaction. Throws `line_unreachable` where it does not say. */
export async function readLineQuota(scope: MerchantScope): Promise<LineQuota | null> {
  const account = await findLineAccount(scope)
  if (!account?.channel_id || !account.access_token) return null
  const merchant = await getMerchant(scope)
  const ends = endOfMonth(scope.now)
  const [{ limit, used }, reserved, scenarios, pause] = await Promise.all([
    askPlatform(scope),
    countWaiting(scope, 'line'),
    sentByScenarios(scope, { channel: 'line', since: new Date(scope.now.getTime() - LOOKED_BACK_DAYS * DAY_MS) }),
    findPause(scope, lineChannel, merchant),
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
  const ask = async (token: string) => {
    const [limit, used] = await Promise.all([messages.quota(token), messages.consumption(token)])
    return { limit, used }
  }
  try {
    const token = await getLineToken(scope)
    return await ask(token).catch(async (error: unknown) => {
      if (!(error instanceof LineError) || error.outcome.kind !== 'unauthorized') throw error
      return ask(await getLineToken(scope, token))
    })
  } catch (error) {
    if (!(error instanceof LineError)) throw error
    throw new AppError('unavailable', 'line_unreachable', 'LINE could not be asked')
  }
}
