import { expect, test } from 'vitest'
import { placeOf } from './navigation.ts'

test.each([
  ['/', '/'],
  ['/campaigns/1/report', '/campaigns'],
  ['/emails/view/1', '/emails'],
  ['/data/import', '/data/import'],
  ['/settings', '/settings'],
  ['/email-components/1', '/email-components'],
  ['/favorites', '/favorites'],
  ['/favorites/12', '/favorites'],
])('%s is marked in the navigation as %s', (pathname, place) => {
  expect(placeOf(pathname)).toBe(place)
})
