import { expect, test } from 'vitest'
import { paths, safeNext } from './paths.ts'

test('an address is filled with its id, however odd', () => {
  expect(paths.campaignReport('7f')).toBe('/campaigns/7f/report')
  expect(paths.customer('a/b$1')).toBe('/customers/a%2Fb%241')
  expect(paths.campaign.pattern).toBe('/campaigns/$id')
})

test('no two pages share an address', () => {
  const patterns = Object.values(paths).map(({ pattern }) => pattern)
  expect(new Set(patterns).size).toBe(patterns.length)
})

test('after sign-in the member returns only to a page of ours', () => {
  expect(safeNext('/campaigns?status=sent')).toBe('/campaigns?status=sent')
  for (const next of [
    undefined,
    '',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/login?next=/x',
  ])
    expect(safeNext(next)).toBe('/')
})
