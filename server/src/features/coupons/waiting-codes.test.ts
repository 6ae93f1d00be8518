import type { CouponTerms } from '@okaeri/contract/coupons/coupon'
import { getCouponFailures, renewCoupons } from '@okaeri/contract/scenarios/coupon-failures'
import { afterEach, expect, test, vi } from 'vitest'
import { addCustomers, addEmail, GOOD_HTML } from '../../../test/fixtures.ts'
import { addScenario, nodeOf, statusesOf, visit, writeNow } from '../../../test/scenario-mail.ts'
import { EMPTY, merchant, okaeri, play, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import { issueCoupons, readCoupons, writtenCoupon } from './index.ts'

// Mails of scenarios that wait, with a code in them, while the store's discount is deleted or changed.

withSandboxStore({ seed: EMPTY, settings: { timezone: 'Asia/Tokyo' }, switches: { throttling: false } })
afterEach(() => vi.restoreAllMocks())

const MINUTE = 60_000
let number = 0

/** The people's mails with their codes, to be sent in a minute. */
async function written(people: number, validDays = 7) {
  number += 1
  const terms: CouponTerms = {
    prefix: `W${number}`,
    ratio_percent: 20,
    valid_days: validDays,
    minimum: { kind: 'none' },
    applies_to: { kind: 'all' },
  }
  const scenarioId = await addScenario(merchant)
  const emailId = await addEmail(merchant.scope(), {
    content: GOOD_HTML.replace('</p>', '</p><p>{{ coupon.code }}</p>'),
  })
  const customerIds = await addCustomers(
    merchant.scope(),
    Array.from({ length: people }, (_, at) => ({ email: `waits-${number}-${at}@code.test` })),
  )
  const visits = customerIds.map((customerId) => ({ executionId: newId(), round: 1, customerId }))
  const issue = () =>
    merchant.scope().transaction((scope) => issueCoupons(scope, { scenarioId, nodeId: 'c', terms }, visits))
  await issue()
  await okaeri.settle()
  const coupons = await issue()
  const read = await readCoupons(
    merchant.scope(),
    coupons.map(({ id }) => id),
  )
  await writeNow(
    merchant,
    nodeOf(scenarioId, emailId),
    visits.map(({ executionId, customerId }, at) => {
      const coupon = read.get(coupons[at]?.id ?? '')
      if (!coupon) throw new Error('there is no coupon')
      return visit(customerId, { executionId, variables: { coupon: writtenCoupon(coupon, 'JPY') } })
    }),
  )
  await okaeri.query`update deliveries set next_attempt_at = ${new Date(okaeri.clock.now().getTime() + MINUTE)}
    where merchant_id = ${merchant.id} and scenario_id = ${scenarioId}`
  const { discounts } = await play<{ discounts: { id: number; title: string }[] }>('discounts.json')
  return {
    scenarioId,
    codes: coupons.map(({ code }) => code),
    statuses: () => statusesOf(merchant, scenarioId),
    discountIds: discounts.filter(({ title }) => title.includes(`W${number} `)).map(({ id }) => id),
  }
}
const findCode = async (code: string) =>
  (
    await okaeri.query<{ status: string; flaw: string | null }>`select status, flaw from coupons
      where merchant_id = ${merchant.id} and code = ${code}`
  )[0]
const mails = () => sandbox.mailbox.list({}).filter(({ to }) => String(to).includes(`waits-${number}-`))

test('a code that holds leaves; asked is once for all that are claimed', async () => {
  const asked = vi.spyOn(okaeri.context.ports, 'failingCodes')
  const { statuses } = await written(30)
  okaeri.advance(2 * MINUTE)
  await okaeri.settle()
  expect((await statuses()).map(([status]) => status)).toEqual(Array.from({ length: 30 }, () => 'sent'))
  expect(asked).toHaveBeenCalledTimes(1)
})

test.each([
  ['deleted', 'delete.json', {}],
  ['ended', 'update.json', { ended: true }],
  ['worth something else', 'update.json', { percent: 5 }],
])(
  'of a discount that is %s in the store before the messages are sent, no one gets a code',
  async (_, command, change) => {
    const { statuses, discountIds, scenarioId, codes } = await written(2)
    for (const id of discountIds) await play(`discounts/${id}/${command}`, change)
    await okaeri.settle()
    okaeri.advance(2 * MINUTE)
    await okaeri.settle()
    expect(await statuses()).toEqual([
      ['pending', null],
      ['pending', null],
    ])
    expect(mails()).toEqual([])
    // A person has them sent with new ones.
    const params = { id: scenarioId }
    expect((await merchant.call(getCouponFailures, { params })).coupon_failures.count).toBe(2)
    expect(await merchant.call(renewCoupons, { params })).toMatchObject({ count: 2 })
    await okaeri.settle()
    okaeri.advance(2 * MINUTE)
    await okaeri.settle()
    expect(await statuses()).toEqual([
      ['sent', null],
      ['sent', null],
    ])
    const shown = await Promise.all(
      mails().map(
        async ({ id }) => /W\d+[A-Z0-9]{10}/.exec(await (await fetch(`${sandbox.url}/mail/${id}/html`)).text())?.[0],
      ),
    )
    expect(new Set(shown).size).toBe(2)
    for (const code of shown) {
      expect(codes).not.toContain(code)
      expect(await findCode(code ?? '')).toMatchObject({ status: 'made', flaw: null })
    }
    expect((await merchant.call(getCouponFailures, { params })).coupon_failures.count).toBe(0)
  },
)

test('a code that is over by the time its mail would leave is not sent, and the row says why', async () => {
  const { statuses } = await written(1, 1)
  okaeri.advance(3 * 24 * 60 * MINUTE)
  await okaeri.settle()
  expect(await statuses()).toEqual([['skipped', 'coupon_ended']])
  okaeri.advance(-3 * 24 * 60 * MINUTE)
})
