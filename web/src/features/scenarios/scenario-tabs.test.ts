import { describe, expect, test } from 'vitest'
import { ScenarioPageSearch } from './search.ts'
import { tabOf } from './scenario-tabs.ts'

const opened = (query: string) => tabOf(ScenarioPageSearch.parse(Object.fromEntries(new URLSearchParams(query))))

describe('the tab of a scenario’s page that an address opens', () => {
  test.each([
    ['', 'overview'],
    ['tab=settings', 'settings'],
    ['tab=messages&sent=failed&node=n1&page=2', 'messages'],
    ['tab=nothing-like-it', 'overview'],
  ])('“%s” opens %s', (query, tab) => expect(opened(query)).toBe(tab))

  test.each(['status=failed', 'node=n1', 'test=true', 'q=tanaka', 'page=3', `customer=${crypto.randomUUID()}`])(
    '“%s”, a link from before there were tabs, opens the people',
    (query) => expect(opened(query)).toBe('people'),
  )

  test('an invalid value opens the page all the same', () =>
    expect(opened('status=unheard-of&page=-1&sent=maybe')).toBe('overview'))
})
