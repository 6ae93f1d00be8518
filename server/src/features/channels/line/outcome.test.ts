import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LineOutcome } from '../../../integrations/line/index.ts'
import { newId } from '../../../kernel/ids.ts'
import { judge } from './outcome.ts'

const NOW = new Date('2026-11-25T03:00:00Z')
const MOST = 500

interface Person {
  id: string
  attempts: number
  batch_id: string | null
}
const peopleOf = (count: number): Person[] => {
  const batch_id = newId()
  return Array.from({ length: count }, () => ({ id: newId(), attempts: 1, batch_id }))
}

/** Hands over batch after batch as long as any is refused; the platform refuses each that has a bad id in it. */
function untilNoneIsRefused(people: Person[], bad: ReadonlySet<string>) {
  const waiting = [people]
  const [got, refused, keys]: [string[], string[], string[]] = [[], [], []]
  let calls = 0
  for (let batch = waiting.pop(); batch; batch = waiting.pop()) {
    calls += 1
    keys.push(String(batch[0]?.batch_id))
    const isRefused = batch.some(({ id }) => bad.has(id))
    const outcome: LineOutcome = isRefused
      ? { kind: 'bad_request', message: 'Failed to send messages', problems: [] }
      : { kind: 'accepted', requestId: newId(), messageIds: [] }
    const { results } = judge(outcome, batch, NOW)
    const parts = new Map<string | null, Person[]>()
    for (const { id, status, batchId, countsAttempt } of results) {
      if (status === 'sent') got.push(id)
      else if (status === 'failed') refused.push(id)
      else {
        expect(countsAttempt).toBe(false)
        parts.set(batchId, [...(parts.get(batchId) ?? []), { id, attempts: 1, batch_id: batchId }])
      }
    }
    waiting.push(...parts.values())
  }
  return { got, refused, keys, calls }
}

test('bad ids among many are found with two calls for each halving; the others get it once, and no key is used twice', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: MOST }), fc.array(fc.nat(), { maxLength: 4 }), (count, places) => {
      const people = peopleOf(count)
      const bad = new Set(places.map((place) => people[place % count]?.id as string))
      const { got, refused, keys, calls } = untilNoneIsRefused(people, bad)
      expect(refused.toSorted()).toEqual([...bad].toSorted())
      expect(got.toSorted()).toEqual(
        people
          .map(({ id }) => id)
          .filter((id) => !bad.has(id))
          .toSorted(),
      )
      expect(new Set(keys).size).toBe(keys.length)
      expect(calls).toBeLessThanOrEqual(1 + bad.size * 2 * Math.ceil(Math.log2(Math.max(count, 2))))
    }),
  )
})

test('what may have been taken keeps its key, whatever the next answer but a refusal of the content says', () => {
  const people = peopleOf(3)
  const outcomes: LineOutcome[] = [
    { kind: 'unknown', detail: 'HTTP 500' },
    { kind: 'unreachable', detail: 'ECONNREFUSED' },
    { kind: 'rate_limited' },
    { kind: 'quota_used_up' },
    { kind: 'unauthorized', message: '' },
    { kind: 'refused', status: 403, message: '' },
  ]
  for (const outcome of outcomes) {
    const { results } = judge(outcome, people, NOW)
    expect(results.map(({ status, batchId }) => [status, batchId])).toEqual(
      people.map(({ batch_id }) => ['pending', batch_id]),
    )
    // Only what may have arrived uses up an attempt.
    expect(results.every(({ countsAttempt }) => countsAttempt === (outcome.kind === 'unknown'))).toBe(true)
  }
})
