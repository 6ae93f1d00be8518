import type { CustomerFilter } from '@okaeri/contract/customers/view'
import { retriedTransaction } from '../../../kernel/database/deadlocks.ts'
import { heavyWork } from '../../../kernel/work/heavy-work.ts'
import { job } from '../../../kernel/work/jobs.ts'
import { NIL_ID } from '../../../kernel/ids.ts'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import {
  analyzeSearch,
  indexTexts,
  type Searched,
  type SearchedRow,
  selectSearched,
  writeTexts,
} from './search-queries.ts'
import { searchTextOf, searchWords, tagWord } from './search-text.ts'

/** The search field and the tag filter, folded. */
export const searchedBy = ({ q, tag }: Pick<CustomerFilter, 'q' | 'tag'>): Searched => ({
  words: searchWords(q ?? ''),
  tag: tag === undefined ? undefined : tagWord(tag),
})

/** Updates texts and index of these customers from their rows. */
export async function updateSearchIndex(scope: MerchantScope, rows: readonly SearchedRow[]): Promise<void> {
  const wrong = rows
    .map((row) => ({ id: row.id, before: row.searchText, searchText: searchTextOf(row) }))
    .filter(({ before, searchText }) => before !== searchText)
  await writeTexts(scope, wrong)
  await indexTexts(
    scope,
    rows.map(({ id }) => id),
  )
}

const ROWS_A_STEP = 2000

/** After bulk work, which skips the index of words for speed: updates it for everyone. */
export const refreshSearch = job<Record<never, never>>(
  'customers.refresh_search',
  () => 'all',
  async (scope) => {
    let seen = 0
    for (let after = NIL_ID, more = true; more; ) {
      const rows = await selectSearched(scope, after, ROWS_A_STEP)
      const keep = () => retriedTransaction(scope, (scope) => updateSearchIndex(scope, rows))
      await (rows.length < ROWS_A_STEP ? keep() : heavyWork(keep))
      after = rows.at(-1)?.id ?? after
      more = rows.length === ROWS_A_STEP
      seen += rows.length
    }
    // With old statistics the planner would read all customers for each match.
    if (seen > ROWS_A_STEP) await analyzeSearch(scope)
  },
)

export const refreshSearchLater = (scope: MerchantScope): Promise<void> =>
  scope.context.jobs.later(scope, refreshSearch, {})
