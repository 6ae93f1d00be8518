import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createClock } from './clock.ts'

const dayMs = 86_400_000

test('the clock moves forward, tells its listeners, and keeps its offset over a restart', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-clock-'))
  try {
    const first = new DatabaseSync(join(folder, 'clock.sqlite'))
    const clock = createClock(first)
    let moves = 0
    clock.onMove(() => moves++)
    expect(clock.offsetMs()).toBe(0)
    clock.advance(dayMs)
    const before = Date.now()
    clock.set(new Date(before + 3 * dayMs))
    expect(moves).toBe(2)
    expect(clock.offsetMs()).toBeLessThanOrEqual(3 * dayMs)
    expect(clock.offsetMs()).toBeGreaterThanOrEqual(3 * dayMs - (Date.now() - before))
    const offsetMs = clock.offsetMs()
    first.close()
    const second = new DatabaseSync(join(folder, 'clock.sqlite'))
    expect(createClock(second).offsetMs()).toBe(offsetMs)
    second.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the clock refuses to go back and what is no time, and stays where it is', () => {
  const clock = createClock(new DatabaseSync(':memory:'))
  clock.advance(dayMs)
  expect(() => clock.advance(-1)).toThrow(expect.objectContaining({ statusCode: 409 }))
  expect(() => clock.set(new Date())).toThrow(expect.objectContaining({ statusCode: 409 }))
  expect(() => clock.set(new Date('no time'))).toThrow(expect.objectContaining({ statusCode: 422 }))
  expect(() => clock.advance(Number.NaN)).toThrow(expect.objectContaining({ statusCode: 422 }))
  expect(() => clock.advance(9e15)).toThrow(expect.objectContaining({ statusCode: 422 }))
  expect(clock.offsetMs()).toBe(dayMs)
})
