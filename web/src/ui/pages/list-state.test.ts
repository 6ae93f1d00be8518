import { expect, test } from 'vitest'
import { z } from 'zod'
import { listSearch } from './list-state.ts'

const Search = listSearch({ sorts: ['created_at', 'name'], filters: { status: z.enum(['draft', 'sent']) } })

test('a shared address keeps its page, order and filters', () => {
  expect(Search.parse({ q: '123', page: '3', size: '50', sort: 'name', direction: 'asc', status: 'sent' })).toEqual({
    q: '123',
    page: 3,
    size: 50,
    sort: 'name',
    direction: 'asc',
    status: 'sent',
  })
})

test('invalid parts are dropped, and the page opens all the same', () => {
  const odd = {
    page: '-1',
    size: '7',
    sort: 'password',
    direction: 'up',
    status: 'gone',
    q: 'x'.repeat(201),
    more: '1',
  }
  expect(Object.values(Search.parse(odd)).filter((value) => value !== undefined)).toEqual([])
})

test('by default the newest come first', () => {
  expect(Search.defaults).toEqual({ sort: 'created_at', direction: 'desc' })
})
