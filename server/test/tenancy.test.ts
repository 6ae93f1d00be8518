import type { Endpoint } from '@okaeri/contract/endpoint'
import { ErrorBody } from '@okaeri/contract/errors'
import { beforeAll, describe, expect, test } from 'vitest'
import { okaeri, withOkaeri } from './with-okaeri.ts'
import { z } from 'zod'
import {
  everyEndpoint,
  isForVisitors,
  makeWorld,
  type Request,
  requestOf,
  rowsOf,
  send,
  SHOP_ORIGIN,
  tokenOf,
  visitorTokenOf,
  type World,
} from './every-endpoint.ts'
import { newId } from '../src/kernel/ids.ts'
import { lightFetch } from './light-fetch.ts'

/** Who calls, and whose data is meant. */
let ours: World
let theirs: World
let theirRows: Awaited<ReturnType<typeof rowsOf>>

withOkaeri()
beforeAll(async () => {
  ours = await makeWorld(okaeri, await okaeri.merchant())
  theirs = await makeWorld(okaeri, await okaeri.merchant())
  await okaeri.settle()
  theirRows = await rowsOf(okaeri, theirs.merchant.id)
})

const forVisitors = everyEndpoint().filter(({ endpoint }) => isForVisitors(endpoint))
const forMembers = everyEndpoint().filter(
  ({ endpoint }) => !isForVisitors(endpoint) && !['public', 'operator'].includes(endpoint.access),
)
const named = (list: typeof forMembers) => list.map((entry) => [entry.key, entry] as const)
const ownToken = () => tokenOf(ours.merchant)
const theirIds = () => [...Object.values(theirs.ids), theirs.merchant.id, theirs.merchant.memberId]
const untouched = async () => expect(await rowsOf(okaeri, theirs.merchant.id)).toEqual(theirRows)

test('the neighbour has one of everything, so that there is something to find', () => {
  for (const table of [
    'merchants members customers orders order_lines products segments emails campaigns messages deliveries',
    'conversions tracking_hits message_stats consent_changes suppressions',
  ]
    .join(' ')
    .split(' '))
    expect([table, theirRows.get(table)?.length]).not.toEqual([table, 0])
})

describe('without a token', () => {
  test.for(named(forMembers))('%s asks to sign in', async ([, { endpoint, feed }]) => {
    const request = await requestOf(feed, ours)
    for (const token of [null, 'nonsense', `test.${ours.merchant.id}`]) {
      const { status, json } = await send(okaeri, endpoint, request, token)
      expect([status, ErrorBody.parse(json).error.reason]).toEqual([401, token ? 'token_invalid' : 'sign_in_required'])
    }
  })
})

describe('on the pages of a shop', () => {
  test.for(named(forVisitors))('%s takes a visitor’s token alone, at the origin it was made for', async ([, entry]) => {
    const { endpoint, feed } = entry
    const request = await requestOf(feed, ours)
    const good = await visitorTokenOf(ours, endpoint)
    for (const token of ['nonsense', `test.${ours.merchant.id}`, ownToken(), `${good}A`, good.slice(0, -1)]) {
      const { status, json } = await send(okaeri, endpoint, request, token)
      expect([status, ErrorBody.parse(json).error.reason]).toEqual([401, 'token_invalid'])
    }
    for (const origin of ['https://evil.example', 'null', `${SHOP_ORIGIN}.evil.example`, null]) {
      const headers: Record<string, string> = { authorization: `Bearer ${good}`, 'content-type': 'application/json' }
      if (origin !== null) headers['origin'] = origin
      const body = request.body === undefined ? null : JSON.stringify(request.body)
      const response = await lightFetch(`${okaeri.url}${endpoint.path}`, { method: endpoint.method, headers, body })
      expect([response.status, ErrorBody.parse(await response.json()).error.reason]).toEqual([
        403,
        'origin_not_allowed',
      ])
    }
    await untouched()
  })
})

describe('a viewer', () => {
  const changing = forMembers.filter(({ endpoint }) => endpoint.access !== 'member')
  let before: Awaited<ReturnType<typeof rowsOf>>
  beforeAll(async () => {
    before = await rowsOf(okaeri, ours.merchant.id)
  })
  test.for(named(changing))('may not %s', async ([, { endpoint, feed }]) => {
    const { status, json } = await send(okaeri, endpoint, await requestOf(feed, ours), tokenOf(ours.merchant, 'viewer'))
    expect([status, ErrorBody.parse(json).error.reason]).toEqual([403, 'role_forbids'])
    expect(await rowsOf(okaeri, ours.merchant.id)).toEqual(before)
  })

  const owners = forMembers.filter(({ endpoint }) => endpoint.access === 'owner')
  test.for(named(owners))('nor a marketer %s', async ([, { endpoint, feed }]) => {
    const { status } = await send(okaeri, endpoint, await requestOf(feed, ours), tokenOf(ours.merchant, 'marketer'))
    expect(status).toBe(403)
  })
})

describe('the neighbour’s id in the path is not found', () => {
  // A dataset or a field in the path is called the same for everyone: no id fits there.
  const takesIds = ({ path, params }: Endpoint): boolean => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, newId()])
    return names.length > 0 && params !== undefined && z.safeParse(params, Object.fromEntries(names)).success
  }
  const byId = forMembers.filter(({ endpoint }) => takesIds(endpoint))
  test.for(named(byId))('%s', async ([, { endpoint, feed }]) => {
    const request = { ...(await requestOf(feed, ours)), params: await paramsIn(feed.params, theirs) }
    const { status, json } = await send(okaeri, endpoint, request, ownToken())
    expect([status, ErrorBody.parse(json).error.reason]).toEqual([404, 'not_found'])
    await untouched()
  })
  const paramsIn = async (params: ((world: World) => unknown) | undefined, world: World) => {
    expect(params).toBeDefined()
    return (await params?.(world)) as Record<string, string>
  }
})

describe('the neighbour’s id in what is given has no effect', () => {
  /** The request once for each of our ids in it, with the neighbour’s in its place. */
  function withTheirs({ params, query, body }: Request): { where: string; request: Request }[] {
    const found: { where: string; request: Request }[] = []
    for (const [name, own] of Object.entries(ours.ids) as [keyof World['ids'], string][])
      for (const [where, part] of Object.entries({ query, body })) {
        const text = JSON.stringify(part ?? null)
        if (!text.includes(own)) continue
        const changed: unknown = JSON.parse(text.replaceAll(own, theirs.ids[name]))
        found.push({ where, request: { ...(params ? { params } : {}), query: query ?? {}, body, [where]: changed } })
      }
    return found
  }

  test.for(named(forMembers))('%s', async ([, { endpoint, feed }]) => {
    const changed = withTheirs(await requestOf(feed, ours))
    if (changed.length === 0) return
    const before = await rowsOf(okaeri, ours.merchant.id)
    for (const { where, request } of changed) {
      const answer = await send(okaeri, endpoint, request, ownToken())
      // A list asked for what is not there is empty, and so is what is said beside it.
      if (where === 'query' && answer.status === 200) {
        const lists = listsIn(answer.json)
        expect(lists).toEqual(lists.map(() => []))
        expect(lists).not.toHaveLength(0)
      } else expect([400, 404]).toContain(answer.status)
      expect(await rowsOf(okaeri, ours.merchant.id)).toEqual(before)
      await untouched()
    }
  })
  const listsIn = (json: unknown) => Object.values(json as object).filter((value) => Array.isArray(value))
  test('and some take ids so', async () => {
    const requests = await Promise.all(forMembers.map(async ({ feed }) => withTheirs(await requestOf(feed, ours))))
    expect(requests.flat().length).toBeGreaterThan(8)
  })
})

describe('our own is found, and nothing of the neighbour’s in it', () => {
  const calledForCampaigns: string[] = []
  test.for(named(forMembers))('%s', async ([, { endpoint, feed }]) => {
    // What is read is as it was; what is changed is changed for this call alone.
    const world = endpoint.method === 'GET' ? ours : await makeWorld(okaeri, await okaeri.merchant())
    const answer = await send(okaeri, endpoint, await requestOf(feed, world), tokenOf(world.merchant))
    if (endpoint.path.startsWith('/campaigns')) calledForCampaigns.push(world.merchant.id)
    expect([answer.status, answer.text]).toEqual([feed.status ?? endpoint.status, expect.any(String)])
    for (const id of theirIds()) expect(answer.text).not.toContain(id)
    await untouched()
  })
  test('nor by the work that follows', async () => {
    // What waits in each of the other worlds has nothing to do with the call, and would be looked at again and again.
    await okaeri.query`update campaigns set status = 'sent' where status = 'waiting' and merchant_id <> all(${[...calledForCampaigns, theirs.merchant.id]})`
    await okaeri.settle()
    expect(await rowsOf(okaeri, theirs.merchant.id)).toEqual(theirRows)
  })

  test.for(named(forMembers.filter(({ endpoint }) => endpoint.method === 'GET' && !endpoint.path.includes('{'))))(
    '%s, whatever is asked for',
    async ([, { endpoint, feed }]) => {
      const { query = {} } = await requestOf(feed, ours)
      const needed = Object.fromEntries(
        Object.entries(query).filter(([name]) => ['date', 'from', 'to', 'email', 'currency'].includes(name)),
      )
      const wide = {
        ...needed,
        ...('limit' in query || endpoint.path.match(/customers|emails|campaigns/) ? { limit: 200 } : {}),
      }
      const { status, text } = await send(okaeri, endpoint, { query: wide }, ownToken())
      expect(status).toBe(feed.status ?? 200)
      for (const id of theirIds()) expect(text).not.toContain(id)
    },
  )
})
