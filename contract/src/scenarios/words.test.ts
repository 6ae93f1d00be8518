import { expect, it } from 'vitest'
import { describeTrigger } from './words.ts'

it('triggers say what they are set to', () => {
  expect(
    describeTrigger(
      { kind: 'metafield_date', metafield: 'custom.renewal', offset_days: -7, every_year: true, time: '09:00' },
      { language: 'en' },
    ),
  ).toBe('Starts 7 days before the date in the metafield custom.renewal at 09:00, every year.')
  expect(describeTrigger({ kind: 'cart_abandoned', after_minutes: 90 }, { language: 'ja' })).toBe(
    'カートに商品を入れたまま90分購入がないと始まります。',
  )
  const orders = [null, 1, 3, 11, 22].map((nth) => describeTrigger({ kind: 'order_paid', nth }, { language: 'en' }))
  expect(orders).toEqual([
    'Starts when an order is paid.',
    'Starts when a customer’s first order is paid.',
    'Starts when a customer’s 3rd order is paid.',
    'Starts when a customer’s 11th order is paid.',
    'Starts when a customer’s 22nd order is paid.',
  ])
})
