import { findProductByHandle } from '../goods/products.ts'
import { isForSale, listVariants, optionsOf, valuesOf } from '../goods/variants.ts'
import { hundredths } from '../goods/money.ts'
import type { Visit } from './visit.ts'

export interface ProductJson {
  available: boolean
  variants: { id: number; available: boolean }[]
  [more: string]: unknown
}

/** The one that the address names, or the first that can be bought, or the first. */
export const chosenVariant = (
  { request }: Visit,
  { variants }: ProductJson,
): ProductJson['variants'][number] | null => {
  const named = new URL(request.url, 'http://store').searchParams.get('variant')
  return (
    variants.find(({ id }) => String(id) === named) ??
    variants.find(({ available }) => available) ??
    variants[0] ??
    null
  )
}

/** As themes read it: the platform's product JSON, prices in hundredths. */
export function productJson(visit: Visit, handle: string): ProductJson | null {
  const product = findProductByHandle(visit.scope, handle)
  if (!product || product.status !== 'ACTIVE') return null
  const variants = listVariants(visit.scope, product.id)
  return {
    id: product.id,
    title: product.title,
    handle: product.handle,
    description: product.description,
    vendor: product.vendor,
    type: product.product_type,
    tags: JSON.parse(product.tags) as string[],
    available: variants.some(isForSale),
    url: visit.at(`/products/${product.handle}`),
    featured_image: visit.at(`/cdn/products/${product.id}.png`),
    options: optionsOf(product, variants).map(({ name, values }, index) => ({ name, position: index + 1, values })),
    variants: variants.map((variant) => ({
      id: variant.id,
      title: variant.title,
      options: valuesOf(variant),
      sku: variant.sku,
      available: isForSale(variant),
      price: hundredths(visit.scope, variant.price),
      compare_at_price: variant.compare_at_price === null ? null : hundredths(visit.scope, variant.compare_at_price),
      inventory_management: 'shopify',
      inventory_policy: variant.inventory_policy.toLowerCase(),
    })),
  }
}
