import { expect, test } from 'vitest'
import { clashesOf, comparedLines } from './edit-conflict.ts'

const began = { subject: 'はじめ', preheader: '', content: '<p>1</p>' }

test('what two people changed to different texts clashes, and nothing else does', () => {
  const clashes = (mine: object, saved: object) =>
    clashesOf({ began, mine: { ...began, ...mine }, saved: { ...began, ...saved } })
  expect(clashes({ content: '<p>2</p>' }, { content: '<p>3</p>', subject: '別' })).toEqual(['content'])
  expect(clashes({ subject: '私' }, { content: '<p>3</p>' })).toEqual([])
  expect(clashes({ subject: '同じ' }, { subject: '同じ' })).toEqual([])
  expect(clashes({}, { subject: '別', preheader: '別' })).toEqual([])
  expect(clashes({ subject: 'a', preheader: 'b' }, { preheader: 'c', subject: 'd' })).toEqual(['subject', 'preheader'])
})

test('of two texts the lines that only one of them has stand out', () => {
  expect(comparedLines('a\nb\nc', 'a\nc')).toEqual([
    { line: 'a', differs: false },
    { line: 'b', differs: true },
    { line: 'c', differs: false },
  ])
})
