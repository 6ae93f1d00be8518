/** What the store platform calls the only variant of a product that has no variants. */
const ONLY_ONE = 'Default Title'

/** The name of a variant, as people read it; null for a product without variants. */
export const variantName = (title: string): string | null => (title === ONLY_ONE ? null : title)

/** `Tシャツ / M` */
export const withVariant = (product: string, variant: string | null): string =>
  variant === null ? product : `${product} / ${variant}`
