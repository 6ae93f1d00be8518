import { expect, test } from 'vitest'
import { badgeOf, isMoving } from './campaign-badge.tsx'

const now = new Date('2026-11-23T03:00:00Z')
const reserved = { status: 'reserved', balance: null } as const

test.each([
  ['to be sent at once', { ...reserved, send_type: 'immediate', scheduled_at: null }, true],
  ['whose time has come', { ...reserved, send_type: 'scheduled', scheduled_at: '2026-11-23T03:00:00Z' }, true],
  ['whose time is to come', { ...reserved, send_type: 'scheduled', scheduled_at: '2026-11-23T03:00:01Z' }, false],
  ['being sent', { ...reserved, status: 'sending', send_type: 'immediate', scheduled_at: null }, true],
  ['sent', { ...reserved, status: 'sent', send_type: 'immediate', scheduled_at: null }, false],
] as const)('a campaign %s: its page follows it closely, or not', (_, campaign, moves) => {
  expect(isMoving(campaign, now)).toBe(moves)
})

test.each(['collecting', 'reserving', 'reserved', 'waiting', 'sending'] as const)(
  'what is sent at once is not called scheduled while it is %s',
  (status) => {
    expect(badgeOf({ status, send_type: 'immediate', balance: null }).word).not.toMatch(/status\.reserv/)
  },
)
