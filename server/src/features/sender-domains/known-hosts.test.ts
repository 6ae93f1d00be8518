import { expect, test } from 'vitest'
import { merchant, okaeri, withMerchants } from '../../../test/with-okaeri.ts'
import type { Context } from '../../kernel/context.ts'
import { DatabaseAwayError } from '../../kernel/database/database-trouble.ts'
import { forgetKnownHosts, knownMerchantsOfLinkHost } from './known-hosts.ts'

withMerchants()

/** A process of its own, at a moment of its own, that counts what it asks of the database. */
function aProcess() {
  const state = { asked: 0, nowMs: 1_000_000, isAway: false }
  const db = okaeri.context.db.withPlugin({
    transformQuery({ node }) {
      state.asked += 1
      if (state.isAway) throw new DatabaseAwayError('it does not answer')
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const clock = { ...okaeri.context.clock, realNow: () => new Date(state.nowMs) }
  const context: Context = { ...okaeri.context, db, clock }
  return { state, context, of: (host: string) => knownMerchantsOfLinkHost(context, host) }
}
const becomes = (host: string) =>
  okaeri.query`insert into link_host_directory (host, merchant_id, served_since) values (${host}, ${merchant.id}, now())`

test('hosts that a stranger makes up cost one question a second, however many', async () => {
  const { state, of } = aProcess()
  const at = async () => {
    const found = await Promise.all(Array.from({ length: 50 }, (_, n) => of(`made-up-${n}.example`)))
    return found.flat()
  }
  expect(await at()).toEqual([])
  expect(await at()).toEqual([])
  expect(state.asked).toBe(1)
  state.nowMs += 1000
  await at()
  expect(state.asked).toBe(2)
})

test('a host that another process made a link domain is one here a second later, and at once where it was made', async () => {
  const { state, context, of } = aProcess()
  expect(await of('mail.shop-a.test')).toEqual([])
  await becomes('mail.shop-a.test')
  state.nowMs += 1000
  expect(await of('mail.shop-a.test')).toEqual([merchant.id])
  await becomes('mail.shop-b.test')
  forgetKnownHosts(context)
  expect(await of('mail.shop-b.test')).toEqual([merchant.id])
})

test('while the database does not answer, a link domain stays one', async () => {
  const { state, of } = aProcess()
  await becomes('mail.shop-c.test')
  expect(await of('mail.shop-c.test')).toEqual([merchant.id])
  state.nowMs += 5000
  state.isAway = true
  expect(await of('mail.shop-c.test')).toEqual([merchant.id])
  expect(state.asked).toBe(2)
})
