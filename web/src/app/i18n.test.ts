import i18next from 'i18next'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { initReactI18next } from 'react-i18next'
import { expect, test } from 'vitest'
import { interpolation, ownWords } from './i18n.ts'

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

test('words that stand beside a part follow the language, with values and plurals', async () => {
  await i18next.use(initReactI18next).init({ resources: {}, lng: 'ja', fallbackLng: false, interpolation })
  const useText = ownWords({
    limit: {
      people: { ja: '最大{{count}}人', en: { one: 'Up to {{count}} person', other: 'Up to {{count}} people' } },
    },
  })
  const useOther = ownWords({ limit: { people: { ja: '別の文', en: 'Another text' } } })
  const Part = () => `${useText()('limit.people', { count: 1 })}, ${useOther()('limit.people')}`
  expect(renderToStaticMarkup(createElement(Part))).toBe('最大1人, 別の文')
  await i18next.changeLanguage('en')
  expect(renderToStaticMarkup(createElement(Part))).toBe('Up to 1 person, Another text')
})
