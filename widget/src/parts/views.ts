import type { Kit } from '../kit.ts'

/** Tells of what a visitor looked at, where the merchant turned that on; replaced by the feature that stores it. */
export function mount(_place: Element, kit: Kit): void {
  kit.tell('viewed', kit.page.product?.id)
}
