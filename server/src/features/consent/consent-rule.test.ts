import { expect, test } from 'vitest'
import { consentTakesEffect, readStoreConsent } from './consent-rule.ts'

const at = (time: string): Date => new Date(`2026-03-01T${time}Z`)
const withdrawn = { state: 'withdrawn', changedAt: at('10:00:00.400') } as const
const granted = { state: 'granted', changedAt: at('10:00:00.400') } as const
const nothing = { state: 'unknown', changedAt: null } as const

test('an import may fill in what is unknown and never overrides an opt-out', () => {
  const imported = { to: 'granted', source: 'import', occurredAt: at('23:00:00') } as const
  expect(consentTakesEffect(nothing, imported)).toBe(true)
  expect(consentTakesEffect(withdrawn, imported)).toBe(false)
  expect(consentTakesEffect({ state: 'pending', changedAt: null }, imported)).toBe(false)
  expect(consentTakesEffect(granted, { ...imported, to: 'withdrawn' })).toBe(true)
})

test('saying again what is so changes nothing', () => {
  for (const source of ['member', 'store', 'import', 'one_click'] as const)
    expect(consentTakesEffect(granted, { to: 'granted', source, occurredAt: at('12:00:00') })).toBe(false)
})

test('between the store and us the newer side wins', () => {
  const reported = { to: 'granted', source: 'store' } as const
  expect(consentTakesEffect(withdrawn, { ...reported, occurredAt: at('10:00:01') })).toBe(true)
  expect(consentTakesEffect(withdrawn, { ...reported, occurredAt: at('09:59:59') })).toBe(false)
  expect(consentTakesEffect(withdrawn, { ...reported, occurredAt: null })).toBe(false)
  expect(consentTakesEffect(nothing, { ...reported, occurredAt: null })).toBe(true)
})

test('within one second the opt-out wins, whichever side it is on', () => {
  expect(consentTakesEffect(withdrawn, { to: 'granted', source: 'store', occurredAt: at('10:00:00') })).toBe(false)
  expect(consentTakesEffect(granted, { to: 'withdrawn', source: 'store', occurredAt: at('10:00:00') })).toBe(true)
})

test('“not subscribed” in the store is no reason to forget an opt-out', () => {
  expect(consentTakesEffect(withdrawn, { to: 'unknown', source: 'sync', occurredAt: at('11:00:00') })).toBe(false)
  expect(consentTakesEffect(granted, { to: 'unknown', source: 'store', occurredAt: at('11:00:00') })).toBe(true)
})

test('a person’s own word and a member’s always count', () => {
  for (const source of ['unsubscribe_link', 'one_click', 'subscribe_link', 'storefront', 'member'] as const)
    expect(consentTakesEffect(withdrawn, { to: 'granted', source, occurredAt: at('08:00:00') })).toBe(true)
})

test('the platform’s words are read in either letter case', () => {
  expect(['SUBSCRIBED', 'unsubscribed', 'Pending', 'not_subscribed', 'INVALID', null].map(readStoreConsent)).toEqual([
    'granted',
    'withdrawn',
    'pending',
    'unknown',
    'unknown',
    'unknown',
  ])
})
