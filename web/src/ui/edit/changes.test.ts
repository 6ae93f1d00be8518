import { expect, test } from 'vitest'
import { changesOf } from './changes.ts'

const began = {
  name: 'くも珈琲',
  reply_to: null as string | null,
  hours: { start: '09:00', end: '18:00' },
  tags: ['a'],
}

test('untouched fields are not sent, so that they cannot undo what another member saved meanwhile', () => {
  expect(changesOf(began, { ...began, hours: { ...began.hours }, tags: ['a'] })).toEqual({})
  expect(changesOf(began, { ...began, name: 'そら珈琲' })).toEqual({ name: 'そら珈琲' })
})

test('an emptied field, a changed part of a field and another order are changes', () => {
  expect(changesOf({ ...began, reply_to: 'a@example.com' }, began)).toEqual({ reply_to: null })
  expect(changesOf(began, { ...began, hours: { start: '10:00', end: '18:00' } })).toEqual({
    hours: { start: '10:00', end: '18:00' },
  })
  expect(changesOf({ ...began, tags: ['a', 'b'] }, { ...began, tags: ['b', 'a'] })).toEqual({ tags: ['b', 'a'] })
})

test('fields that belong together are sent together, or not at all', () => {
  const audience = { name: '秋', type: 'own', segment: 'regulars' as string | null }
  const together = [['type', 'segment']] as const
  expect(changesOf(audience, { ...audience, name: '冬' }, together)).toEqual({ name: '冬' })
  expect(changesOf(audience, { ...audience, segment: 'new' }, together)).toEqual({ type: 'own', segment: 'new' })
})
