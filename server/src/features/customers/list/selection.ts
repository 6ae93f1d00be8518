import { type CustomerSelection, MAX_SELECTED } from '@okaeri/contract/customers/selection'
import { conflict, notFound } from '../../../kernel/errors.ts'
import { NIL_ID } from '../../../kernel/ids.ts'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { filterOf } from './list.ts'
import { selectIdsOfFilter, selectKnownIds } from './list-queries.ts'

/**
 * The selected customers, in the order of their ids. Throws `selection_changed` if their number is not the one the member saw,
 * `selection_too_large`, and not found for an unknown id.
 */
export async function listSelected(
  scope: MerchantScope,
  { selection, expected_count: expected }: { selection: CustomerSelection; expected_count: number },
): Promise<string[]> {
  const ids =
    'ids' in selection
      ? await listTicked(scope, selection.ids)
      : await selectIdsOfFilter(scope, await filterOf(scope, selection.filter), {
          after: NIL_ID,
          limit: MAX_SELECTED + 1,
        })
  if (ids.length > MAX_SELECTED) throw conflict('selection_too_large', `at most ${MAX_SELECTED} customers at once`)
  if (ids.length !== expected) throw conflict('selection_changed', `${ids.length} customers, not ${expected}`)
  return ids
}

async function listTicked(scope: MerchantScope, ticked: readonly string[]): Promise<string[]> {
  const wanted = new Set(ticked.map((id) => id.toLowerCase()))
  const known = await selectKnownIds(scope, [...wanted])
  if (known.length < wanted.size) throw notFound('there is no such customer')
  return known
}

/** Any number of customers, a page of ids at a time. */
export async function selectionPages(
  scope: MerchantScope,
  selection: CustomerSelection,
  limit: number,
): Promise<AsyncIterable<string[]>> {
  if ('ids' in selection) {
    const ids = await listTicked(scope, selection.ids)
    return (async function* () {
      for (let at = 0; at < ids.length; at += limit) yield ids.slice(at, at + limit)
    })()
  }
  const filter = await filterOf(scope, selection.filter)
  return (async function* () {
    for (let after = NIL_ID, more = true; more; ) {
      const ids = await selectIdsOfFilter(scope, filter, { after, limit })
      if (ids.length > 0) yield ids
      after = ids.at(-1) ?? after
      more = ids.length === limit
    }
  })()
}
