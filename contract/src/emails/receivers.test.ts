import { expect, test } from 'vitest'
import { isReceiverKey, receiverKeys, receiverOf } from './receivers.ts'

test.each([
  ['gmail.com', 'google'],
  ['GoogleMail.com', 'google'],
  ['docomo.ne.jp', 'docomo'],
  ['ezweb.ne.jp', 'au'],
  ['ab.ezweb.ne.jp', 'au'],
  ['au.com', 'au'],
  ['t.vodafone.ne.jp', 'softbank'],
  ['i.softbank.jp', 'softbank'],
  ['jp-t.ne.jp', 'softbank'],
  ['di.pdx.ne.jp', 'softbank'],
  ['yahoo.co.jp', 'yahoo_jp'],
  ['yahoo.com', 'yahoo'],
  ['icloud.com.', 'apple'],
  ['hotmail.co.jp', 'microsoft'],
  ['rakumail.jp', 'rakuten'],
  ['aioros.ocn.ne.jp', 'ocn'],
  ['a.b.zaq.ne.jp', 'jcom'],
])('%s is of %s', (domain, receiver) => {
  expect(receiverOf(domain)).toBe(receiver)
  expect(isReceiverKey(receiver)).toBe(true)
})

test('a domain that is only like one we know stands for itself', () => {
  for (const domain of ['notgmail.com', 'mail.gmail.com', 'gmail.com.example.org', 'ne.jp', 'example.co.jp', '', 'x'])
    expect(receiverOf(domain)).toBe(domain)
  expect(receiverOf('Example.JP.')).toBe('example.jp')
  expect(isReceiverKey('example.jp')).toBe(false)
  expect(isReceiverKey('toString')).toBe(false)
})

test('no key looks like a domain', () => {
  for (const key of receiverKeys) expect(key).toMatch(/^[a-z_]+$/)
})
