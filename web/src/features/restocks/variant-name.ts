import { variantName as nameOf } from '@okaeri/contract/catalog/variant-name'

/** Null for a product without variants; `id` where the variant is gone. */
export const variantName = (id: string, variant: string | null): string | null =>
  variant === null ? id : nameOf(variant)
