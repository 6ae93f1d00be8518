import type { Locale } from '@okaeri/contract/locale'
import type { ProductOnSale } from '../../catalog/index.ts'
import { money } from './event-data.ts'
import type { MailProduct } from './message-data.ts'

/** A product as a mail shows it. */
export const mailProduct = (
  product: ProductOnSale,
  { locale, storeUrl }: { locale: Locale; storeUrl: string },
): MailProduct => ({
  id: String(product.store_product_id),
  title: product.title,
  price: product.price_amount === null ? '' : money(product.price_amount, product.currency, locale),
  url: productUrl(storeUrl, product.handle),
  // What is no address of the web is none of a picture.
  image_url: /^https?:\/\//i.test(product.image_url ?? '') ? (product.image_url ?? '') : '',
  stock: product.total_inventory === null ? '' : String(Math.max(0, product.total_inventory)),
  vendor: product.vendor ?? '',
  is_sold_out: product.total_inventory !== null && product.total_inventory <= 0,
})

/** The store's front page for one without a page of its own. */
export function productUrl(storeUrl: string, handle: string | null): string {
  const shop = storeUrl.replace(/\/$/, '')
  return shop === '' || handle === null ? shop : `${shop}/products/${encodeURIComponent(handle)}`
}
