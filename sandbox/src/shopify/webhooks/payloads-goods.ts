import type { LevelRow } from '../goods/levels.ts'
import { addressBody, amount, at, customerCore } from './payloads.ts'
import { plainAmount } from '../goods/money.ts'
import { gid, type StoreScope, storeUrl } from '../platform.ts'
import { listVariants, optionsOf, valuesOf } from '../goods/variants.ts'
import type { Address, CheckoutRow, CustomerRow } from '../rows.ts'
import type { CollectionRow, ProductRow, VariantRow } from '../goods/rows.ts'

/** Bodies of the webhooks about goods, stock and carts. */

function variantBody(scope: StoreScope, row: VariantRow) {
  const values = valuesOf(row)
  return {
    admin_graphql_api_id: gid('ProductVariant', row.id),
    barcode: null,
    compare_at_price: row.compare_at_price === null ? null : plainAmount(scope, row.compare_at_price),
    created_at: at(row.created_at),
    id: row.id,
    inventory_policy: row.inventory_policy.toLowerCase(),
    position: row.position,
    price: plainAmount(scope, row.price),
    product_id: row.product_id,
    sku: row.sku,
    taxable: true,
    title: row.title,
    updated_at: at(row.updated_at),
    option1: values[0] ?? null,
    option2: values[1] ?? null,
    option3: values[2] ?? null,
    image_id: null,
    inventory_item_id: row.inventory_item_id,
    inventory_quantity: row.inventory_quantity,
    old_inventory_quantity: row.inventory_quantity,
  }
}

export function productBody(scope: StoreScope, row: ProductRow): Record<string, unknown> {
  const variants = listVariants(scope, row.id)
  const image = {
    id: row.id,
    alt: row.title,
    position: 1,
    product_id: row.id,
    created_at: at(row.created_at),
    updated_at: at(row.created_at),
    admin_graphql_api_id: gid('ProductImage', row.id),
    width: 480,
    height: 480,
    src: storeUrl(scope, `/cdn/products/${row.id}.png`),
    variant_ids: [],
  }
  return {
    admin_graphql_api_id: gid('Product', row.id),
    body_html: row.description,
    created_at: at(row.created_at),
    handle: row.handle,
    id: row.id,
    product_type: row.product_type,
    published_at: row.status === 'ACTIVE' ? at(row.created_at) : null,
    template_suffix: null,
    title: row.title,
    updated_at: at(row.updated_at),
    vendor: row.vendor,
    status: row.status.toLowerCase(),
    published_scope: 'web',
    tags: (JSON.parse(row.tags) as string[]).join(', '),
    variants: variants.map((variant) => variantBody(scope, variant)),
    options: optionsOf(row, variants).map(({ name, values }, index) => ({
      id: row.id * 10 + index,
      product_id: row.id,
      name,
      position: index + 1,
      values,
    })),
    images: [image],
    image,
    media: [],
    variant_gids: variants.map((variant) => ({
      admin_graphql_api_id: gid('ProductVariant', variant.id),
      updated_at: new Date(variant.updated_at * 1000).toISOString(),
    })),
    has_variants_that_requires_components: false,
    category: null,
  }
}

/** Without its products, which have to be fetched. */
export function collectionBody(row: CollectionRow): Record<string, unknown> {
  return {
    id: row.id,
    handle: row.handle,
    title: row.title,
    updated_at: at(row.updated_at),
    body_html: '',
    published_at: at(row.updated_at),
    sort_order: 'manual',
    template_suffix: null,
    published_scope: 'web',
    admin_graphql_api_id: gid('Collection', row.id),
  }
}

export function inventoryLevelBody(level: LevelRow): Record<string, unknown> {
  return {
    inventory_item_id: level.inventory_item_id,
    location_id: level.location_id,
    available: level.available,
    updated_at: at(level.updated_at),
    admin_graphql_api_id: levelId(level),
  }
}

/** Made of its location and item: a level has no number of its own. */
export const levelId = ({ location_id, inventory_item_id }: LevelRow): string =>
  `${gid('InventoryLevel', location_id)}?inventory_item_id=${inventory_item_id}`

interface BasketItem {
  variant: VariantRow
  product: ProductRow
  quantity: number
}

export function cartBody(
  scope: StoreScope,
  row: Pick<CheckoutRow, 'cart_token' | 'created_at' | 'updated_at'>,
  items: BasketItem[],
): Record<string, unknown> {
  return {
    id: row.cart_token,
    token: row.cart_token,
    line_items: items.map(({ variant, product, quantity }) => ({
      id: variant.id,
      properties: null,
      quantity,
      variant_id: variant.id,
      key: `${variant.id}:${row.cart_token}`,
      discounted_price: plainAmount(scope, variant.price),
      discounts: [],
      gift_card: false,
      grams: 200,
      line_price: plainAmount(scope, variant.price * quantity),
      original_line_price: plainAmount(scope, variant.price * quantity),
      original_price: plainAmount(scope, variant.price),
      price: plainAmount(scope, variant.price),
      product_id: product.id,
      sku: variant.sku,
      taxable: true,
      title: product.title,
      total_discount: '0',
      vendor: product.vendor,
      discounted_price_set: amount(scope, variant.price),
      line_price_set: amount(scope, variant.price * quantity),
      original_line_price_set: amount(scope, variant.price * quantity),
      price_set: amount(scope, variant.price),
      total_discount_set: amount(scope, 0),
      parent_relationship: null,
    })),
    note: null,
    updated_at: new Date(row.updated_at * 1000).toISOString(),
    created_at: new Date(row.created_at * 1000).toISOString(),
  }
}

export function checkoutBody(
  scope: StoreScope,
  row: CheckoutRow,
  { items, customer }: { items: BasketItem[]; customer: CustomerRow | null },
): Record<string, unknown> {
  const total = items.reduce((sum, { variant, quantity }) => sum + variant.price * quantity, 0)
  const address = customer?.address == null ? null : addressBody(JSON.parse(customer.address) as Address)
  return {
    id: row.id,
    token: row.token,
    cart_token: row.cart_token,
    email: row.email,
    gateway: null,
    buyer_accepts_marketing: customer?.email_state === 'SUBSCRIBED',
    created_at: at(row.created_at),
    updated_at: at(row.updated_at),
    landing_site: row.landing_site,
    note: null,
    note_attributes: [],
    referring_site: row.referring_site,
    shipping_lines: [],
    taxes_included: true,
    total_weight: 200,
    currency: scope.store.currency,
    completed_at: at(row.completed_at),
    closed_at: null,
    user_id: null,
    location_id: null,
    source_identifier: null,
    source_url: null,
    device_id: null,
    phone: customer?.phone ?? null,
    customer_locale: customer?.locale ?? 'ja',
    line_items: items.map(({ variant, product, quantity }) => ({
      applied_discounts: [],
      discount_allocations: [],
      key: `${row.token}-${variant.id}`,
      fulfillment_service: 'manual',
      gift_card: false,
      grams: 200,
      presentment_title: product.title,
      presentment_variant_title: variant.title === 'Default Title' ? '' : variant.title,
      product_id: product.id,
      properties: null,
      quantity,
      requires_shipping: true,
      sku: variant.sku,
      tax_lines: [],
      taxable: true,
      title: product.title,
      variant_id: variant.id,
      variant_title: variant.title === 'Default Title' ? '' : variant.title,
      variant_price: plainAmount(scope, variant.price),
      vendor: product.vendor,
      user_id: null,
      rank: null,
      compare_at_price: null,
      line_price: plainAmount(scope, variant.price * quantity),
      price: plainAmount(scope, variant.price),
    })),
    name: `#${row.id}`,
    source: null,
    abandoned_checkout_url: storeUrl(scope, `/checkouts/${row.token}`),
    discount_codes: [],
    tax_lines: [],
    source_name: 'web',
    presentment_currency: scope.store.currency,
    buyer_accepts_sms_marketing: false,
    sms_marketing_phone: null,
    total_discounts: '0',
    total_line_items_price: plainAmount(scope, total),
    total_price: plainAmount(scope, total),
    total_tax: '0',
    subtotal_price: plainAmount(scope, total),
    total_duties: null,
    reservation_token: null,
    billing_address: address,
    shipping_address: address,
    ...(customer ? { customer: customerCore(scope, customer) } : {}),
  }
}
