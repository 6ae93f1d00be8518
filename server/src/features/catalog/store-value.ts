import type { StoreValueField } from '@okaeri/contract/catalog/routes'
import type { Page } from '@okaeri/contract/paging'
import { foldText } from '../../kernel/folding.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { wordsOf } from './choice.ts'
import { insertStoreValues, selectStoreValues } from './queries.ts'

/** Longer than the platform allows for any of them. */
const MAX_LENGTH = 255

/**
 * Stores the vendors, tags and codes that occur, so that conditions can offer them. One that no longer occurs stays, because customers can
 * still be found by past orders with it.
 */
export async function rememberStoreValues(
  scope: MerchantScope,
  found: Partial<Record<StoreValueField, readonly (string | null)[]>>,
): Promise<void> {
  const rows = Object.entries(found).flatMap(([field, values]) =>
    [...new Set(values)].flatMap((value) =>
      value && value.length <= MAX_LENGTH ? [{ field, value, searchText: foldText(value) }] : [],
    ),
  )
  if (rows.length > 0) await insertStoreValues(scope, rows)
}

export async function listStoreValues(
  scope: MerchantScope,
  field: StoreValueField,
  { q, limit, offset }: { q?: string | undefined; limit: number; offset: number },
): Promise<Page<{ value: string }>> {
  const { rows, total } = await selectStoreValues(scope, { field, words: wordsOf(q) }, { limit, offset })
  return { data: rows, limit, offset, total }
}
