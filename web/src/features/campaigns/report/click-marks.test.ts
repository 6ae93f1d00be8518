import { expect, test } from 'vitest'
import { clickMarks, shareOf } from './click-marks.ts'

const links = [
  { position: 0, click_count: 6 },
  { position: 1, click_count: 0 },
  { position: 2, click_count: 2 },
]

test('each link has its share of all clicks, and none where nothing was clicked', () => {
  expect(links.map((link) => shareOf(link, links))).toEqual([75, 0, 25])
  const quiet = { position: 0, click_count: 0 }
  expect(shareOf(quiet, [quiet])).toBeNull()
})

test('every link gets a mark with its number and what is said of it, also one without clicks', () => {
  const rules = clickMarks('link-x-', links, ({ click_count }) => `${click_count} clicks`)
  for (const { position, click_count } of links) {
    expect(rules).toContain(`[href="#link-x-${position}"]::before{content:"${position + 1}"`)
    expect(rules).toContain(`[href="#link-x-${position}"]::after{content:"${click_count} clicks"`)
  }
})

test('nothing said of a link ends the rule or the style it stands in', () => {
  const rules = clickMarks('link-x-', links, () => '"}</style><script>')
  expect(rules).toContain('content:"\\22 }\\3c /style\\3e \\3c script\\3e "')
  expect(rules).not.toContain('<')
})
