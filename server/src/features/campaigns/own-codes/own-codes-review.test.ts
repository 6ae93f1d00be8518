import * as routes from '@okaeri/contract/campaigns/routes'
import { describe, expect, test } from 'vitest'
import { aCampaign } from '../../../../test/builders/campaign.ts'
import {
  aDraft,
  codesIn,
  couponRows,
  type Draft,
  HTML,
  mailsTo,
  terms,
  withCodes,
} from '../../../../test/builders/own-codes.ts'
import { addCustomers, addEmail } from '../../../../test/fixtures.ts'
import { refusal } from '../../../../test/refusal.ts'
import { merchant, okaeri } from '../../../../test/with-okaeri.ts'

withCodes()

test('in test mode no code is made: the testers see a sample', async () => {
  await okaeri.query`update merchants set test_mode = true, test_emails = array['tester@code.test'] where id = ${merchant.id}`
  await okaeri.query`insert into address_confirmations (merchant_id, id, purpose, email, email_key, asked_at, expires_at, confirmed_at)
    values (${merchant.id}, okaeri_uuidv7(now()), 'test', 'tester@code.test', 'tester@code.test', now(), now(), now())
    on conflict do nothing`
  const draft = await aDraft({}, 2)
  expect((await draft.review()).coupon).toMatchObject({ codes: 0 })
  await draft.reserve()
  await okaeri.settle()
  expect(await couponRows(draft)).toEqual([])
  expect((await mailsTo('tester@code.test')).flatMap(codesIn)).toEqual(['OWN-SAMPLE', 'OWN-SAMPLE'])
})

describe('before sending is said', () => {
  const codes = async (draft: Draft) => (await draft.review()).findings.map(({ code }) => code)

  test('that a code is shown whose worth the campaign does not say', async () => {
    const draft = await aDraft({ coupon: null })
    expect(await codes(draft)).toEqual(['coupon_not_set'])
    expect(await refusal(draft.reserve())).toMatchObject({ reason: 'preflight_failed' })
  })

  test('that codes would be made which no message shows: none is', async () => {
    const draft = await aDraft({ email_id: await addEmail(merchant.scope()) }, 2)
    expect(await codes(draft)).toEqual(['coupon_not_shown'])
    await draft.reserve()
    await okaeri.settle()
    expect(await couponRows(draft)).toEqual([])
    expect(await draft.campaign()).toMatchObject({ status: 'sent' })
  })

  test('that they would end before the last is sent it', async () => {
    const ab_test = {
      differs: 'subject',
      subject: '別の件名',
      email_id: null,
      share: 50,
      decides_by: 'person',
      hours: 72,
    } as const
    // Chance makes the groups: of fewer people one may be too small.
    const draft = await aDraft({ coupon: { ...terms, valid_days: 1 }, ab_test }, 200)
    expect(await codes(draft)).toContain('coupon_ends_early')
    expect(await refusal(draft.reserve())).toMatchObject({ reason: 'preflight_failed' })
  })

  test('that no store is there to make them', async () => {
    const away = await okaeri.merchant()
    await addCustomers(away.scope(), [{ email: 'away@code.test' }])
    const email_id = await addEmail(away.scope(), { content: HTML })
    const { id } = await aCampaign(away, { email_id, coupon: terms })
    const { review } = await away.call(routes.reviewCampaign, { params: { id }, query: {} })
    expect(review.findings.map(({ code }) => code)).toEqual(['coupon_needs_store'])
  })
})
