import i18next from 'i18next'
import { expect, test } from 'vitest'
import { interpolation } from './i18n.ts'

test('a name that turns the direction turns no sentence, and others stay as they are', async () => {
  const words = i18next.createInstance()
  const resources = { en: { ui: { ask: 'Delete {{name}} and {{count}} messages?' } } }
  await words.init({ resources, lng: 'en', defaultNS: 'ui', interpolation })
  const ask = (name: string) => words.t('ask', { name, count: 3 })
  expect(ask('\u202egnp.exe')).toBe('Delete \u2068gnp.exe\u2069 and 3 messages?')
  expect(ask('\u2069\u202e')).toBe('Delete \u2068\u2069 and 3 messages?')
  expect(ask('שלום')).toBe('Delete \u2068שלום\u2069 and 3 messages?')
  expect(ask('<b>山田 & O’Neil</b> $1 {{count}}')).toBe('Delete <b>山田 & O’Neil</b> $1 {{count}} and 3 messages?')
})
