import { requireTopic } from './access.ts'
import { cancelBulk, runBulk } from './graphql/bulk.ts'
import {
  type CustomerFields,
  checkCustomer,
  createCustomer,
  deleteCustomer,
  findCustomer,
  setMetafield,
  setTags,
  type UserError,
  updateConsent,
  updateCustomer,
} from './customers.ts'
import { findMetafield, type Owner, setNamespaces } from './metafield-rows.ts'
import { definitionMutations, findDefinition, valueProblem } from './metafields.ts'
import { gid, idIn, nowSeconds, type StoreScope } from './platform.ts'
import { findProduct } from './goods/products.ts'
import { findResource, type Kind, resourceOf } from './resources.ts'
import { findNode, findSubscriptionById } from './graphql/resolvers.ts'
import { discountMutations } from './graphql/resolvers-discounts.ts'
import { segmentMutations } from './graphql/resolvers-segments.ts'
import { digestOf, type GraphContext, type Resolvers, splitKey } from './graphql/graph-context.ts'
import { execute, transaction } from '../sql.ts'
import { findSubscription, subscribe } from './webhooks/webhooks.ts'
import type { Address, CustomerRow, EmailState } from './rows.ts'

interface ConsentInput {
  marketingState: EmailState | 'INVALID' | 'REDACTED'
  marketingOptInLevel?: string | null
  consentUpdatedAt?: string | null
}

interface CustomerInput extends Omit<CustomerFields, 'address'> {
  id?: string | null
  emailMarketingConsent?: ConsentInput | null
  metafields?: { namespace?: string | null; key?: string | null; type?: string | null; value?: string | null }[] | null
  addresses?: ({ countryCode?: string | null } & Partial<Record<keyof Address, string | null>>)[] | null
}

interface SubscriptionInput {
  uri?: string | null
  includeFields?: string[] | null
  filter?: string | null
  name?: string | null
  metafieldNamespaces?: string[] | null
}

const refused = (field: string[] | null, message: string, code?: string): UserError => ({
  field,
  message,
  ...(code === undefined ? {} : { code }),
})

function consentOf(scope: StoreScope, input: ConsentInput): { state: EmailState; level: string | null; at: number } {
  return {
    state: input.marketingState as EmailState,
    level: input.marketingOptInLevel ?? (input.marketingState === 'SUBSCRIBED' ? 'SINGLE_OPT_IN' : null),
    at: input.consentUpdatedAt == null ? nowSeconds(scope) : Math.floor(Date.parse(input.consentUpdatedAt) / 1000),
  }
}

const countries: Record<string, string> = {
  JP: 'Japan',
  US: 'United States',
  GB: 'United Kingdom',
  TW: 'Taiwan',
  SG: 'Singapore',
}

type AddressInput = NonNullable<CustomerInput['addresses']>[number]

/** The address as it is kept; what is not given is as `before` has it. */
function addressOf(given: AddressInput, before: Partial<Address>): Omit<Address, 'id'> {
  const part = (name: Exclude<keyof AddressInput, 'id' | 'countryCode' | 'country' | 'province'>): string | null =>
    given[name] === undefined ? (before[name] ?? null) : (given[name] ?? null)
  const countryCode = given.countryCode === undefined ? (before.countryCode ?? null) : given.countryCode
  const provinceCode = part('provinceCode')
  return {
    firstName: part('firstName'),
    lastName: part('lastName'),
    company: part('company'),
    address1: part('address1'),
    address2: part('address2'),
    city: part('city'),
    zip: part('zip'),
    province: given.provinceCode === undefined ? (before.province ?? provinceCode) : provinceCode,
    provinceCode,
    country: countryCode === null ? null : (countries[countryCode] ?? countryCode),
    countryCode,
    phone: part('phone'),
  }
}

function fieldsOf(input: CustomerInput): CustomerFields {
  const given = input.addresses?.[0]
  const { firstName, lastName, email, phone, locale, note, tags } = input
  const fields: CustomerFields = { firstName, lastName, email, phone, locale, note, tags }
  if (given) fields.address = addressOf(given, {})
  return fields
}

/** A customer here has one address, the default one. */
function changeAddress(
  scope: StoreScope,
  given: { customerId: string; addressId?: string; address: AddressInput },
): { address: unknown; userErrors: UserError[] } {
  const id = idIn('Customer', given.customerId)
  const customer = id === null ? null : findCustomer(scope, id)
  if (id === null || !customer)
    return { address: null, userErrors: [refused(['customerId'], 'Customer does not exist')] }
  const before = customer.address === null ? null : (JSON.parse(customer.address) as Address)
  if (given.addressId !== undefined && String(before?.id) !== /(\d+)(?:\?.*)?$/.exec(given.addressId)?.[1])
    return { address: null, userErrors: [refused(['addressId'], 'Address does not exist')] }
  const after = updateCustomer(scope, id, { address: addressOf(given.address, before ?? {}) })
  return { address: { ...(JSON.parse(after.address ?? '{}') as Address), owner: after }, userErrors: [] }
}

function setInlineMetafields(scope: StoreScope, customer: CustomerRow, input: CustomerInput): void {
  for (const field of input.metafields ?? []) {
    if (!field.key || field.value == null) continue
    const [namespace, key] = field.namespace ? [field.namespace, field.key] : splitKey(field.key)
    const owner = { type: 'Customer', id: customer.id }
    const type = field.type ?? findMetafield(scope, owner, { namespace, key })?.type ?? 'single_line_text_field'
    setMetafield(scope, owner, { namespace, key, type, value: field.value })
  }
}

const tagHolders: Record<string, (scope: StoreScope, id: number) => { tags: string } | null> = {
  Customer: findCustomer,
  Product: findProduct,
}

function changeTags(
  scope: StoreScope,
  globalId: string,
  change: (before: string[]) => string[],
): { node: unknown; userErrors: UserError[] } {
  const [, kind = '', number = ''] = /^gid:\/\/shopify\/([A-Za-z]+)\/(\d+)$/.exec(globalId) ?? []
  const id = Number(number)
  const holder = tagHolders[kind]?.(scope, id)
  if (!holder) return { node: null, userErrors: [refused(['id'], `${kind || 'Resource'} does not exist`)] }
  const after = change(JSON.parse(holder.tags) as string[])
  if (kind === 'Customer') setTags(scope, id, after)
  else
    execute(scope.database)`UPDATE store_product SET tags = ${JSON.stringify(after)},
      updated_at = ${nowSeconds(scope)} WHERE store_id = ${scope.store.id} AND id = ${id}`
  return { node: findNode(scope, globalId), userErrors: [] }
}

interface MetafieldInput {
  ownerId: string
  namespace?: string | null
  key: string
  type?: string | null
  value: string
  compareDigest?: string | null
}

function checkMetafield(scope: StoreScope, input: MetafieldInput, index: number) {
  const at = (name: string, code: string, message: string) => ({
    field: ['metafields', String(index), name],
    code,
    message,
    elementIndex: null,
  })
  const [, kind = '', number = ''] = /^gid:\/\/shopify\/([A-Za-z]+)\/(\d+)$/.exec(input.ownerId) ?? []
  const owner: Owner = { type: kind, id: Number(number) }
  if (!resourceOf(kind)?.hasMetafields || !findResource(scope, kind as Kind, owner.id))
    return at('ownerId', 'INVALID', 'Owner does not exist.')
  const [namespace, key] = input.namespace ? [input.namespace, input.key] : splitKey(input.key)
  if (key.length < 2) return at('key', 'TOO_SHORT', 'Key is too short (minimum is 2 characters)')
  const known = findMetafield(scope, owner, { namespace, key })
  const type =
    input.type ?? known?.type ?? (kind === 'Customer' ? findDefinition(scope, { namespace, key })?.type : undefined)
  if (type === undefined) return at('type', 'BLANK', "Type can't be blank")
  if (input.value === '') return at('value', 'BLANK', "Value can't be blank.")
  const definition = kind === 'Customer' ? findDefinition(scope, { namespace, key }) : null
  if (definition && type !== definition.type)
    return at('type', 'INVALID_TYPE', `Type must be consistent with the definition's type: '${definition.type}'.`)
  const problem = valueProblem(type, input.value)
  if (problem !== null) return at('value', 'INVALID_VALUE', problem)
  if (input.compareDigest != null && (!known || digestOf(known) !== input.compareDigest))
    return at(
      'compareDigest',
      'STALE_OBJECT',
      'The resource has been updated since it was loaded. Try again with an updated `compareDigest` value.',
    )
  return { owner, field: { namespace, key, type, value: input.value } }
}

/** Http is let through here, unlike on the platform: the app under test runs on this machine. */
function checkAddress(uri: string | null | undefined): UserError | null {
  const field = ['webhookSubscription', 'uri']
  if (!uri) return refused(field, "Address can't be blank")
  if (!URL.canParse(uri) || !/^https?:$/.test(new URL(uri).protocol)) return refused(field, 'Address is invalid')
  return null
}

export const writeResolvers: Resolvers = {
  Mutation: {
    customerCreate: (_, { input }: { input: CustomerInput }, { scope }: GraphContext) => {
      const fields = fieldsOf(input)
      const errors = checkCustomer(scope, fields, null)
      if (input.emailMarketingConsent && !input.email)
        errors.push(refused(['emailMarketingConsent'], 'Email must be present to set marketing consent'))
      if (errors.length > 0) return { customer: null, userErrors: errors }
      return transaction(scope.database, () => {
        const consent = input.emailMarketingConsent ? consentOf(scope, input.emailMarketingConsent) : undefined
        const customer = createCustomer(scope, fields, consent)
        setInlineMetafields(scope, customer, input)
        return { customer, userErrors: [] }
      })
    },
    customerUpdate: (_, { input }: { input: CustomerInput }, { scope }: GraphContext) => {
      const id = idIn('Customer', input.id ?? '')
      if (id === null || !findCustomer(scope, id))
        return { customer: null, userErrors: [refused(['id'], 'Customer does not exist')] }
      const fields = fieldsOf(input)
      const errors = checkCustomer(scope, fields, id)
      if (input.emailMarketingConsent)
        errors.push(
          refused(
            ['emailMarketingConsent'],
            'To update emailMarketingConsent, please use the customerEmailMarketingConsentUpdate Mutation instead',
          ),
        )
      if (errors.length > 0) return { customer: null, userErrors: errors }
      return transaction(scope.database, () => {
        const customer = updateCustomer(scope, id, fields)
        setInlineMetafields(scope, customer, input)
        return { customer: findCustomer(scope, id), userErrors: [] }
      })
    },
    customerDelete: (_, { input }: { input: { id: string } }, { scope }: GraphContext) => {
      const answer = { deletedCustomerId: null, shop: scope.store, userErrors: [] as UserError[] }
      const id = idIn('Customer', input.id)
      const customer = id === null ? null : findCustomer(scope, id)
      if (id === null || !customer) return { ...answer, userErrors: [refused(['id'], "Customer can't be found")] }
      if (customer.last_order_id !== null)
        return {
          ...answer,
          userErrors: [refused(['id'], 'Customer can’t be deleted because they have associated orders')],
        }
      deleteCustomer(scope, id)
      return { ...answer, deletedCustomerId: input.id }
    },
    customerAddressCreate: (_, given: { customerId: string; address: AddressInput }, { scope }: GraphContext) =>
      changeAddress(scope, { customerId: given.customerId, address: given.address }),
    customerAddressUpdate: (
      _,
      given: { customerId: string; addressId: string; address: AddressInput },
      { scope }: GraphContext,
    ) => changeAddress(scope, given),
    customerEmailMarketingConsentUpdate: (
      _,
      { input }: { input: { customerId: string; emailMarketingConsent: ConsentInput } },
      { scope }: GraphContext,
    ) => {
      const id = idIn('Customer', input.customerId)
      const customer = id === null ? null : findCustomer(scope, id)
      const fail = (field: string[], message: string, code: string) => ({
        customer: null,
        userErrors: [refused(['input', ...field], message, code)],
      })
      if (id === null || !customer) return fail(['customerId'], 'Customer not found', 'INVALID')
      const wanted = input.emailMarketingConsent
      // Rules: only these three can be set.
      if (!['SUBSCRIBED', 'UNSUBSCRIBED', 'PENDING'].includes(wanted.marketingState))
        return fail(
          ['emailMarketingConsent', 'marketingState'],
          `Cannot specify ${wanted.marketingState} as a marketing state input`,
          'INVALID',
        )
      if (customer.email === null)
        return fail(
          ['customerId'],
          'The customer must have an email address to update email marketing consent',
          'INVALID',
        )
      if (wanted.consentUpdatedAt != null && Date.parse(wanted.consentUpdatedAt) > scope.clock.now().getTime() + 60_000)
        return fail(
          ['emailMarketingConsent', 'consentUpdatedAt'],
          'Consent updated at must not be in the future',
          'INVALID',
        )
      return { customer: updateConsent(scope, id, consentOf(scope, wanted)), userErrors: [] }
    },
    tagsAdd: (_, given: { id: string; tags: string[] }, { scope }: GraphContext) =>
      changeTags(scope, given.id, (before) => [...before, ...given.tags]),
    tagsRemove: (_, given: { id: string; tags: string[] }, { scope }: GraphContext) => {
      const gone = given.tags.map((tag) => tag.trim().toLowerCase())
      return changeTags(scope, given.id, (before) => before.filter((tag) => !gone.includes(tag.toLowerCase())))
    },
    metafieldsSet: (_, given: { metafields: MetafieldInput[] }, { scope }: GraphContext) => {
      // Rules: metafieldsSet_max 25, all or nothing.
      if (given.metafields.length > 25) {
        const message = 'Exceeded the maximum metafields input limit of 25.'
        return {
          metafields: null,
          userErrors: [{ field: ['metafields'], code: 'LESS_THAN_OR_EQUAL_TO', message, elementIndex: null }],
        }
      }
      const checked = given.metafields.map((input, index) => checkMetafield(scope, input, index))
      const userErrors = checked.filter((found) => 'code' in found)
      if (userErrors.length > 0) return { metafields: null, userErrors }
      const metafields = transaction(scope.database, () =>
        checked.map((found) => ('owner' in found ? setMetafield(scope, found.owner, found.field) : null)),
      )
      return { metafields, userErrors: [] }
    },
    ...definitionMutations,
    bulkOperationRunQuery: (_, given: { query: string; groupObjects: boolean }, context: GraphContext, { schema }) =>
      runBulk(context, { ...given, schema }),
    ...segmentMutations,
    ...discountMutations,
    bulkOperationCancel: (_, given: { id: string }, { scope }: GraphContext) => cancelBulk(scope, given.id),
    webhookSubscriptionCreate: (
      _,
      { topic, webhookSubscription: input }: { topic: string; webhookSubscription: SubscriptionInput },
      context: GraphContext,
    ) => {
      const { scope, apiVersion } = context
      requireTopic(topic, context)
      const problem = checkAddress(input.uri)
      if (problem || !input.uri) return { webhookSubscription: null, userErrors: [problem] }
      if (findSubscription(scope, topic, input.uri)) {
        const taken = refused(['webhookSubscription', 'uri'], 'Address for this topic has already been taken')
        return { webhookSubscription: null, userErrors: [taken] }
      }
      const row = subscribe(scope, {
        topic,
        uri: input.uri,
        includeFields: input.includeFields ?? [],
        filter: input.filter ?? null,
        name: input.name ?? null,
        apiVersion,
      })
      setNamespaces(scope, row.id, input.metafieldNamespaces ?? [])
      return { webhookSubscription: row, userErrors: [] }
    },
    webhookSubscriptionUpdate: (
      _,
      { id: globalId, webhookSubscription: input }: { id: string; webhookSubscription: SubscriptionInput },
      { scope }: GraphContext,
    ) => {
      const row = findSubscriptionById(scope, idIn('WebhookSubscription', globalId) ?? -1)
      if (!row)
        return { webhookSubscription: null, userErrors: [refused(['id'], 'Webhook subscription does not exist')] }
      const problem = input.uri == null ? null : checkAddress(input.uri)
      if (problem) return { webhookSubscription: null, userErrors: [problem] }
      execute(scope.database)`UPDATE store_subscription SET uri = ${input.uri ?? row.uri},
        include_fields = ${input.includeFields == null ? row.include_fields : JSON.stringify(input.includeFields)},
        filter = ${input.filter ?? row.filter}, name = ${input.name ?? row.name}, updated_at = ${nowSeconds(scope)}
        WHERE store_id = ${scope.store.id} AND id = ${row.id}`
      if (input.metafieldNamespaces) setNamespaces(scope, row.id, input.metafieldNamespaces)
      return { webhookSubscription: findSubscriptionById(scope, row.id), userErrors: [] }
    },
    webhookSubscriptionDelete: (_, given: { id: string }, { scope }: GraphContext) => {
      const id = idIn('WebhookSubscription', given.id)
      const gone =
        id !== null &&
        execute(scope.database)`DELETE FROM store_subscription WHERE store_id = ${scope.store.id} AND id = ${id}` > 0
      return gone && id !== null
        ? { deletedWebhookSubscriptionId: gid('WebhookSubscription', id), userErrors: [] }
        : {
            deletedWebhookSubscriptionId: null,
            userErrors: [refused(['id'], 'Webhook subscription does not exist')],
          }
    },
  },
}
