import { leavesOf } from '@okaeri/contract/segments/condition'
import type { CustomerFilter } from '@okaeri/contract/customers/view'
import { expect, test } from 'vitest'
import { wrongIn } from './condition-tree.ts'
import { conditionsOf } from './from-filters.ts'

test('each filter of the customer list becomes a condition that can be saved, and the impossible ones are named', () => {
  const filters: CustomerFilter[] = [
    { marketing: 'not_granted' },
    { marketing: 'withdrawn', notification: 'granted' },
    { tag: 'VIP', suppressed: 'no', has_orders: 'yes', line: 'yes' },
    { has_orders: 'no' },
    { created_from: '2026-01-01', created_to: '2026-02-01' },
    { created_to: '2026-02-01' },
    { orders_min: 2, orders_max: 5 },
    { orders_max: 0, sales_min: 1000 },
    { sent_min: 1 },
    { sent_max: 0 },
    { sent_min: 1, sent_max: 3 },
  ]
  for (const filter of filters) {
    const { conditions, left } = conditionsOf(filter)
    expect(left).toEqual([])
    expect(conditions && leavesOf(conditions).length, JSON.stringify(filter)).toBeGreaterThan(0)
    expect(conditions && wrongIn(conditions), JSON.stringify(filter)).toEqual({})
  }
  expect(conditionsOf({ q: '山田', language: 'ja' })).toEqual({ conditions: null, left: ['q', 'language'] })
})
