import { nextId, nowSeconds, type StoreScope } from '../platform.ts'
import { findResource } from '../resources.ts'
import { execute, findRow, listRows, transaction } from '../../sql.ts'
import type { BasketItem } from './rows.ts'

export interface DiscountRow {
  id: number
  title: string
  /** 0.1 is ten percent. */
  share: number
  /** JSON: {@link Minimum}. */
  minimum: string
  /** JSON: {@link Items}. */
  items: string
  usage_limit: number | null
  starts_at: number
  ends_at: number | null
  created_at: number
}
export interface Minimum {
  subtotal: number | null
  quantity: number | null
}
/** Null: all. */
export interface Items {
  collections: number[] | null
  products: number[] | null
}

export interface CodeRow {
  code: string
  discount_id: number
  used: number
}

export interface BulkCreationRow {
  id: number
  discount_id: number
  /** JSON: {@link MadeCode}. */
  codes: string
  ready_ms: number
  created_at: number
}
export interface MadeCode {
  code: string
  error: string | null
}

export const findDiscount = (scope: StoreScope, id: number): DiscountRow | null =>
  findResource(scope, 'DiscountCodeNode', id)

/** The search ignores case. */
export const findCode = (scope: StoreScope, code: string): CodeRow | null =>
  findRow<CodeRow>(scope.database)`SELECT * FROM store_discount_code
    WHERE store_id = ${scope.store.id} AND code = ${code.trim()}` ?? null

export interface ListedDiscount extends DiscountRow {
  codes: number
  used: number
}
/** The newest first, with how many codes each has and how many orders came with one. */
export const listDiscounts = (scope: StoreScope, limit: number): ListedDiscount[] =>
  listRows<ListedDiscount>(scope.database)`SELECT d.*, (SELECT count(*) FROM store_discount_code c
    WHERE c.store_id = d.store_id AND c.discount_id = d.id) AS codes, (SELECT coalesce(sum(c.used), 0)
    FROM store_discount_code c WHERE c.store_id = d.store_id AND c.discount_id = d.id) AS used FROM store_discount d
    WHERE d.store_id = ${scope.store.id} ORDER BY d.id DESC LIMIT ${limit}`

export const listCodes = (scope: StoreScope, discountId: number, limit: number): CodeRow[] =>
  listRows<CodeRow>(scope.database)`SELECT * FROM store_discount_code
    WHERE store_id = ${scope.store.id} AND discount_id = ${discountId} ORDER BY used DESC, code LIMIT ${limit}`

export function addCode(scope: StoreScope, discountId: number, code: string): void {
  execute(scope.database)`INSERT INTO store_discount_code VALUES (${scope.store.id}, ${code.trim()}, ${discountId}, 0)`
}

/** Adds codes that are free; the others have an error. The store reports it as done only after a while. */
export function addCodes(scope: StoreScope, discountId: number, codes: readonly string[]): BulkCreationRow {
  return transaction(scope.database, () => {
    const made = codes.map((code): MadeCode => {
      if (code.trim() === '') return { code, error: "Code can't be blank" }
      if (findCode(scope, code)) return { code, error: 'Code must be unique. Please try a different code.' }
      addCode(scope, discountId, code)
      return { code, error: null }
    })
    const id = nextId(scope, 'bulk_creation')
    execute(scope.database)`INSERT INTO store_discount_bulk VALUES (${scope.store.id}, ${id}, ${discountId},
      ${JSON.stringify(made)}, ${Date.now() + scope.store.bulk_duration_ms}, ${nowSeconds(scope)})`
    return findBulkCreation(scope, id) as BulkCreationRow
  })
}

export const findBulkCreation = (scope: StoreScope, id: number): BulkCreationRow | null =>
  findResource(scope, 'DiscountRedeemCodeBulkCreation', id)

/** What a code takes off these items, or why it cannot be used. Null: there is no such code. */
export function applyCode(scope: StoreScope, code: string, items: readonly BasketItem[]): number | string | null {
  const row = findCode(scope, code)
  const discount = row && findDiscount(scope, row.discount_id)
  if (!row || !discount) return null
  const now = nowSeconds(scope)
  if (now < discount.starts_at) return `The code ${row.code} is not valid yet.`
  if (discount.ends_at !== null && now >= discount.ends_at) return `The code ${row.code} has expired.`
  if (discount.usage_limit !== null && row.used >= discount.usage_limit)
    return `The code ${row.code} has been used already.`
  const { collections, products } = JSON.parse(discount.items) as Items
  const eligible = items.filter(({ product }) => {
    if (products !== null) return products.includes(product.id)
    return collections === null || collections.some((id) => isInCollection(scope, id, product.id))
  })
  if (eligible.length === 0) return `The code ${row.code} is for other products.`
  const subtotal = eligible.reduce((sum, { variant, quantity }) => sum + variant.price * quantity, 0)
  const quantity = eligible.reduce((sum, item) => sum + item.quantity, 0)
  const minimum = JSON.parse(discount.minimum) as Minimum
  if (minimum.subtotal !== null && subtotal < minimum.subtotal)
    return `The code ${row.code} needs a subtotal of ${minimum.subtotal}.`
  if (minimum.quantity !== null && quantity < minimum.quantity)
    return `The code ${row.code} needs ${minimum.quantity} items.`
  return Math.round(subtotal * discount.share)
}

const isInCollection = (scope: StoreScope, collectionId: number, productId: number): boolean =>
  findRow(scope.database)`SELECT 1 AS found FROM store_collection_product
    WHERE store_id = ${scope.store.id} AND collection_id = ${collectionId} AND product_id = ${productId}` !== undefined

/** An order was placed with it. */
export function useCode(scope: StoreScope, orderId: number, code: string, amount: number): void {
  execute(scope.database)`UPDATE store_discount_code SET used = used + 1
    WHERE store_id = ${scope.store.id} AND code = ${code.trim()}`
  execute(scope.database)`INSERT INTO store_order_discount VALUES (${scope.store.id}, ${orderId},
    ${code.trim().toUpperCase()}, ${amount})`
}

/** The discount of each code of an order; codes that were only stored have none. */
export const discountsOfOrder = (scope: StoreScope, orderId: number): { code: string; amount: number }[] =>
  listRows<{ code: string; amount: number }>(scope.database)`SELECT code, amount FROM store_order_discount
    WHERE store_id = ${scope.store.id} AND order_id = ${orderId}`
