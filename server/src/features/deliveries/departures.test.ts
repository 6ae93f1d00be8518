import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { isWriterDead, newJournal, openDepartures } from './departures.ts'

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-departures-'))
const [merchantId, journalId] = [newId(), newId()]
let file = ''
let first: string[] = []
beforeAll(() => {
  const journal = newJournal(dataDir, merchantId, journalId)
  file = journal.file
  openDepartures(journal).close()
  first = fs.readFileSync(file, 'utf8').trim().split(' ')
})
afterAll(() => fs.rmSync(dataDir, { recursive: true }))

/** Whether the writer counts as dead, with these words of the first line other than they were: number, machine start, world, beginning. */
function isDead(changed: Record<number, string | null>): boolean {
  const words = first.map((word, n) => (changed[n] === undefined ? word : changed[n])).filter((word) => word !== null)
  fs.writeFileSync(file, `${words.join(' ')}\n`)
  return isWriterDead(dataDir, merchantId, journalId)
}

test.runIf(process.platform === 'linux')(
  'the writer of a journal is dead when its number is nobody’s or another program’s, and unknown elsewhere',
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
