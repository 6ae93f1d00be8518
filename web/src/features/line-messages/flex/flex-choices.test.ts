import { readFlex } from '@okaeri/contract/line-messages/flex-source'
import { expect, test } from 'vitest'
import { flexChoices } from './flex-choices.ts'

/** The cursor stands at the bar. */
const at = (text: string) => flexChoices(text.replace('|', ''), text.indexOf('|'))
const labels = (text: string) => at(text)?.choices.map(({ label }) => label)
/** The text after choosing. */
function chosen(text: string, label: string): string {
  const found = at(text)
  const choice = found?.choices.find((one) => one.label === label)
  if (!found || !choice) throw new Error(`${label} cannot be chosen`)
  const source = text.replace('|', '')
  return source.slice(0, found.from) + choice.insert + source.slice(found.to)
}
const inBody = (text: string) =>
  `{ "type": "bubble", "body": { "type": "box", "layout": "vertical", "contents": [${text}] } }`

test('the keys of the component at the cursor are offered, but those it has', () => {
  const keys = labels(inBody('{ "type": "button", "style": "link", | }'))
  expect(keys).toContain('action')
  expect(keys).not.toContain('style')
  expect(keys).not.toContain('layout')
  expect(at(inBody('{ "type": "image", "|" }'))?.choices.filter(({ isNeeded }) => isNeeded)).toMatchObject([
    { label: 'url' },
  ])
  expect(labels('{ "type": "bubble", "styles": { "body": { | } } }')).toEqual([
    'backgroundColor',
    'separator',
    'separatorColor',
  ])
  expect(labels(inBody('{ | }'))).toContain('type')
})

test('so are values: names, types, true and false, whole components', () => {
  expect(labels(inBody('{ "type": "|" }'))).toEqual(
    expect.arrayContaining(['box', 'button', 'text', 'separator', 'filler']),
  )
  expect(labels(inBody('{ "type": "button", "style": | }'))).toEqual(['primary', 'secondary', 'link'])
  expect(labels(inBody('{ "type": "text", "text": "x", "margin": "x|" }'))).toEqual([
    'none',
    'xs',
    'sm',
    'md',
    'lg',
    'xl',
    'xxl',
  ])
  expect(labels(inBody('{ "type": "text", "wrap": t| }'))).toEqual(['true', 'false'])
  expect(labels('|')).toEqual(['bubble', 'carousel'])
  expect(labels(inBody('{ "type": "text", "text": "|" }'))).toBeUndefined()
  expect(labels('['.repeat(60_000) + '|')).toBeUndefined()
})

test('a choice replaces what was typed of it, closed or not', () => {
  expect(chosen(inBody('{ "type": "te|" }'), 'text')).toBe(inBody('{ "type": "text" }'))
  expect(chosen('{ "type": "bub|', 'bubble')).toBe('{ "type": "bubble"')
  expect(chosen(inBody('{ "type": "image", u| }'), 'url')).toBe(inBody('{ "type": "image", "url": "" }'))
  expect(chosen(inBody('{ "type": "image", "u|": "https://shop.example/a.jpg" }'), 'url')).toBe(
    inBody('{ "type": "image", "url": "https://shop.example/a.jpg" }'),
  )
  expect(chosen(inBody('{ "type": "button", "style": pri| }'), 'primary')).toBe(
    inBody('{ "type": "button", "style": "primary" }'),
  )
})

test('a component that was chosen lacks nothing but its words and addresses', () => {
  for (const type of at(inBody('|'))?.choices ?? []) {
    const read = readFlex(chosen(inBody('|'), type.label))
    const problems = 'problems' in read ? read.problems : []
    expect([type.label, problems.filter(({ reason }) => !['required', 'not_a_url'].includes(reason))]).toEqual([
      type.label,
      [],
    ])
  }
})
