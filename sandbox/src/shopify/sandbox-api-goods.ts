import { refuse } from '../http.ts'
import { type Body, done, ids, idOf, invalid, type MountRoute, text, texts, wholeNumber } from './goods/given-fields.ts'
import { listLevels, listLocations, type LocationRow, mainLocation } from './goods/levels.ts'
import type { StoreScope } from './platform.ts'
import {
  createProduct,
  findProductByHandle,
  findVariant,
  type NewVariant,
  putIntoCollection,
  renameProduct,
  saveCollection,
  setPrices,
} from './goods/products.ts'
import { type LevelChange, setLevels, setSellsOnline, setStock } from './goods/stock.ts'
import { findRow, listRows, transaction } from '../sql.ts'
import { listVariants } from './goods/variants.ts'
import type { VariantRow } from './goods/rows.ts'

const mostAtOnce = 20_000

/** Products, prices and stock. */
export function mountGoodsApi(on: MountRoute): void {
  mountStock(on)
  mountPrices(on)
  mountProducts(on)
  mountCollections(on)
}

function mountStock(on: MountRoute): void {
  on('GET', 'locations.json', (scope) => ({ locations: listLocations(scope).map(presentLocation) }))
  on('POST', 'locations/:id/update.json', (scope, body, { params }) => {
    if (typeof body.sells_online !== 'boolean') throw invalid('sells_online must be true or false.')
    const location = setSellsOnline(scope, idOf(params.id), body.sells_online)
    if (!location) throw refuse(404, 'location_not_found', 'There is no such location.')
    return { location: presentLocation(location) }
  })

  on('GET', 'stock.json', (scope, _, { query }) => {
    const variant = variantOf(scope, query.variant_id)
    const places = listLocations(scope)
    const levels = listLevels(scope, variant.inventory_item_id).map(({ location_id, available }) => {
      const place = places.find(({ id }) => id === location_id)
      return { location_id, location: place?.name, sells_online: place?.sells_online === 1, available }
    })
    return { variant: presentVariant(variant), levels }
  })
  // One variant, at a location or all of it at the main one; a list of changes; or every variant there is.
  on('POST', 'stock.json', (scope, body) => {
    if (body.all === true) {
      const [locationId, available] = [locationOf(scope, body), figure(body, 'available')]
      const rows = listRows<VariantRow>(scope.database)`SELECT * FROM store_variant WHERE store_id = ${scope.store.id}
        ORDER BY id`
      return {
        changed: setLevels(
          scope,
          rows.map((variant) => ({ variant, locationId, available })),
        ),
      }
    }
    if (body.changes !== undefined) {
      const changes = listOf(body, 'changes').map(
        (one): LevelChange => ({
          variant: variantOf(scope, one.variant_id),
          locationId: locationOf(scope, one),
          available: figure(one, 'available'),
        }),
      )
      return { changed: setLevels(scope, changes) }
    }
    const [variant, available] = [variantOf(scope, body.variant_id), figure(body, 'available')]
    if (body.location_id === undefined) setStock(scope, variant.id, available)
    else setLevels(scope, [{ variant, locationId: locationOf(scope, body), available }])
    return { variant: presentVariant(variantOf(scope, variant.id)) }
  })
}

function mountPrices(on: MountRoute): void {
  on('POST', 'price.json', (scope, body) => {
    const changes = (body.changes === undefined ? [body] : listOf(body, 'changes')).map((one) => ({
      variantId: variantOf(scope, one.variant_id).id,
      price: figure(one, 'price'),
      compareAtPrice: one.compare_at_price === undefined ? undefined : wholeNumber(one, 'compare_at_price'),
    }))
    const variants = setPrices(scope, changes).map(presentVariant)
    return body.changes === undefined ? { variant: variants[0] } : { variants }
  })
}

function mountProducts(on: MountRoute): void {
  // The first product there is, or the one with a handle.
  on('GET', 'products.json', (scope, _, { query }) => {
    if (typeof query.handle === 'string') {
      const product = findProductByHandle(scope, query.handle)
      if (!product) throw refuse(404, 'product_not_found', 'There is no such product.')
      return { product, variants: listVariants(scope, product.id) }
    }
    const row = findRow<{ id: number }>(scope.database)`SELECT id FROM store_product
      WHERE store_id = ${scope.store.id} AND status = 'ACTIVE' ORDER BY id LIMIT 1`
    return { first_product_id: row?.id ?? null, variants: row ? listVariants(scope, row.id) : [] }
  })
  on('POST', 'products.json', (scope, body) => {
    const price = wholeNumber(body, 'price') ?? 1000
    const handle = text(body, 'handle')
    if (handle !== null && !/^[a-z0-9-]{1,100}$/.test(handle)) throw invalid('handle must be of a-z, 0-9 and hyphens.')
    if (handle !== null && findProductByHandle(scope, handle)) throw invalid('There is a product with this handle.')
    const options = texts(body, 'options') ?? []
    const variants = (body.variants === undefined ? [{}] : listOf(body, 'variants')).map(
      (one): NewVariant => ({
        values: texts(one, 'values') ?? [],
        price: wholeNumber(one, 'price') ?? price,
        compareAtPrice: wholeNumber(one, 'compare_at_price'),
        available: wholeNumber(one, 'available') ?? wholeNumber(body, 'available') ?? 10,
        policy: one.policy === 'CONTINUE' ? 'CONTINUE' : 'DENY',
      }),
    )
    if (options.length > 3 || variants.some(({ values = [] }) => values.length !== options.length))
      throw invalid('A product has at most 3 options, and each variant a value of each.')
    const product = createProduct(scope, {
      title: text(body, 'title') ?? '新しい商品',
      ...(handle !== null && { handle }),
      description: text(body, 'description') ?? '',
      productType: text(body, 'product_type') ?? '',
      options,
      variants,
    })
    return { product, variants: listVariants(scope, product.id).map(presentVariant) }
  })
  // Many at once, for pages of five hundred cards and stock of ten thousand variants.
  on('POST', 'products/many.json', (scope, body) => {
    const [count, each] = [figure(body, 'count'), wholeNumber(body, 'variants') ?? 1]
    if (count * each > mostAtOnce || each < 1 || each > 100)
      throw invalid(`At most ${mostAtOnce} variants at once, and 1 to 100 of a product.`)
    const variants = Array.from({ length: each }, (_, index) => ({
      values: each === 1 ? [] : [String(index + 1)],
      price: wholeNumber(body, 'price') ?? 1000,
      available: wholeNumber(body, 'available') ?? 10,
    }))
    const title = text(body, 'title') ?? '商品'
    return transaction(scope.database, () => ({
      product_ids: Array.from(
        { length: count },
        (_, index) =>
          createProduct(scope, { title: `${title} ${index + 1}`, options: each === 1 ? [] : ['番号'], variants }).id,
      ),
    }))
  })
  on('POST', 'products/:id/update.json', (scope, body, { params }) => {
    renameProduct(scope, idOf(params.id), text(body, 'title') ?? '改名した商品')
    return { ok: true }
  })
}

function mountCollections(on: MountRoute): void {
  on('POST', 'collections.json', (scope, body) => ({
    collection: done(saveCollection(scope, null, { title: text(body, 'title'), productIds: ids(body, 'product_ids') })),
  }))
  on('POST', 'collections/:id/update.json', (scope, body, { params }) => {
    const given = { title: text(body, 'title'), productIds: ids(body, 'product_ids') }
    // `by_rules`: as when a product comes to match the rules of a collection, which causes no webhook.
    if (body.by_rules === true) putIntoCollection(scope, idOf(params.id), given.productIds ?? [])
    else done(saveCollection(scope, idOf(params.id), given))
    return { ok: true }
  })
}

function listOf(body: Body, key: string): Body[] {
  const value = body[key]
  if (!Array.isArray(value) || value.length === 0 || value.length > mostAtOnce)
    throw invalid(`${key} must be a list of 1 to ${mostAtOnce}.`)
  return value.map((one: unknown) => {
    if (one === null || typeof one !== 'object' || Array.isArray(one))
      throw invalid(`${key} must be a list of objects.`)
    return one as Body
  })
}

function figure(body: Body, key: string): number {
  const value = wholeNumber(body, key)
  if (value === null) throw invalid(`${key} must be a whole number.`)
  return value
}

function variantOf(scope: StoreScope, id: unknown): VariantRow {
  const variant = findVariant(scope, idOf(id))
  if (!variant) throw refuse(404, 'variant_not_found', 'There is no such product variant.')
  return variant
}

function locationOf(scope: StoreScope, body: Body): number {
  if (body.location_id === undefined) return mainLocation(scope).id
  const id = idOf(body.location_id)
  if (!listLocations(scope).some((location) => location.id === id))
    throw refuse(404, 'location_not_found', 'There is no such location.')
  return id
}

const presentLocation = ({ id, name, is_active, sells_online }: LocationRow) => ({
  id,
  name,
  is_active: is_active === 1,
  sells_online: sells_online === 1,
})

function presentVariant(variant: VariantRow) {
  const { id, product_id, title, price, compare_at_price, inventory_item_id, inventory_quantity, online_quantity } =
    variant
  return { id, product_id, title, price, compare_at_price, inventory_item_id, inventory_quantity, online_quantity }
}
