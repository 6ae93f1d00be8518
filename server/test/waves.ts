import { addEmail } from './fixtures.ts'
import { setStock } from './restock.ts'
import { got } from './scenario-mail.ts'
import { addScenario, flowOf, mailNode, waitNode } from './scenarios.ts'
import { merchant, okaeri } from './with-okaeri.ts'

// What happens to the present merchant's awaited product, and who is notified of it. Addresses carry the place in the order of registration.

const MINUTE = 60_000

/** The numbers of those who got a mail so far, in the order of registration. */
export const notified = (): number[] =>
  got.map(({ recipients }) => Number(recipients[0]?.slice(1, 4))).toSorted((a, b) => a - b)
export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
/** Time passes, and the store reports the stock again. */
export async function pass(minutes: number, stock: number): Promise<void> {
  okaeri.advance(minutes * MINUTE)
  await setStock(merchant.scope(), stock)
  await okaeri.settle()
  // What came of the mails is looked at soon after.
  okaeri.advance(3000)
  await okaeri.settle()
}
export const comesBack = async (stock: number): Promise<void> => {
  await setStock(merchant.scope(), stock)
  await okaeri.settle()
  await pass(5, stock)
}
export const statuses = async (): Promise<string[]> =>
  (
    await okaeri.query<{ status: string }>`
      select status from restock_requests where merchant_id = ${merchant.id} order by created_at, id`
  ).map(({ status }) => status)
/** Messages not sent, by reason. */
export const skips = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await okaeri.query<{ reason: string; count: number }>`
        select reason, count(*)::int as count from deliveries where merchant_id = ${merchant.id} and status = 'skipped'
        group by reason`
    ).map(({ reason, count }) => [reason, count]),
  )
/** Its mail leaves ten minutes after the wave. */
export const addSlowScenario = async (): Promise<void> => {
  const mail = mailNode('mail', await addEmail(merchant.scope()), null)
  const flow = flowOf([waitNode('wait', 'mail', 10, 'minutes'), mail], { trigger: { kind: 'product_restocked' } })
  await addScenario(merchant.scope(), flow)
}
