import type { Kit } from '../kit.ts'

/** Somebody who leaves at once did not look. */
const LOOKS_MS = 3000

/** On where the merchant turned it on: tells which product a signed-in customer looks at. The server asks for the permission. */
export function mount(_place: Element, kit: Kit): void {
  const { customerId, product } = kit.page
  if (customerId === null || !product) return
  setTimeout(() => {
    if (document.visibilityState !== 'visible') return
    kit.call('POST', '/frontend/views', { product_ids: [product.id] }).catch(() => undefined)
  }, LOOKS_MS)
}
