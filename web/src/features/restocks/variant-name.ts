/** What the store platform calls the variant of a product that has no variants. */
const ONLY_ONE = 'Default Title'

/** Null for a product without variants; `id` where the variant is gone. */
export const variantName = (id: string, variant: string | null): string | null =>
  variant === ONLY_ONE ? null : (variant ?? id)
