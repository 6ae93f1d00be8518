import { expect, test } from 'vitest'
import { rateChange, sumChange } from './period-change.ts'

const figures = {
  sent: 10,
  mails_sent: 10,
  opened: 4,
  clicked: 1,
  open_rate: 40,
  click_rate: 10,
  revenue: 500,
  orders: 1,
  unsubscribed: 0,
  bounced: 0,
}
const nothing = {
  ...figures,
  sent: 0,
  mails_sent: 0,
  opened: 0,
  clicked: 0,
  open_rate: 0,
  click_rate: 0,
  revenue: 0,
  orders: 0,
}

test('figures are compared where both periods have something to compare', () => {
  expect(sumChange('revenue', figures, { ...figures, revenue: 400 })).toEqual({ now: 500, before: 400 })
  expect(rateChange('open_rate', figures, { ...figures, open_rate: 30 })).toEqual({ now: 40, before: 30, points: true })
})

test('nothing is compared with a period before there was anything, or in which nothing happened', () => {
  for (const before of [null, nothing]) {
    expect(sumChange('sent', figures, before)).toEqual({ now: 10, before: null })
    expect(rateChange('click_rate', figures, before)).toEqual({ now: 10, before: null, points: true })
  }
  expect(rateChange('open_rate', nothing, figures)).toBeUndefined()
  const byLine = { ...figures, mails_sent: 0, open_rate: 0 }
  expect(rateChange('open_rate', byLine, figures)).toBeUndefined()
  expect(rateChange('open_rate', figures, byLine)).toEqual({ now: 40, before: null, points: true })
  expect(rateChange('click_rate', byLine, figures)).toEqual({ now: 10, before: 10, points: true })
  expect(sumChange('sent', figures, undefined)).toBeUndefined()
})
