import { type WarmUp, warmUpLimit } from '@okaeri/contract/sender-domains/warm-up'
import { DateTime } from 'luxon'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { getMerchant, type MerchantRow } from '../merchants/index.ts'
import { domainOf } from './domain-name.ts'
import { addWarmUpMails, findWarmUp, listWarmUpDays, lockWarmUpDay, type WarmUpDay } from './warm-up-queries.ts'

/** Where the merchant keeps no sending hours, mail that waited for another day goes on then. */
const MORNING = '09:00'

const dayOf = (at: Date, { timezone }: Pick<MerchantRow, 'timezone'>): string =>
  DateTime.fromJSDate(at, { zone: timezone }).toISODate() ?? ''

/** When the next day's mail begins to go. */
function nextDay(now: Date, { timezone, sending_hours: hours }: Pick<MerchantRow, 'timezone' | 'sending_hours'>): Date {
  const [hour, minute] = (hours.enabled ? hours.start : MORNING).split(':').map(Number)
  return DateTime.fromJSDate(now, { zone: timezone })
    .plus({ days: 1 })
    .set({ hour: hour ?? 9, minute: minute ?? 0, second: 0, millisecond: 0 })
    .toJSDate()
}

/** The days with mail, and today as the last of them. */
function daysUntil(today: string, rows: readonly WarmUpDay[]): WarmUp['days'] {
  const before = rows.filter(({ day, sent }) => day < today && sent > 0)
  const sent = rows.find(({ day }) => day === today)?.sent ?? 0
  return [...before, { day: today, sent }].map((row, index) => ({ ...row, limit: warmUpLimit(index) }))
}

/** How far the warming up of an address's domain is; null where it is not warmed up. */
export async function findWarmUpOf(scope: MerchantScope, email: string): Promise<WarmUp | null> {
  const domain = await findWarmUp(scope, domainOf(email))
  return domain && presentWarmUp(scope, domain)
}

export async function presentWarmUp(
  scope: MerchantScope,
  { id, warm_up_since: since }: { id: string; warm_up_since: Date | null },
): Promise<WarmUp | null> {
  if (!since) return null
  const today = dayOf(scope.now, await getMerchant(scope))
  return { since: since.toISOString(), days: daysUntil(today, await listWarmUpDays(scope, id)) }
}

/**
 * In the transaction of a claim: how many of `wanted` mails from this address may be handed over today, which counts them, and when the others
 * go on. Null where nothing is held back.
 */
export async function grantWarmUp(
  scope: TransactionScope,
  email: string,
  wanted: number,
): Promise<{ granted: number; day: string; nextDay: Date } | null> {
  const domain = await findWarmUp(scope, domainOf(email))
  if (!domain) return null
  const merchant = await getMerchant(scope)
  // Not the scope's: a claim of a minute after midnight is of the new day.
  const now = scope.context.clock.now()
  const today = dayOf(now, merchant)
  await lockWarmUpDay(scope, domain.id, today)
  const day = daysUntil(today, await listWarmUpDays(scope, domain.id)).at(-1)
  if (!day || day.limit === null) return null
  const granted = Math.max(0, Math.min(wanted, day.limit - day.sent))
  await addWarmUpMails(scope, { domainId: domain.id, day: today, count: granted })
  return { granted, day: today, nextDay: nextDay(now, merchant) }
}

/** Mails counted to a day by {@link grantWarmUp} that did not leave: there is room for others. */
export async function returnToWarmUp(
  scope: TransactionScope,
  email: string,
  { day, count }: { day: string; count: number },
): Promise<void> {
  const domain = await findWarmUp(scope, domainOf(email))
  if (domain) await addWarmUpMails(scope, { domainId: domain.id, day, count: -count })
}
