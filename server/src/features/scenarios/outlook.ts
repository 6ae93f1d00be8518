import { lateBefore } from '@okaeri/contract/late'
import { emailOf } from '@okaeri/contract/scenarios/flow'
import type { Outlook } from '@okaeri/contract/scenarios/outlook'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { listEmailContents } from '../emails/index.ts'
import { getScenarioRow } from '../flows/index.ts'
import { getMerchant, senderOf } from '../merchants/index.ts'
import { addDays, localDay } from '../segments/index.ts'
import { countOfDay, isDaily, timeOn } from '../triggers/index.ts'
import { countHeld } from './outlook-queries.ts'

/** Bounded, however many customers there are: a member waits for the answer. */
export async function getOutlook(scope: MerchantScope, id: string): Promise<Outlook> {
  const { flow } = await getScenarioRow(scope, id)
  const merchant = await getMerchant(scope)
  const { nodes, trigger } = flow
  const ids = nodes.flatMap((node) => emailOf(node) ?? [])
  const senders = new Map(
    (await listEmailContents(scope, [...new Set(ids)])).map((written) => {
      const { name, email } = senderOf(written, merchant)
      return [`${name} ${email}`, { name, email }]
    }),
  )
  const held = await countHeld(scope, id, lateBefore('scenario', scope.now))
  return {
    held: held.all,
    held_late: held.late,
    next_day: isDaily(trigger) ? await nextDay(scope, id, { trigger, timezone: merchant.timezone }) : null,
    emails: nodes.filter(({ kind }) => kind === 'send_email').length,
    line_messages: nodes.filter(({ kind }) => kind === 'send_line').length,
    senders: [...senders.values()],
    coupons: nodes.flatMap((node) => (node.kind === 'issue_coupon' ? [node.settings.coupon] : [])),
  }
}

async function nextDay(
  scope: MerchantScope,
  id: string,
  { trigger, timezone }: { trigger: Parameters<typeof countOfDay>[2]; timezone: string },
): Promise<NonNullable<Outlook['next_day']>> {
  const today = localDay(scope.now, timezone)
  // Today counts only if its time is still to come.
  const day = timeOn(today, trigger.time, timezone) > scope.now ? today : addDays(today, 1)
  const people = await countOfDay(scope, id, trigger, { day, timezone })
  return { at: timeOn(day, trigger.time, timezone).toISOString(), people }
}
