import { changeTags, getCustomer, listTagChanges } from '@okaeri/contract/customers/routes'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { connectSandbox, merchant, okaeri, play, withSandboxStore } from '../../../../test/with-okaeri.ts'
import { aCustomer } from '../../../../test/builders/customer.ts'
import { newId } from '../../../kernel/ids.ts'
import { disconnectStore, getStoreClient } from '../../stores/index.ts'
import { changeTagsOfMany } from './tag-changes.ts'

let ids: string[]
withSandboxStore({ seed: { customers: 1, products: 1, orders: 0 } })
beforeAll(async () => {
  ids = []
  for (const name of ['a', 'b', 'c']) ids.push((await aCustomer(merchant, `${name}@tags.test`)).id)
})
beforeEach(() => play('switches.json', { state: 'open' }))

const begin = async (given: { add?: string[]; remove?: string[] }) =>
  (
    await merchant.call(changeTags, {
      body: { id: newId(), selection: { ids }, expected_count: ids.length, add: [], remove: [], ...given },
    })
  ).tag_change.id
const work = (changeId: string) => changeTagsOfMany.run(merchant.scope(), { changeId })
const changeOf = async (id: string) =>
  (await merchant.call(listTagChanges, {})).tag_changes.find((change) => change.id === id)
const tagsHere = () =>
  Promise.all(ids.map(async (id) => (await merchant.call(getCustomer, { params: { id } })).customer.tags))
const tagsInStore = async (): Promise<string[][]> => {
  const client = await getStoreClient(merchant.scope())
  const answer = await client.graphql<{ customers: { nodes: { tags: string[] }[] } }>(
    '{ customers(first: 10) { nodes { tags } } }',
  )
  return answer.customers.nodes.map(({ tags }) => tags)
}

test('a store that stays closed ends a change as failed after hours, and no customer counts as done or refused', async () => {
  const id = await begin({ add: ['closed'] })
  await play('switches.json', { state: 'frozen' })
  for (let tried = 0; tried < 7; tried += 1) {
    expect(await changeOf(id)).toMatchObject({ status: 'running' })
    await work(id)
  }
  expect(await changeOf(id)).toMatchObject({ status: 'failed', total: 3, done_count: 0, refused_count: 0 })
  expect((await tagsHere()).flat()).toEqual([])
})

test('a store lost during the change is waited for: no customer has the tag only here', async () => {
  const id = await begin({ add: ['lost'] })
  await disconnectStore(merchant.scope())
  await work(id)
  expect(await changeOf(id)).toMatchObject({ status: 'running', done_count: 0, refused_count: 0 })
  expect((await tagsHere()).flat()).toEqual([])
  await expect(begin({ add: ['other'] })).rejects.toMatchObject({ reason: 'store_not_connected' })
  await connectSandbox()
  await work(id)
  expect(await changeOf(id)).toMatchObject({ status: 'done', done_count: 3 })
  expect(await tagsHere()).toEqual([['lost'], ['lost'], ['lost']])
  expect((await tagsInStore()).filter((tags) => tags.includes('lost'))).toHaveLength(3)
})

test('tags follow the store’s rules: no comma, each once, not added and removed at once', async () => {
  await expect(begin({ add: ['a,b'] })).rejects.toMatchObject({ status: 400 })
  await expect(begin({ add: ['Gold'], remove: ['gold'] })).rejects.toMatchObject({ fields: { remove: 'not_allowed' } })
  await work(await begin({ add: ['Gold', 'gold', '🎀 "x" \\'], remove: ['LOST'] }))
  expect(await tagsHere()).toEqual(ids.map(() => ['Gold', '🎀 "x" \\']))
  expect((await tagsInStore()).filter((tags) => tags.includes('Gold') && tags.length === 2)).toHaveLength(3)
})

test('a change that lost its job continues when the next one begins', async () => {
  const stuck = await begin({ add: ['stuck'] })
  await okaeri.query`delete from pgboss.job where name = ${changeTagsOfMany.name}`
  const next = await begin({ add: ['next'] })
  await okaeri.settle()
  for (const id of [stuck, next]) expect(await changeOf(id)).toMatchObject({ status: 'done', done_count: 3 })
})
