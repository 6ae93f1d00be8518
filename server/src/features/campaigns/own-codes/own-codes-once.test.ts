import * as routes from '@okaeri/contract/campaigns/routes'
import { describe, expect, test } from 'vitest'
import { aCampaign, campaignOf } from '../../../../test/builders/campaign.ts'
import { aLineMessage } from '../../../../test/builders/line-message.ts'
import {
  aDraft,
  addressOf,
  codesIn,
  codesOf,
  couponRows,
  HTML,
  mailsTo,
  otherPeople,
  terms,
  withCodes,
} from '../../../../test/builders/own-codes.ts'
import { dumpDatabase, restoreDatabase } from '../../../../test/dumps.ts'
import { addEmail } from '../../../../test/fixtures.ts'
import { befriend, connectLine, openLineAccount, ordinaryPeople, playLine } from '../../../../test/line-platform.ts'
import { onCluster } from '../../../../test/one-node.ts'
import { merchant, okaeri } from '../../../../test/with-okaeri.ts'
import { armCrashPoint } from '../../../kernel/crash-point.ts'
import { compareWithJournals, releaseHold } from '../../deliveries/index.ts'

withCodes()

/** A worker that died gives back what it held only when its time is over. */
const endLeases = () => okaeri.query`update discounts set lease_expires_at = null where merchant_id = ${merchant.id}`

describe('the codes of one person', () => {
  test.each(['codes_answered', 'codes_stored', 'codes_wanted'])(
    'are one code, whenever a worker dies (%s): no one is sent two, or a mail without one',
    async (point) => {
      for (const pass of [1, 2, 3, 4]) {
        await otherPeople()
        const draft = await aDraft({}, 3)
        let died = false
        armCrashPoint(`${point}:${pass}`, () => {
          died = true
          throw new Error('the worker died')
        })
        await draft.reserve()
        await okaeri.settle().catch((error: unknown) => {
          if (!died) throw error
        })
        // The other passes may be more than there are.
        expect(died || pass > 1).toBe(true)
        const before = await couponRows(draft)
        armCrashPoint('none')
        for (let tries = 0; tries < 3; tries += 1) {
          await endLeases()
          await okaeri.settle()
        }
        const rows = await couponRows(draft)
        for (const { customer_id, code } of before)
          expect(rows.find((row) => row.customer_id === customer_id)?.code).toBe(code)
        expect(rows.map(({ status }) => status)).toEqual(['made', 'made', 'made'])
        const codes = await codesOf(draft)
        expect(codes.map((some) => some.length)).toEqual([1, 1, 1])
        expect(codes.flat().toSorted()).toEqual(rows.map(({ code }) => code).toSorted())
        expect((await draft.campaign()).balance).toMatchObject({ sent: 3, pending: 0 })
      }
    },
  )

  test.skipIf(onCluster)(
    'are the same after the database was put back to before the campaign was confirmed',
    async () => {
      const draft = await aDraft({}, 3)
      const dump = await dumpDatabase(okaeri.databaseUrl)
      await draft.reserve()
      await okaeri.settle()
      const first = await codesOf(draft)
      await restoreDatabase(okaeri.databaseUrl, dump)
      await compareWithJournals(okaeri.context)
      await draft.reserve()
      await okaeri.settle()
      await releaseHold(okaeri.context)
      await okaeri.settle()
      expect((await draft.campaign()).balance).toMatchObject({ uncertain: 3, sent: 0 })
      // A person has them sent it once more: with the code they had.
      await draft.resend(3)
      await okaeri.settle()
      expect(await codesOf(draft)).toEqual(first.map(([code]) => [code, code]))
    },
  )
})

test('by LINE and by mail a person gets the same code', async () => {
  const account = await openLineAccount('クーポンの店')
  await connectLine(merchant, account)
  const [person] = await ordinaryPeople(account, 1)
  if (!person) throw new Error('nobody')
  await befriend(okaeri, merchant, account, [person])
  const email = addressOf('line')
  await okaeri.query`update customers set email = ${email}, email_key = ${email}, marketing_state = 'granted'
    where merchant_id = ${merchant.id}`
  const { id: line_message_id } = await aLineMessage(merchant, [{ type: 'text', text: 'line={{ coupon.code }}' }])
  const email_id = await addEmail(merchant.scope(), { content: HTML })
  const { id } = await aCampaign(merchant, { email_id, line_message_id, channels: 'both', coupon: terms })
  const { review } = await merchant.call(routes.reviewCampaign, { params: { id }, query: {} })
  expect(review).toMatchObject({ recipients: 2, coupon: { codes: 1 }, can_reserve: true })
  await merchant.call(routes.reserveCampaign, { params: { id }, body: {} })
  await okaeri.settle()
  expect(await campaignOf(merchant, id)).toMatchObject({ status: 'sent', balance: { sent: 2 } })
  const [mail] = await mailsTo(email)
  const rows = await okaeri.query<{ code: string }>`select code from coupons
    where merchant_id = ${merchant.id} and campaign_id = ${id}`
  expect(rows).toHaveLength(1)
  expect(codesIn(mail ?? '')).toEqual([rows[0]?.code])
  const chat = await playLine(`users/${person.user_id}/chat.json?account=${account.id}`)
  expect(JSON.stringify(chat)).toContain(`line=${rows[0]?.code}`)
})
