import { ApiError } from '@okaeri/contract/client'
import { describe, expect, test } from 'vitest'
import { createRenewal, type RenewalParts } from './renewal.ts'

/** A browser with two cookies, and a server that answers at a time the test chooses. */
function browser(over: Partial<RenewalParts> = {}) {
  const kept = { access: 'a1' as string | null, refresh: 'r1' as string | null }
  const exchanged: string[] = []
  let queue: Promise<unknown> = Promise.resolve()
  const parts: RenewalParts = {
    accessToken: () => kept.access,
    refreshToken: () => kept.refresh,
    exchange: (token) => {
      exchanged.push(token)
      return Promise.resolve({ access_token: `a${exchanged.length + 1}`, refresh_token: `r${exchanged.length + 1}` })
    },
    keep: (tokens) => {
      kept.access = tokens.access_token
      kept.refresh = tokens.refresh_token
    },
    alone: (work) => {
      const next = queue.then(work)
      queue = next.catch(() => undefined)
      return next
    },
    ...over,
  }
  return { kept, exchanged, parts }
}
const refused = (status: number) => new ApiError(status, 'unauthorized', 'token_invalid', 'Exchange token failed')

describe('renewing the session', () => {
  test('many calls refused at once exchange the refresh token once', async () => {
    const { parts, exchanged } = browser()
    const renew = createRenewal(parts)
    expect(await Promise.all(Array.from({ length: 20 }, () => renew('a1')))).toEqual(Array(20).fill(true))
    expect(exchanged).toEqual(['r1'])
  })

  test('a call refused with the old token after the renewal does not renew again', async () => {
    const { parts, exchanged } = browser()
    const renew = createRenewal(parts)
    await renew('a1')
    expect(await renew('a1')).toBe(true)
    expect(exchanged).toEqual(['r1'])
  })

  test('two tabs exchange one refresh token between them', async () => {
    const { parts, exchanged, kept } = browser()
    const tabs = [createRenewal(parts), createRenewal(parts)]
    expect(await Promise.all(tabs.map((renew) => renew('a1')))).toEqual([true, true])
    expect(exchanged).toEqual(['r1'])
    expect(kept.access).toBe('a2')
  })

  test('a refused refresh token means the session is over', async () => {
    const { parts } = browser({ exchange: () => Promise.reject(refused(401)) })
    expect(await createRenewal(parts)('a1')).toBe(false)
  })

  test('without a refresh token nothing is asked', async () => {
    const { parts, exchanged } = browser({ refreshToken: () => null })
    expect(await createRenewal(parts)('a1')).toBe(false)
    expect(exchanged).toEqual([])
  })

  test.each([0, 429, 500, 503])(
    'an answer %i says nothing about the session, and the next try may succeed',
    async (status) => {
      let tries = 0
      const { parts } = browser()
      const exchange = parts.exchange
      parts.exchange = (token) => (++tries === 1 ? Promise.reject(refused(status)) : exchange(token))
      const renew = createRenewal(parts)
      await expect(renew('a1')).rejects.toBeInstanceOf(ApiError)
      expect(await renew('a1')).toBe(true)
    },
  )
})
