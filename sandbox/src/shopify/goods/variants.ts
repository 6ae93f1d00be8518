import type { StoreScope } from '../platform.ts'
import { listRows } from '../../sql.ts'
import type { ProductRow, VariantRow } from './rows.ts'

export function listVariants(scope: StoreScope, productId: number): VariantRow[] {
  return listRows<VariantRow>(scope.database)`SELECT * FROM store_variant
    WHERE store_id = ${scope.store.id} AND product_id = ${productId} ORDER BY position`
}

const onlyTitle = 'Default Title'
/** The platform's words for a product without options. */
export const isOnlyVariant = ({ title }: Pick<VariantRow, 'title'>): boolean => title === onlyTitle

/** What a variant is of each option: 白, M. */
export function valuesOf({ title, option_values: given }: VariantRow): string[] {
  const values = JSON.parse(given) as string[]
  return values.length > 0 ? values : [title]
}

/** What one chooses of a product, and from what. Seeded products differ in size. */
export function optionsOf(
  { options }: Pick<ProductRow, 'options'>,
  variants: VariantRow[],
): { name: string; values: string[] }[] {
  const given = JSON.parse(options) as string[]
  const names = given.length > 0 ? given : [variants.every(isOnlyVariant) ? 'Title' : 'サイズ']
  return names.map((name, index) => ({
    name,
    values: [...new Set(variants.map((variant) => valuesOf(variant)[index] ?? ''))],
  }))
}

/** Whether one more of it can be bought online. */
export const isForSale = ({ online_quantity: left, inventory_policy: policy }: VariantRow): boolean =>
  left > 0 || policy === 'CONTINUE'
