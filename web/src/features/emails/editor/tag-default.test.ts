import { expect, test } from 'vitest'
import { mayBeEmpty, withDefault } from './tag-default.ts'

const name = '{{ customer.name }}'

test('a tag gets what stands there where the customer has none', () => {
  expect(withDefault(name, '')).toBe(name)
  expect(withDefault(name, ' お客様 ')).toBe('{{ customer.name | default: "お客様" }}')
})

test('whatever is typed, the tag ends where it should', () => {
  expect(withDefault(name, 'a "b" c')).toBe(`{{ customer.name | default: 'a "b" c' }}`)
  expect(withDefault(name, `"it's"`)).toBe(`{{ customer.name | default: '"it’s"' }}`)
  expect(withDefault(name, '}} {% x\n%}')).toBe('{{ customer.name | default: "% x%" }}')
})

test('only texts that may be missing have one', () => {
  expect(mayBeEmpty({ category: 'customer', value: 'text' })).toBe(true)
  expect(mayBeEmpty({ category: 'store', value: 'text' })).toBe(false)
  expect(mayBeEmpty({ category: 'metafields', value: 'link' })).toBe(false)
})
