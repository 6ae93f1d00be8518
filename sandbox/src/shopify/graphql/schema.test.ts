import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import {
  buildClientSchema,
  buildSchema,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isUnionType,
  parse,
  validate,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { schemaText } from './schema.graphql.ts'

const reference = fileURLToPath(new URL('../../../../../shared/reference/shopify/', import.meta.url))

test('the schema the sandbox answers is valid by itself', () => {
  expect(validate(buildSchema(schemaText), parse('{ shop { name } }'))).toEqual([])
})

describe.skipIf(!existsSync(reference))('against the real Admin schema', () => {
  const ours = buildSchema(schemaText)
  const real = () => {
    const read = JSON.parse(gunzipSync(readFileSync(`${reference}admin_2026-07.json.gz`)).toString())
    return buildClientSchema(read.data)
  }

  test('every type, field, argument and enum value exists there with the same type', () => {
    expect(differences(ours, real())).toEqual([])
  })

  test('operations the sandbox knows validate in both', () => {
    const theirs = real()
    const text = readFileSync(`${reference}operations/core.graphql`, 'utf8')
    const known = parse(text).definitions.filter((definition) => {
      if (definition.kind !== 'OperationDefinition') return false
      return validate(ours, { kind: parse('{a}').kind, definitions: [definition] }).length === 0
    })
    for (const definition of known)
      expect(validate(theirs, { kind: parse('{a}').kind, definitions: [definition] })).toEqual([])
    const names = known.map((definition) => ('name' in definition ? definition.name?.value : ''))
    expect(names).toEqual([
      'ShopInfo',
      'Installation',
      'Customers',
      'CustomerOne',
      'CustomerByEmail',
      'Segments',
      'SegmentMembers',
      'SegmentMembersQueryCreate',
      'SegmentMembersQuery',
      'Membership',
      'BulkRun',
      'BulkNode',
      'BulkCancel',
      'ConsentUpdate',
      'CustomerTags',
      'MetafieldsSet',
      'MetafieldDefinitions',
      'RedeemCodesAdd',
      'DiscountByCode',
      'Orders',
      'AbandonedCheckouts',
      'Products',
      'VariantsByInventoryItem',
      'ProductVariants',
      'Collections',
      'WebhookCreate',
      'WebhookList',
      'WebhookDelete',
    ])
  })
})

/** Everything our schema has that the real one does not. */
function differences(ours: GraphQLSchema, theirs: GraphQLSchema): string[] {
  const found: string[] = []
  for (const [name, type] of Object.entries(ours.getTypeMap())) {
    if (name.startsWith('__')) continue
    const other = theirs.getType(name)
    if (!other || other.constructor.name !== type.constructor.name) {
      found.push(`type ${name}`)
      continue
    }
    if (isEnumType(type) && isEnumType(other))
      for (const value of type.getValues()) if (!other.getValue(value.name)) found.push(`${name}.${value.name}`)
    if (isUnionType(type) && isUnionType(other)) {
      const members = other.getTypes().map((member) => member.name)
      for (const member of type.getTypes()) if (!members.includes(member.name)) found.push(`${name} | ${member.name}`)
    }
    if ((isObjectType(type) || isInterfaceType(type)) && (isObjectType(other) || isInterfaceType(other))) {
      for (const parent of type.getInterfaces())
        if (!other.getInterfaces().some((one) => one.name === parent.name))
          found.push(`${name} implements ${parent.name}`)
      for (const [key, field] of Object.entries(type.getFields())) {
        const match = other.getFields()[key]
        if (match?.type.toString() !== field.type.toString()) {
          found.push(`${name}.${key}: ${field.type.toString()} ≠ ${match?.type.toString()}`)
          continue
        }
        for (const argument of field.args) {
          const twin = match.args.find((one) => one.name === argument.name)
          if (twin?.type.toString() !== argument.type.toString() || twin.defaultValue !== argument.defaultValue)
            found.push(
              `${name}.${key}(${argument.name}: ${argument.type.toString()} = ${String(argument.defaultValue)})`,
            )
        }
        for (const argument of match.args)
          if (isRequiredArgument(argument) && !field.args.some((one) => one.name === argument.name))
            found.push(`${name}.${key} lacks ${argument.name}`)
      }
    }
    if (isInputObjectType(type) && isInputObjectType(other)) {
      for (const [key, field] of Object.entries(type.getFields()))
        if (other.getFields()[key]?.type.toString() !== field.type.toString())
          found.push(`${name}.${key}: ${field.type.toString()}`)
      for (const [key, field] of Object.entries(other.getFields()))
        if (isRequiredInputField(field) && !type.getFields()[key]) found.push(`${name} lacks ${key}`)
    }
  }
  return found
}
