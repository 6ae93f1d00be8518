import { starters } from '@okaeri/contract/emails/starters'
import { expect, test } from 'vitest'
import { firstTexts } from './first-texts.ts'

test('a new email is called in the language of whoever writes it, and speaks to customers in theirs', () => {
  const { name } = starters.newsletter.en
  const { subject, preheader } = starters.newsletter.ja
  expect(firstTexts('newsletter', { shown: 'en', written: 'ja' })).toEqual({ name, subject, preheader })
  expect(firstTexts('newsletter', { shown: 'ja', written: 'ja' }).name).toBe(starters.newsletter.ja.name)
})
