import { complaintLevel } from '@okaeri/contract/deliverability/complaints'
import { describe, expect, test } from 'vitest'
import { withoutPerson } from './answers.ts'
import { isNews } from './complaint-warning.ts'
import { nextCount } from './counting.ts'
import { noCounts } from './figures.ts'
import { judgeReceivers, type ReceiverDay } from './judgment.ts'

/** Computed since, not passed: a busy machine makes little of it. */
const computedMs = (begun: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1000
}
const day = (receiver: string, of: number, counts: Partial<ReceiverDay>): ReceiverDay => ({
  ...noCounts(receiver),
  day: `2026-03-${String(of).padStart(2, '0')}`,
  ...counts,
})
/** On the 20th of March. */
const when = { judgedFrom: '2026-03-14', openedBefore: '2026-03-19', usualFrom: '2025-12-20' }
const elsewhere = (counts: Partial<ReceiverDay> = {}) =>
  Array.from({ length: 19 }, (_, at) => day('google', at + 1, { sent: 400, opened: 120, ...counts }))

describe('a receiver stands out', () => {
  test('that refuses since Tuesday what others take', () => {
    const docomo = [10, 12, 14, 16].map((of) => day('docomo', of, { sent: 200, refused: 1 }))
    const since = [17, 19].map((of) => day('docomo', of, { sent: 184, refused: 16 }))
    expect(judgeReceivers([...elsewhere(), ...docomo, ...since], when)).toEqual([
      { receiver: 'docomo', problem: 'refused', rate: 8, compared: 0, since: '2026-03-17' },
    ])
  })

  test('but not where it is so everywhere: then it is the mail', () => {
    const docomo = [17, 19].map((of) => day('docomo', of, { sent: 184, refused: 16 }))
    expect(judgeReceivers([...elsewhere({ refused: 30 }), ...docomo], when)).toEqual([])
  })

  test('not by a few mails, not by addresses that do not exist, and not among the others', () => {
    expect(judgeReceivers([...elsewhere(), day('docomo', 17, { sent: 40, refused: 9 })], when)).toEqual([])
    expect(judgeReceivers([...elsewhere(), day('others', 17, { sent: 400, refused: 90 })], when)).toEqual([])
    const gone = day('docomo', 17, { sent: 180, refused: 20, refused_hard: 20, bounced_hard: 20 })
    expect(judgeReceivers([...elsewhere(), gone], when)).toMatchObject([{ problem: 'hard', rate: 10 }])
  })

  test('by what came back because of the sender', () => {
    const blocked = day('docomo', 18, { sent: 200, bounced_blocked: 30 })
    expect(judgeReceivers([...elsewhere(), blocked], when)).toMatchObject([{ problem: 'refused', rate: 15 }])
  })

  test('by complaints, in hundredths of a percent', () => {
    const complained = day('yahoo', 18, { sent: 4000, complained: 10 })
    expect(judgeReceivers([...elsewhere(), complained], when)).toEqual([
      { receiver: 'yahoo', problem: 'complaints', rate: 0.25, compared: 0, since: '2026-03-18' },
    ])
  })

  test('by opens that fell by half there alone', () => {
    const before = [5, 6, 7].map((of) => day('docomo', of, { sent: 200, opened: 80 }))
    const now = [15, 16].map((of) => day('docomo', of, { sent: 200, opened: 20 }))
    expect(judgeReceivers([...elsewhere(), ...before, ...now], when)).toEqual([
      { receiver: 'docomo', problem: 'unopened', rate: 10, compared: 40, since: '2026-03-14' },
    ])
    // Few recipients have opened a mail of today yet.
    const today = day('docomo', 20, { sent: 2000, opened: 20 })
    expect(judgeReceivers([...elsewhere(), ...before, today], when)).toEqual([])
    const worse = elsewhere().map((one) => (one.day >= when.judgedFrom ? { ...one, opened: 20 } : one))
    expect(judgeReceivers([...worse, ...before, ...now], when)).toEqual([])
  })

  test('among thousands of them, quickly', () => {
    const many = Array.from({ length: 1000 }, (_, at) =>
      Array.from({ length: 20 }, (_, of) => day(`d${at}.example`, of + 1, { sent: 60, opened: 20 })),
    ).flat()
    const begun = process.cpuUsage()
    expect(judgeReceivers(many, when)).toEqual([])
    expect(computedMs(begun)).toBeLessThan(3000)
  })

  test('and nothing of nothing', () => {
    expect(judgeReceivers([], when)).toEqual([])
  })
})

test.each([
  [
    '550 5.1.1 <taro@docomo.ne.jp>: Recipient address rejected',
    'taro@docomo.ne.jp',
    '550 5.1.1 <…>: Recipient address rejected',
  ],
  ['550 Unknown user taro', 'taro@docomo.ne.jp', '550 Unknown user …'],
  ['550 Unknown user: TARO:', 'taro@docomo.ne.jp', '550 Unknown user: …'],
  ['550 mailbox=taro unavailable', 'taro@docomo.ne.jp', '550 … unavailable'],
  ['550 tarot cards', 'taro@docomo.ne.jp', '550 tarot cards'],
  ['550 5.7.1 see https://x.example/b?u=a%40b.jp', 'a@b.jp', '550 5.7.1 see …'],
  ['550-5.7.26 blocked 98e67ed59e1d1-2e855bf2d35si.22 - gsmtp', 'a@gmail.com', '550-5.7.26 blocked … - gsmtp'],
  ['421 4.7.28 [203.0.113.7] unusual rate', 'a@gmail.com', '421 4.7.28 [203.0.113.7] unusual rate'],
  ['550 5.1.1\r\n no', null, '550 5.1.1 no'],
  ['', null, ''],
])('%j of %s is shown as %j', (words, address, shown) => {
  expect(withoutPerson(words, address)).toBe(shown)
})

test('long words are read once', () => {
  const begun = process.cpuUsage()
  withoutPerson(`${'a@'.repeat(200_000)} ${'x1'.repeat(200_000)}`, 'a@b.jp')
  expect(computedMs(begun)).toBeLessThan(1000)
})

test.each([
  [50, 1, 'few'],
  [499, 10, 'few'],
  [500, 2, 'none'],
  [5000, 4, 'none'],
  [5000, 5, 'high'],
  [5000, 14, 'high'],
  [5000, 15, 'over'],
])('of %d mails %d complaints are: %s', (delivered, complained, level) => {
  expect(complaintLevel({ delivered, complained })).toBe(level)
})

test('each limit that is passed is reported once, and again after a month', () => {
  const now = new Date('2026-03-20T00:00:00Z')
  const ago = (days: number) => new Date(now.getTime() - days * 86_400_000)
  expect(isNews('high', null, now)).toBe(true)
  expect(isNews('high', { level: 'high', warned_at: ago(3) }, now)).toBe(false)
  expect(isNews('over', { level: 'high', warned_at: ago(3) }, now)).toBe(true)
  expect(isNews('high', { level: 'over', warned_at: ago(3) }, now)).toBe(false)
  expect(isNews('over', { level: 'over', warned_at: ago(31) }, now)).toBe(true)
})

test('what is old is counted seldom, what takes long too, and at last no more', () => {
  const now = new Date('2026-03-20T00:00:00Z')
  const minutes = (hoursAgo: number, tookMs = 20) => {
    const { dueAt } = nextCount(now, new Date(now.getTime() - hoursAgo * 3_600_000), tookMs)
    return dueAt && (dueAt.getTime() - now.getTime()) / 60_000
  }
  expect([0, 7, 25, 4 * 24, 20 * 24, 61 * 24].map((hours) => minutes(hours))).toEqual([10, 60, 360, 1440, 7200, null])
  expect(minutes(0, 9_000)).toBe(30)
  expect(nextCount(now, now, 3_000).pauseMs).toBe(600_000)
})
