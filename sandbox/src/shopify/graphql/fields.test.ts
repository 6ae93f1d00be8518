import { getNamedType, type GraphQLObjectType, isAbstractType, isObjectType } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeSchema } from './graphql.ts'
import { startStores } from '../seed/test-stores.ts'

let rig: Awaited<ReturnType<typeof startStores>>
let token: string

beforeAll(async () => {
  rig = await startStores()
  token = (await rig.install()).token.access_token ?? ''
  await rig.post('/sandbox/switches.json', { throttling: false })
  await rig.post('/sandbox/checkouts.json', { email: 'a@example.jp', items: [{ quantity: 1 }] })
})
afterAll(() => rig.close())

/** Every field of a type, objects in it again, to a depth; page arguments where they are needed. */
function everything(type: GraphQLObjectType, depth: number): string {
  const parts: string[] = []
  for (const [name, field] of Object.entries(type.getFields())) {
    const inner = getNamedType(field.type)
    const given = [
      field.args.some((argument) => argument.name === 'first') ? 'first: 2' : '',
      field.args.some((argument) => argument.name === 'key') ? 'namespace: "facts", key: "birth_date"' : '',
      field.args.some((argument) => argument.name === 'names') ? 'names: ["available"]' : '',
      name === 'hasProduct' ? 'id: "gid://shopify/Product/1"' : '',
    ].filter((part) => part !== '')
    const called = given.length > 0 ? `${name}(${given.join(', ')})` : name
    if (isObjectType(inner)) {
      if (depth > 0)
        parts.push(`${called} { ${everything(inner, inner.name.endsWith('Connection') ? depth : depth - 1)} }`)
    } else if (isAbstractType(inner)) parts.push(`${called} { __typename }`)
    else parts.push(called)
  }
  return `__typename ${parts.join(' ')}`
}

test.each(['customers', 'orders', 'products', 'productVariants', 'collections', 'abandonedCheckouts'])(
  'every field the schema offers on %s can be read',
  async (name) => {
    const type = getNamedType(storeSchema().getQueryType()?.getFields()[name]?.type)
    if (!isObjectType(type)) throw new Error(name)
    const node = getNamedType(type.getFields().nodes?.type)
    if (!isObjectType(node)) throw new Error(name)
    const { data, errors } = await rig.graphql(
      token,
      `{ ${name}(first: 3, reverse: true) { nodes { ${everything(node, 1)} } } }`,
    )
    expect(errors).toBeUndefined()
    expect(data[name].nodes.length).toBeGreaterThan(0)
  },
)

test('every field of the shop and the installation can be read', async () => {
  for (const name of ['shop', 'currentAppInstallation', 'shopLocales']) {
    const type = getNamedType(storeSchema().getQueryType()?.getFields()[name]?.type)
    if (!isObjectType(type)) throw new Error(name)
    const { errors } = await rig.graphql(token, `{ ${name} { ${everything(type, 1)} } }`)
    expect(errors).toBeUndefined()
  }
})
