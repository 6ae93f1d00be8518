import type { ApiError } from '@okaeri/contract/client'
import * as routes from '@okaeri/contract/campaigns/routes'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  aRunningTest,
  aTestedCampaign,
  click,
  deliveriesOf,
  HOUR,
  membersOf,
  PEOPLE,
  plainTest,
  settleAfter,
  SOME,
  subjectsOf,
  SUBJECT,
} from '../../../../test/builders/ab-test.ts'
import { setSendingHours } from '../../../../test/fixtures.ts'
import { refusal } from '../../../../test/refusal.ts'
import { okaeri } from '../../../../test/with-okaeri.ts'
import { gotBy, withSink } from '../../../../test/with-sink.ts'
import { askAfterOutage, markUnsentAsUncertain } from '../campaign-progress.ts'

withSink()

describe('where it cannot be decided', () => {
  test.each([
    ['nothing', 0, 0],
    ['tie', 4, 4],
  ])('%s: A goes to the rest, as was said before', async (why, a, b) => {
    const tested = await aRunningTest(`even-${why}`)
    // As many of as many: then it is a tie.
    await sql`update deliveries d set status = 'failed', reason = 'permanent' from messages m
      where d.merchant_id = ${tested.merchant.id} and m.merchant_id = d.merchant_id and m.id = d.message_id and d.id in (
        select id from (select d.id, row_number() over (partition by d.message_id order by d.id) as number from deliveries d
          where d.merchant_id = ${tested.merchant.id} and d.campaign_id = ${tested.id} and d.status = 'sent') n where number > 50)`.execute(
      okaeri.context.db,
    )
    await click(tested, 'a', a)
    await click(tested, 'b', b)
    await settleAfter(5 * HOUR)
    expect((await tested.campaign()).ab_result).toMatchObject({ winner: 'a', why })
    expect((await subjectsOf(tested)).at(-1)).toMatchObject({ subject: SUBJECT })
    expect(tested.once()).toBe(true)
  })

  test('where a person decides, the owner hears of it once, and nothing goes out before', async () => {
    const tested = await aRunningTest('person', { decides_by: 'person' })
    const { a, b } = tested.people
    expect(gotBy(`${tested.merchant.id}@shop.test`)).toBe(0)
    await settleAfter(5 * HOUR)
    await settleAfter(48 * HOUR)
    expect(await tested.campaign()).toMatchObject({
      status: 'waiting',
      wait_reason: 'ab_undecided',
      ab_phase: 'asks',
      waits_until: null,
    })
    expect(gotBy(`${tested.merchant.id}@shop.test`)).toBe(1)
    expect(tested.sent()).toBe(a + b)
    await tested.choose('b')
    await okaeri.settle()
    expect(await tested.campaign()).toMatchObject({ status: 'sent', ab_result: { winner: 'b', why: 'person' } })
    expect((await tested.campaign()).ab_result?.by).toMatch(/\S/)
    expect(tested.once()).toBe(true)
  })

  test('found hours after its time, because no worker was alive, it asks: then it is decided, or chosen', async () => {
    const [left, chosen] = [await aRunningTest('late'), await aRunningTest('late-chosen')]
    await click(left, 'b', 5)
    await settleAfter(11 * HOUR)
    for (const tested of [left, chosen]) {
      expect(await tested.campaign()).toMatchObject({ status: 'waiting', wait_reason: 'found_late', ab_phase: 'asks' })
      expect(tested.sent()).toBe(tested.people.a + tested.people.b)
      expect(gotBy(`${tested.merchant.id}@shop.test`)).toBe(1)
    }
    await left.merchant.call(routes.sendLateCampaign, { params: { id: left.id } })
    await chosen.choose('a')
    await okaeri.settle()
    expect(await left.campaign()).toMatchObject({ status: 'sent', ab_result: { winner: 'b', why: 'more' } })
    expect(await chosen.campaign()).toMatchObject({ status: 'sent', ab_result: { winner: 'a', why: 'person' } })
    expect(left.once() && chosen.once()).toBe(true)
  })

  test('decided at night the rest waits for the morning; found in the evening after, it asks', async () => {
    const [morning, evening] = [
      await aRunningTest('morning', { hours: 6 }),
      await aRunningTest('evening', { hours: 6 }),
    ]
    for (const { merchant } of [morning, evening]) await setSendingHours(merchant.scope(), -1, 5)
    await settleAfter(6.5 * HOUR)
    for (const tested of [morning, evening]) {
      expect(await tested.campaign()).toMatchObject({ wait_reason: 'sending_hours', ab_phase: 'decided' })
      expect(tested.sent()).toBe(tested.people.a + tested.people.b)
    }
    const late = evening.merchant.id
    const { rows } = await sql<{
      waits_until: Date
    }>`select waits_until from campaigns where merchant_id = ${late}`.execute(okaeri.context.db)
    const dayBefore = new Date((rows[0]?.waits_until.getTime() ?? 0) - 24 * HOUR)
    await sql`update campaigns set waits_until = ${dayBefore} where merchant_id = ${late}`.execute(okaeri.context.db)
    await settleAfter(17.5 * HOUR)
    expect(await morning.campaign()).toMatchObject({ status: 'sent' })
    expect(morning.once()).toBe(true)
    expect(await evening.campaign()).toMatchObject({ status: 'waiting', wait_reason: 'found_late' })
    expect(evening.sent()).toBe(evening.people.a + evening.people.b)
  })
})

describe('a person steps in', () => {
  test('before the time is over; of two presses the first counts, whatever the second says', async () => {
    const tested = await aRunningTest('early')
    await click(tested, 'a', 9)
    const presses = await Promise.allSettled([tested.choose('b'), tested.choose('a'), tested.choose('b')])
    expect(presses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await refusal(tested.choose('a'))).toMatchObject({ reason: 'campaign_test_decided' })
    await okaeri.settle()
    expect((await tested.campaign()).status).toBe('sent')
    expect(tested.once()).toBe(true)
    const { winner } = (await tested.campaign()).ab_result ?? {}
    const [a, b, rest] = await subjectsOf(tested)
    expect(rest?.subject).toBe((winner === 'a' ? a : b)?.subject)
  })

  test('the rest can be stopped: no one of it gets anything, and the balance says so', async () => {
    const tested = await aRunningTest('stopped')
    const { a, b, rest } = tested.people
    await tested.merchant.call(routes.stopCampaign, { params: { id: tested.id } })
    await settleAfter(30 * HOUR)
    expect(tested.sent()).toBe(a + b)
    expect(await tested.campaign()).toMatchObject({
      status: 'cancelled',
      ab_phase: 'ended',
      ab_result: null,
      balance: { sent: a + b, skipped_by_reason: { cancelled: rest } },
    })
    expect(await refusal(tested.choose('a'))).toMatchObject({ reason: 'campaign_not_testing' })
  })

  test('a reservation is undone or cancelled whole; there is nothing to choose before it began', async () => {
    const tested = await aTestedCampaign('undone')
    expect(await refusal(tested.choose('a'))).toMatchObject({ reason: 'campaign_not_testing' })
    await tested.reserve({ undo_seconds: 60 })
    await okaeri.settle()
    expect(await refusal(tested.choose('a'))).toMatchObject({ reason: 'campaign_not_testing' })
    const before = await membersOf(tested)
    await tested.merchant.call(routes.undoCampaign, { params: { id: tested.id } })
    expect(await tested.campaign()).toMatchObject({ status: 'draft', ab_phase: 'planned', ab_test: plainTest })
    // Who is in which group is the same again.
    await tested.reserve()
    okaeri.advance(-1)
    await okaeri.settle()
    expect(await membersOf(tested)).toEqual(before)
    expect(tested.sent()).toBeGreaterThan(0)
  })
})

test('with too many addresses that do not exist the rest is held back, and a person says how it goes on', async () => {
  const tested = await aRunningTest('canary', {}, { canary_from: 300, canary_minutes: 30 })
  const { a, b } = tested.people
  await sql`update deliveries set bounced_at = ${okaeri.clock.now()}, bounce_kind = 'hard'
    where merchant_id = ${tested.merchant.id} and id in (${deliveriesOf(tested, 'a')} limit 40)`.execute(
    okaeri.context.db,
  )
  await settleAfter(0.6 * HOUR)
  expect(await tested.campaign()).toMatchObject({ wait_reason: 'canary_stopped', canary_result: { tried: a + b } })
  await settleAfter(5 * HOUR)
  expect(tested.sent()).toBe(a + b)
  // It goes on with the test, which is over meanwhile.
  await tested.merchant.call(routes.continueCampaign, { params: { id: tested.id } })
  await okaeri.settle()
  expect(await tested.campaign()).toMatchObject({ status: 'sent', ab_result: { winner: 'a', why: 'nothing' } })
  expect(tested.once()).toBe(true)
})

test('who is tried again for hours does not hold up the test, and gets what their group gets', async () => {
  const tested = await aRunningTest('retried')
  await sql`update deliveries set status = 'pending', sent_at = null, attempts = 2,
      next_attempt_at = ${new Date(okaeri.clock.now().getTime() + 8 * HOUR)}
    where merchant_id = ${tested.merchant.id} and id in (${deliveriesOf(tested, 'a')} limit 1)`.execute(
    okaeri.context.db,
  )
  await sql`update messages set state = 'released' where merchant_id = ${tested.merchant.id} and campaign_id = ${tested.id}
    and ab_group = 'a'`.execute(okaeri.context.db)
  await sql`update campaigns set status = 'sending', wait_reason = null, waits_until = null
    where merchant_id = ${tested.merchant.id} and id = ${tested.id}`.execute(okaeri.context.db)
  await okaeri.settle()
  expect(await tested.campaign()).toMatchObject({ status: 'sending', ab_phase: 'testing' })
  await click(tested, 'b', 3)
  await settleAfter(4.1 * HOUR)
  expect(await tested.campaign()).toMatchObject({ status: 'sending', ab_phase: 'decided', balance: { pending: 1 } })
  await settleAfter(4.1 * HOUR)
  expect((await tested.campaign()).status).toBe('sent')
})

test('after a restore, while it is unknown what was sent since the backup, nothing of a test goes out', async () => {
  const tested = await aRunningTest('restored')
  const { a, b, rest } = tested.people
  await markUnsentAsUncertain(tested.merchant.scope())
  await settleAfter(30 * HOUR)
  expect(tested.sent()).toBe(a + b)
  expect(await tested.campaign()).toMatchObject({ ab_phase: 'ended', balance: { sent: a + b, uncertain: rest } })
  // A person says that they get it all the same: what they get is A, and there is nothing left to choose.
  await tested.merchant.call(routes.resendUncertain, { params: { id: tested.id }, body: { uncertain_seen: rest } })
  expect(await refusal(tested.choose('b'))).toMatchObject({ reason: 'campaign_not_testing' })
  await okaeri.settle()
  expect(await tested.campaign()).toMatchObject({ status: 'sent', balance: { sent: PEOPLE } })
  expect(tested.once()).toBe(true)
  expect((await subjectsOf(tested)).at(-1)).toMatchObject({ subject: SUBJECT, people: rest })
})

test('half of a group sent when everything stopped for hours: it asks, and then the test goes on, not the rest', async () => {
  const tested = await aRunningTest('outage')
  const { merchant, id, people } = tested
  const of = sql`where merchant_id = ${merchant.id}`
  const { db } = okaeri.context
  await sql`update deliveries set status = 'pending', sent_at = null, attempts = 0 ${of}
    and id in (${deliveriesOf(tested, 'b')} limit 1)`.execute(db)
  await sql`update messages set state = 'released' ${of} and campaign_id = ${id} and ab_group = 'b'`.execute(db)
  await sql`update campaigns set status = 'sending', wait_reason = null, waits_until = null, ab_decides_at = null ${of} and id = ${id}`.execute(
    db,
  )
  await sql`update installation set last_alive_at = now() - interval '7 hours'`.execute(db)
  await askAfterOutage(okaeri.context)
  await okaeri.settle()
  expect(await tested.campaign()).toMatchObject({ status: 'waiting', wait_reason: 'found_late', ab_phase: 'asks' })
  expect(tested.sent()).toBe(people.a + people.b)
  await merchant.call(routes.sendLateCampaign, { params: { id } })
  await okaeri.settle()
  // That one row, and no one of the rest.
  expect(tested.sent()).toBe(people.a + people.b + 1)
  expect(await tested.campaign()).toMatchObject({ wait_reason: 'ab_test', ab_phase: 'testing' })
})

describe('whatever happens in whatever order', () => {
  const steps = [
    'wait an hour',
    'wait a day',
    'click B',
    'choose A',
    'choose B',
    'stop',
    'accept late',
    'give back',
    'resend',
  ] as const
  test('no one gets two, the rest gets nothing before it is decided, and the balance holds', async () => {
    let walk = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...steps), { minLength: 2, maxLength: 6 }),
        fc.constantFrom('clicks' as const, 'person' as const),
        async (taken, decides_by) => {
          const tested = await aRunningTest(`walk${walk++}`, { decides_by }, {}, SOME)
          const { merchant, id, people } = tested
          const params = { id }
          const press = (pressed: Promise<unknown>) =>
            pressed.then(
              () => true,
              (error: ApiError) => {
                // Refused for a reason, never broken.
                expect(error.status).toBe(409)
                return false
              },
            )
          let stopped = false
          for (const step of taken) {
            if (step === 'wait an hour') okaeri.advance(HOUR)
            else if (step === 'wait a day') okaeri.advance(24 * HOUR)
            else if (step === 'click B') await click(tested, 'b', 2)
            else if (step === 'choose A' || step === 'choose B')
              await press(tested.choose(step === 'choose A' ? 'a' : 'b'))
            else if (step === 'stop') stopped = (await press(merchant.call(routes.stopCampaign, { params }))) || stopped
            else if (step === 'accept late') await press(merchant.call(routes.sendLateCampaign, { params }))
            else if (step === 'give back') await press(merchant.call(routes.continueCampaign, { params }))
            else await press(merchant.call(routes.resyncCampaign, { params }))
            await okaeri.settle()
            const { ab_result: result, balance, status } = await tested.campaign()
            if (!balance) throw new Error('there is no balance')
            const { audience, pending, sending, sent, failed, skipped, uncertain } = balance
            expect(audience).toBe(pending + sending + sent + failed + skipped + uncertain)
            expect(audience).toBe(SOME + 1)
            expect(tested.most()).toBe(1)
            if (!result || stopped) expect(tested.sent()).toBe(people.a + people.b)
            else if (status === 'sent') expect(tested.sent()).toBe(SOME)
            const [a, b, rest] = await subjectsOf(tested)
            if (result) expect(rest?.subject).toBe((result.winner === 'a' ? a : b)?.subject)
          }
        },
      ),
      { numRuns: 5 },
    )
  })
})
