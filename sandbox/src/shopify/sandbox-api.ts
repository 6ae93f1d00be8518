import type { FastifyInstance } from 'fastify'
import { refuse } from '../http.ts'
import {
  type Body,
  done,
  idOf,
  invalid,
  type MountRoute,
  oneOf,
  type StoreRequest,
  text,
  texts,
  wholeNumber,
} from './goods/given-fields.ts'
import { changeDiscount, deleteDiscount, removeCode } from './goods/discount-changes.ts'
import { listDiscounts } from './goods/discounts.ts'
import { mountGoodsApi } from './sandbox-api-goods.ts'
import { beginCheckout, completeCheckout, deleteCheckout } from './checkouts.ts'
import {
  checkCustomer,
  createCustomer,
  deleteCustomer,
  findCustomer,
  findCustomerByEmail,
  mergeCustomers,
  setMetafield,
  setTags,
  updateConsent,
  updateCustomer,
} from './customers.ts'
import {
  type Basket,
  cancelOrder,
  deleteOrder,
  fulfillOrder,
  landingPath,
  placeOrder,
  refundOrder,
  tagOrder,
} from './orders.ts'
import { gid, isShopDomain, type Platform, type StoreScope } from './platform.ts'
import { listMetafields } from './metafield-rows.ts'
import { deleteMetafield, findDefinition } from './metafields.ts'
import { runFlowAction } from './webhooks/flow.ts'
import { privacyTopics, sendPrivacyRequest } from './webhooks/privacy.ts'
import { deleteCollection, deleteProduct } from './goods/products.ts'
import { findRow, transaction } from '../sql.ts'
import { createSegment, deleteSegment, findSegment, listSegments, type SegmentRow, updateSegment } from './segments.ts'
import { countStore, openStore, refreshed, setSwitches, shopBody } from './stores.ts'
import { type Breakage, breakages } from './fault-injection.ts'
import { presentTheme, setTheme } from './theme-switches.ts'
import { dropSubscriptions, listDeliveries, presentDelivery, redeliver, uninstallApp } from './webhooks/webhooks.ts'
import {
  bulkEnds,
  currencies,
  type CustomerRow,
  type EmailState,
  looks,
  networks,
  type OrderRow,
  protectedDataLevels,
  storeStates,
} from './rows.ts'

/** What a person does on the admin page, as JSON for tests. Refusals are 4xx in the sandbox's error form. */
export function mountSandboxApi(app: FastifyInstance, platform: Platform): void {
  const on: MountRoute = (method, path, answer) =>
    app.route({
      method,
      url: `/stores/:shop/sandbox/${path}`,
      handler: async (request) => {
        const asked = request as StoreRequest
        const given = asked.body ?? {}
        if (typeof given !== 'object' || Array.isArray(given)) throw invalid('The body must be a JSON object.')
        if (!isShopDomain(asked.params.shop)) throw refuse(404, 'store_not_found', 'There is no such store.')
        return answer(openStore(platform, asked.params.shop), given as Body, asked)
      },
    })
  mountPeople(on)
  mountSales(on)
  mountGoodsApi(on)
  mountWebhooks(on)
  mountSwitches(on)
  mountTheme(on)

  /** Each answers why it cannot be, or null. */
  const deletions: Record<string, (scope: StoreScope, id: string) => string | null | void> = {
    customers: (scope, id) => deleteCustomer(scope, chosen(scope, { customer_id: id }).id),
    orders: (scope, id) => deleteOrder(scope, idOf(id)),
    checkouts: deleteCheckout,
    products: (scope, id) => deleteProduct(scope, idOf(id)),
    collections: (scope, id) => deleteCollection(scope, idOf(id)),
    discounts: (scope, id) => deleteDiscount(scope, idOf(id)),
  }
  for (const [kind, remove] of Object.entries(deletions))
    on('POST', `${kind}/:id/delete.json`, (scope, _, { params }) => {
      const problem = remove(scope, params.id ?? '')
      if (problem != null) throw invalid(problem)
      return { ok: true }
    })
  on('GET', 'discounts.json', (scope) => ({ discounts: listDiscounts(scope, 100) }))
  on('POST', 'discounts/:id/remove-code.json', (scope, body, { params }) => {
    removeCode(scope, idOf(params.id), text(body, 'code') ?? '')
    return { ok: true }
  })
  on('POST', 'discounts/:id/update.json', (scope, body, { params }) => {
    const percent = wholeNumber(body, 'percent')
    changeDiscount(scope, idOf(params.id), {
      share: percent === null ? null : percent / 100,
      endsAt: body.ended === true ? scope.clock.now() : null,
    })
    return { ok: true }
  })
  on('POST', 'segments/:id/delete.json', (scope, _, { params }) => ({
    deleted: deleteSegment(scope, idOf(params.id)),
  }))
}

function mountPeople(on: MountRoute): void {
  on('POST', 'customers.json', (scope, body) => {
    const fields = {
      firstName: text(body, 'first_name'),
      lastName: text(body, 'last_name'),
      email: text(body, 'email'),
      phone: text(body, 'phone'),
      locale: text(body, 'locale') ?? 'ja',
      note: text(body, 'note'),
      tags: texts(body, 'tags') ?? [],
    }
    const [problem] = checkCustomer(scope, fields, null)
    if (problem) throw invalid(problem.message)
    const state = consentState(body, 'email_state')
    const birthDate = text(body, 'birth_date')
    return transaction(scope.database, () => {
      const at = Math.floor(scope.clock.now().getTime() / 1000)
      const customer = createCustomer(scope, fields, state && { state, level: 'SINGLE_OPT_IN', at })
      if (birthDate !== null)
        setMetafield(
          scope,
          { type: 'Customer', id: customer.id },
          { namespace: 'facts', key: 'birth_date', type: 'date', value: birthDate },
        )
      return { customer: presentCustomer(customer) }
    })
  })

  on('POST', 'customers/:id/update.json', (scope, body, { params }) => {
    const customer = chosen(scope, { customer_id: params.id })
    const given = (key: string) => (key in body ? text(body, key) : undefined)
    const fields = {
      firstName: given('first_name'),
      lastName: given('last_name'),
      email: given('email'),
      phone: given('phone'),
      locale: given('locale'),
      note: given('note'),
    }
    const [problem] = checkCustomer(scope, fields, customer.id)
    if (problem) throw invalid(problem.message)
    return { customer: presentCustomer(updateCustomer(scope, customer.id, fields)) }
  })

  // Any value is accepted, as a store may have values from before a definition; null deletes.
  on('POST', 'metafields.json', (scope, body) => {
    const owner = { type: 'Customer', id: chosen(scope, body).id }
    const [namespace, key] = [text(body, 'namespace') ?? '', text(body, 'key') ?? '']
    const value = text(body, 'value')
    if (value === null) return { deleted: deleteMetafield(scope, owner, { namespace, key }) }
    const type = text(body, 'type') ?? findDefinition(scope, { namespace, key })?.type ?? 'single_line_text_field'
    const { id, type: kept } = setMetafield(scope, owner, { namespace, key, type, value })
    return { metafield: { id, namespace, key, type: kept, value } }
  })
  on('GET', 'metafields.json', (scope, _, { query }) => ({
    metafields: listMetafields(scope, { type: 'Customer', id: idOf(query.customer_id) }, null),
  }))

  on('POST', 'tags.json', (scope, body) => {
    const tags = texts(body, 'tags')
    if (!tags) throw invalid('tags must be a list of texts.')
    return { customer: presentCustomer(setTags(scope, chosen(scope, body).id, tags)) }
  })

  on('POST', 'consent.json', (scope, body) => {
    const customer = chosen(scope, body)
    const state = consentState(body, 'state')
    if (!state) throw invalid('state must be SUBSCRIBED, UNSUBSCRIBED, NOT_SUBSCRIBED or PENDING.')
    if (customer.email === null) throw invalid('This customer has no email address.')
    return { customer: presentCustomer(updateConsent(scope, customer.id, { state })) }
  })

  on('GET', 'segments.json', (scope) => ({ segments: listSegments(scope).map(presentSegment) }))
  // The query is not checked: a wrong one plays a segment that the platform cannot evaluate.
  on('POST', 'segments.json', (scope, body) => {
    const [name, query] = [text(body, 'name'), text(body, 'query')]
    if (name === null || query === null) throw invalid('name and query must be texts.')
    return { segment: presentSegment(createSegment(scope, name, query)) }
  })
  on('POST', 'segments/:id/update.json', (scope, body, { params }) => {
    const segment = findSegment(scope, idOf(params.id))
    if (!segment) throw refuse(404, 'not_found', 'There is no such segment.')
    const fields = { name: text(body, 'name') ?? segment.name, query: text(body, 'query') ?? segment.query }
    updateSegment(scope, segment.id, fields)
    return { segment: presentSegment({ ...segment, ...fields }) }
  })
  on('POST', 'customers/:id/merge.json', (scope, body, { params }) => {
    const problem = mergeCustomers(scope, idOf(params.id), idOf(body.deleted_customer_id))
    if (problem !== null) throw invalid(problem)
    return { ok: true }
  })
}

function mountSales(on: MountRoute): void {
  on('POST', 'orders.json', (scope, body) => ({ order: presentOrder(done(placeOrder(scope, basketOf(scope, body)))) }))
  for (const [verb, act] of Object.entries({ cancel: cancelOrder, fulfill: fulfillOrder }))
    on('POST', `orders/:id/${verb}.json`, (scope, _, { params }) => ({
      order: presentOrder(done(act(scope, idOf(params.id)))),
    }))
  on('POST', 'orders/:id/refund.json', (scope, body, { params }) => ({
    order: presentOrder(done(refundOrder(scope, idOf(params.id), wholeNumber(body, 'amount')))),
  }))

  on('POST', 'checkouts.json', (scope, body) => {
    const { id, token, email } = done(beginCheckout(scope, basketOf(scope, body)))
    return { checkout: { id, token, email } }
  })
  on('POST', 'checkouts/:id/complete.json', (scope, _, { params }) => ({
    order: presentOrder(done(completeCheckout(scope, params.id ?? ''))),
  }))
  on('POST', 'orders/:id/tags.json', (scope, body, { params }) => ({
    order: presentOrder(done(tagOrder(scope, idOf(params.id), texts(body, 'tags') ?? []))),
  }))
}

/** What the platform sends. */
function mountWebhooks(on: MountRoute): void {
  on('GET', 'webhooks.json', (scope, _, { query }) => {
    const limit = Math.min(1000, Math.max(1, Number(query.limit ?? 100) || 100))
    const topic = typeof query.topic === 'string' ? query.topic : undefined
    return { webhooks: listDeliveries(scope, limit, topic).map(presentDelivery) }
  })
  on('POST', 'webhooks/:id/redeliver.json', (scope, _, { params }) => {
    if (!redeliver(scope, idOf(params.id))) throw refuse(404, 'webhook_not_found', 'There is no such delivery.')
    return { ok: true }
  })

  on('POST', 'privacy.json', (scope, body) => {
    const topic = privacyTopics.find((one) => one === body.topic)
    if (!topic) throw invalid(`topic must be one of ${privacyTopics.join(', ')}.`)
    const problem = sendPrivacyRequest(scope, topic, topic === 'shop/redact' ? null : chosen(scope, body).id)
    if (problem !== null) throw invalid(problem)
    return { ok: true }
  })

  on('POST', 'flow.json', (scope, body) => {
    const given = body.properties ?? {}
    if (typeof given !== 'object' || Array.isArray(given)) throw invalid('properties must be an object of texts.')
    const properties = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
    const handle = text(body, 'handle')
    const run = {
      customerId: chosen(scope, body).id,
      properties: { ...properties, ...(handle !== null && { handle }) },
    }
    const problem = runFlowAction(scope, run)
    if (problem !== null) throw invalid(problem)
    return { ok: true }
  })
}

function mountSwitches(on: MountRoute): void {
  on('GET', 'counts.json', (scope) => ({
    ...countStore(scope),
    installed: scope.store.installed_at !== null,
    pending_webhooks:
      findRow<{ n: number }>(scope.database)`SELECT count(*) AS n FROM store_delivery
        WHERE store_id = ${scope.store.id} AND status = 'pending'`?.n ?? 0,
  }))

  on('POST', 'switches.json', (scope, body) => {
    const flag = (key: string) => (typeof body[key] === 'boolean' ? body[key] : undefined)
    setSwitches(scope, {
      throttle_next: wholeNumber(body, 'throttle_next') ?? undefined,
      bulk_duration_ms: wholeNumber(body, 'bulk_duration_ms') ?? undefined,
      fail_next_bulk: flag('fail_next_bulk'),
      throttling: flag('throttling'),
      lose_webhooks: flag('lose_webhooks'),
      state: oneOf(body, 'state', storeStates),
      break_calls: breakageOf(body, 'break_calls'),
      break_files: breakageOf(body, 'break_files'),
      end_next_bulk: oneOf(body, 'end_next_bulk', bulkEnds),
      protected_data: oneOf(body, 'protected_data', protectedDataLevels),
      lose_code_jobs: flag('lose_code_jobs'),
      currency: oneOf(body, 'currency', currencies),
    })
    if (body.drop_subscriptions === true) dropSubscriptions(scope)
    if (body.uninstall === true) uninstallApp(scope, () => shopBody(scope))
    const { store } = refreshed(scope)
    return {
      throttle_next: store.throttle_next,
      fail_next_bulk: store.fail_next_bulk === 1,
      throttling: store.throttling === 1,
      lose_webhooks: store.lose_webhooks === 1,
      state: store.state,
      break_calls: { as: store.break_calls, times: store.break_calls_left },
      break_files: { as: store.break_files, times: store.break_files_left },
      end_next_bulk: store.end_next_bulk,
      protected_data: store.protected_data,
      currency: store.currency,
      bulk_duration_ms: store.bulk_duration_ms,
      installed: store.installed_at !== null,
    }
  })
}

/** How the storefront looks and what of the app is in it. */
function mountTheme(on: MountRoute): void {
  on('GET', 'theme.json', presentTheme)
  on('POST', 'theme.json', (scope, body) => {
    const flag = (key: string) => (typeof body[key] === 'boolean' ? body[key] : undefined)
    setTheme(scope, {
      look: oneOf(body, 'look', looks),
      network: oneOf(body, 'network', networks),
      embed: flag('embed'),
      blocks: flag('blocks'),
      script_tag: flag('script_tag'),
      checkout_block: flag('checkout_block'),
      strict_csp: flag('strict_csp'),
    })
    return presentTheme(scope)
  })
}

function breakageOf(body: Body, key: string): { as: Breakage; times: number } | undefined {
  const given = body[key]
  if (given === undefined) return undefined
  if (typeof given !== 'object' || given === null) throw invalid(`${key} must be {as, times}.`)
  const as = oneOf(given as Body, 'as', breakages)
  const times = wholeNumber(given as Body, 'times')
  if (as === undefined || times === null) throw invalid(`${key} must be {as, times}.`)
  return { as, times }
}

function consentState(body: Body, key: string): EmailState | undefined {
  const value = body[key]
  if (value === undefined || value === null) return undefined
  const states: EmailState[] = ['SUBSCRIBED', 'UNSUBSCRIBED', 'NOT_SUBSCRIBED', 'PENDING']
  const state = states.find((one) => typeof value === 'string' && one === value.toUpperCase())
  if (!state) throw invalid(`${key} must be one of ${states.join(', ')}.`)
  return state
}

function chosen(scope: StoreScope, body: Body): CustomerRow {
  const email = text(body, 'email')
  const customer =
    body.customer_id === undefined && email !== null
      ? findCustomerByEmail(scope, email)
      : findCustomer(scope, idOf(body.customer_id))
  if (!customer) throw refuse(404, 'customer_not_found', 'There is no such customer.')
  return customer
}

function basketOf(scope: StoreScope, body: Body): Basket {
  const customerId = body.customer_id == null ? null : chosen(scope, { customer_id: body.customer_id }).id
  const email = text(body, 'email')
  if (customerId === null && email === null) throw invalid('An order needs a customer_id or an email.')
  if (!Array.isArray(body.items) || body.items.length === 0) throw invalid('items must be a list of at least one.')
  const items = body.items.map((item: unknown) => {
    if (item === null || typeof item !== 'object') throw invalid('An item is an object.')
    const { variant_id: variantId, quantity } = item as Body
    return { variantId: variantId == null ? anyVariant(scope) : idOf(variantId), quantity: Number(quantity ?? 1) }
  })
  return {
    customerId,
    email,
    items,
    landingSite: landingPath(scope, text(body, 'landing_site')),
    referringSite: text(body, 'referring_site'),
    discountCodes: texts(body, 'discount_codes') ?? [],
    tags: texts(body, 'tags') ?? [],
    amount: wholeNumber(body, 'amount'),
  }
}

function anyVariant(scope: StoreScope): number {
  const row = findRow<{ id: number }>(scope.database)`SELECT id FROM store_variant
    WHERE store_id = ${scope.store.id} AND inventory_quantity > 0 ORDER BY id LIMIT 1`
  if (!row) throw invalid('Nothing is in stock.')
  return row.id
}

const presentSegment = ({ id, name, query }: SegmentRow) => ({
  id,
  admin_graphql_api_id: gid('Segment', id),
  name,
  query,
})

function presentCustomer(row: CustomerRow) {
  return {
    id: row.id,
    admin_graphql_api_id: gid('Customer', row.id),
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    phone: row.phone,
    locale: row.locale,
    tags: JSON.parse(row.tags) as string[],
    email_state: row.email_state,
  }
}

function presentOrder(row: OrderRow) {
  return {
    id: row.id,
    admin_graphql_api_id: gid('Order', row.id),
    name: row.name,
    customer_id: row.customer_id,
    email: row.email,
    total: row.total,
    current_total: row.current_total,
    financial_status: row.financial_status,
    fulfillment_status: row.fulfillment_status,
    cancelled: row.cancelled_at !== null,
    landing_site: row.landing_site,
  }
}
