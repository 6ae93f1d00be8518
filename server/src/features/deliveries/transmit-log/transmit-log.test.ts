import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import {
  isWriterDead,
  listJournals,
  newJournal,
  openTransmitLog,
  readAccepted,
  readJournal,
  readTransmitLog,
  sweepJournals,
} from './transmit-log.ts'

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-departures-'))
const [merchantId, journalId] = [newId(), newId()]
let file = ''
let first: string[] = []
beforeAll(() => {
  const journal = newJournal(dataDir, merchantId, journalId)
  file = journal.file
  openTransmitLog(journal).close()
  first = fs.readFileSync(file, 'utf8').trim().split(' ')
})
afterAll(() => fs.rmSync(dataDir, { recursive: true }))

test('journals go when they are old, and the oldest first when they are too large together', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-journals-'))
  const day = 86_400_000
  const ids = [1, 2, 3, 4, 40].map((daysAgo) => {
    const journal = newJournal(folder, merchantId, newId())
    openTransmitLog(journal).close()
    fs.truncateSync(journal.file, 1000)
    const at = new Date(Date.now() - daysAgo * day)
    fs.utimesSync(journal.file, at, at)
    return journal.id
  })
  const left = (): string[] =>
    listJournals(folder)
      .map(({ id }) => id)
      .sort()
  const oldest = new Date(Date.now() - 35 * day)
  sweepJournals(folder, { oldest, bytes: 10_000 })
  expect(left()).toEqual(ids.slice(0, 4).sort())
  sweepJournals(folder, { oldest, bytes: 2500 })
  expect(left()).toEqual(ids.slice(0, 2).sort())
  fs.rmSync(folder, { recursive: true })
})

test('a journal another process sweeps while it is looked at is as if it had been swept before', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-swept-'))
  const journal = newJournal(folder, merchantId, newId())
  const open = fs.openSync
  try {
    for (const look of [
      () => listJournals(folder),
      () => readTransmitLog(folder, merchantId, { id: 1, journal_id: journal.id }),
    ]) {
      openTransmitLog(journal).close()
      const opened = vi.spyOn(fs, 'openSync').mockImplementation((file, ...how) => {
        fs.rmSync(file, { force: true })
        return open(file, ...how)
      })
      expect([[], null]).toContainEqual(look())
      opened.mockRestore()
    }
  } finally {
    vi.restoreAllMocks()
    fs.rmSync(folder, { recursive: true })
  }
})

/** A journal of a dead writer: of two leases, each with a mail that left, the first taken. Returns the journal and the mails. */
function written(damage: (text: string) => string) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-damaged-'))
  const journal = newJournal(folder, merchantId, newId())
  const log = openTransmitLog(journal)
  const [one, two] = [newId(), newId()]
  const who = { customer: newId(), execution: null, round: null }
  log.reached(7)
  log.begin({ id: 1, program: newId(), node: '初め', channel: 'email' })
  log.add([{ delivery: one, ...who }])
  log.accepted(one, new Date('2026-11-27T03:00:00Z'))
  log.begin({ id: 2, program: newId(), node: null, channel: 'email' })
  log.add([{ delivery: two, ...who }])
  log.close()
  const [, ...lines] = fs.readFileSync(journal.file, 'utf8').split('\n')
  // A number that is another program's by now.
  const dead = [...first.slice(0, 3), '1'].join(' ')
  fs.writeFileSync(journal.file, `${dead}\n${damage(lines.join('\n'))}`)
  const of = (id: number) => ({ id, journal_id: journal.id })
  return {
    one,
    two,
    left: (id: number) => readTransmitLog(folder, merchantId, of(id)),
    accepted: (id: number) => readAccepted(folder, merchantId, of(id)),
    all: () => [...readJournal(journal.file)],
  }
}

test.runIf(process.platform === 'linux')('a whole journal says what left, and what was taken', () => {
  const { one, two, left, accepted, all } = written((text) => text)
  expect([left(1), left(2), left(3)]).toEqual([new Set([one]), new Set([two]), new Set()])
  // Written with what left next, under the lease of that.
  expect(accepted(2)).toEqual(new Map([[one, new Date('2026-11-27T03:00:00Z')]]))
  expect(all()).toMatchObject([
    { delivery: one, node: '初め', position: 7 },
    { delivery: two, node: null, position: 7 },
  ])
})

test.runIf(process.platform === 'linux').each<[string, (text: string) => string]>([
  ['a heading no one can read', (text) => text.replace('%E5', '%')],
  ['a heading of no lease', (text) => text.replace('=2', '=x')],
  ['letters for zeros of the disk', (text) => text.replace(/(?<=\n)[\w-]{22}(?= )/, '\0'.repeat(22))],
  ['a line cut in its middle', (text) => text.replace(/(?<=\n[\w-]{10})[\w-]{12} [\w-]{22}/, '')],
  ['a time that is none', (text) => text.replace(/(\n\*[\w-]{22} )\w+/, '$1zzzzzzzzzzzzz')],
])('of a damaged journal (%s) nothing is believed that it does not say, and reading it fails nothing', (_, damage) => {
  const { one, two, left, accepted, all } = written(damage)
  // Not known: all that may have left is uncertain.
  expect([left(1), left(2)]).toEqual([null, null])
  for (const [id, at] of [...accepted(1), ...accepted(2)]) expect([id, at.getTime()]).toEqual([one, expect.any(Number)])
  for (const { delivery } of all()) expect([one, two]).toContain(delivery)
})

/** Whether the writer counts as dead, with these words of the first line other than they were: number, machine start, world, beginning. */
function isDead(changed: Record<number, string | null>): boolean {
  const words = first.map((word, n) => (changed[n] === undefined ? word : changed[n])).filter((word) => word !== null)
  fs.writeFileSync(file, `${words.join(' ')}\n`)
  return isWriterDead(dataDir, merchantId, journalId)
}

test.runIf(process.platform === 'linux')(
  'the writer of a journal is dead when its process number is free or another program’s; on another machine it is unknown',
  async () => {
    expect(isDead({})).toBe(false)
    // This number, but a process that began at another time: ours is dead, and the number was given again.
    expect(isDead({ 3: '1' })).toBe(true)
    // A journal of an earlier version does not say when.
    expect(isDead({ 3: null })).toBe(false)
    const child = spawn(process.execPath, ['-e', ''])
    await once(child, 'exit')
    expect(isDead({ 0: String(child.pid) })).toBe(true)
    expect(isDead({ 0: String(child.pid), 3: null })).toBe(true)
    // Another start of the machine, another container, no number.
    expect(isDead({ 1: newId(), 3: '1' })).toBe(false)
    expect(isDead({ 2: 'pid:[1]', 3: '1' })).toBe(false)
    expect(isDead({ 0: '-' })).toBe(false)
  },
)
