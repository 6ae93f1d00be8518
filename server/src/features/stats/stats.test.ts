import { expect, test } from 'vitest'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import {
  addStats,
  byChannel,
  campaignProgram,
  rate,
  resultsOfCampaigns,
  resultsOfEmails,
  resultsOfNodes,
  resultsOfScenarios,
  setSentCounts,
  sumOfChannels,
} from './index.ts'

withOkaeri()

test('the results of an email and of a campaign are added up, and are zeros if nothing happened', async () => {
  const merchant = await okaeri.merchant()
  const [programId, emailId, other] = [newId(), newId(), newId()]
  const of = { program: campaignProgram(programId), channel: 'email', contentId: emailId } as const
  const at = new Date('2026-03-01T10:07:00Z')
  await addStats(merchant.scope(), [
    { at, ...of, sent: 3 },
    { at: new Date('2026-03-01T10:14:59Z'), ...of, sent: 1, opened: 2 },
    { at: new Date('2026-03-01T10:15:00Z'), ...of, program: null, sent: 1 },
  ])
  await addStats(merchant.scope(), [{ at, ...of, orders: 1, revenue: 4_000_000_000 }])
  await addStats(merchant.scope(), [{ at, ...of, orders: -1, revenue: -3_000_000_000, clicked: 0 }])

  const campaigns = await resultsOfCampaigns(merchant.scope(), [programId, other])
  expect(campaigns.get(programId)).toMatchObject({ sent: 4, opened: 2, clicked: 0, orders: 0, revenue: 1_000_000_000 })
  expect(campaigns.get(other)).toMatchObject({ sent: 0, revenue: 0 })
  expect((await resultsOfEmails(merchant.scope(), [emailId])).get(emailId)).toMatchObject({ sent: 5 })
  expect((await resultsOfEmails(merchant.scope(), [])).size).toBe(0)
})

test('one merchant does not see the results of another', async () => {
  const [a, b] = [await okaeri.merchant(), await okaeri.merchant()]
  const programId = newId()
  const of = { program: campaignProgram(programId), channel: 'email', contentId: null } as const
  await addStats(a.scope(), [{ at: new Date('2026-03-01T10:00:00Z'), ...of, sent: 1 }])
  expect((await resultsOfCampaigns(b.scope(), [programId])).get(programId)?.sent).toBe(0)
})

test('a scenario that mails and sends by LINE has one sum, and one for each channel', async () => {
  const scope = (await okaeri.merchant()).scope()
  const id = newId()
  const at = new Date('2026-03-01T10:00:00Z')
  const by = (nodeId: string, channel: 'email' | 'line') =>
    ({ program: { kind: 'scenario', id, nodeId }, channel, contentId: newId() }) as const
  const [mail, line] = [by('mail', 'email'), by('line', 'line')]
  await addStats(scope, [
    { at, ...mail, opened: 2 },
    { at, ...line, opened: 3, clicked: 3 },
  ])
  await setSentCounts(
    scope,
    [mail, line].map((of) => ({ ...of, counts: [{ bucket: at, sent: of.channel === 'email' ? 5 : 7 }] })),
  )
  const rows = (await resultsOfScenarios(scope, [id])).get(id) ?? []
  // A click counts as an open, so for LINE the opens would repeat the clicks.
  expect(sumOfChannels(rows)).toMatchObject({ sent: 12, mails_sent: 5, opened: 2, clicked: 3 })
  expect(byChannel(rows)).toMatchObject([
    { channel: 'email', sent: 5, open_rate: 40, click_rate: 0 },
    { channel: 'line', sent: 7, open_rate: null, click_rate: 42.9 },
  ])
  expect(byChannel(rows.filter(({ channel }) => channel === 'email'))).toEqual([])
  expect((await resultsOfNodes(scope, id)).map(({ node_id, channel }) => `${node_id} ${channel}`).toSorted()).toEqual([
    'line line',
    'mail email',
  ])
})

test('many workers adding to the same quarters at once lose no count and do not deadlock', async () => {
  const merchant = await okaeri.merchant()
  const campaigns = Array.from({ length: 5 }, newId)
  const at = new Date('2026-03-01T10:00:00Z')
  await Promise.all(
    Array.from({ length: 24 }, (_, worker) =>
      merchant.scope().transaction((inside) =>
        addStats(
          inside,
          (worker % 2 ? campaigns : campaigns.toReversed()).map((programId) => ({
            at,
            program: campaignProgram(programId),
            channel: 'email',
            contentId: null,
            sent: 1,
          })),
        ),
      ),
    ),
  )
  const results = await resultsOfCampaigns(merchant.scope(), campaigns)
  expect([...results.values()].map(({ sent }) => sent)).toEqual([24, 24, 24, 24, 24])
})

test('a rate is a percentage with one decimal, and zero when nothing was sent', () => {
  expect(rate(1, 3)).toBe(33.3)
  expect(rate(3, 3)).toBe(100)
  expect(rate(0, 0)).toBe(0)
})
