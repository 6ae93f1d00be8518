import { starters } from '@okaeri/contract/emails/starters'
import { expect, test } from 'vitest'
import { firstTexts } from './first-texts.ts'

test('a new email is called in the language of the member who writes it, and speaks to customers in theirs', () => {
  const { name, subject, preheader } = starters.newsletter
  expect(firstTexts('newsletter', { shown: 'en', written: 'ja' })).toEqual({
    name: name.en,
    subject: subject.ja,
    preheader: preheader.ja,
  })
  expect(firstTexts('newsletter', { shown: 'ja', written: 'ja' }).name).toBe(name.ja)
})
