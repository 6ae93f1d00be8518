import { nowSeconds, type StoreScope, storeUrl } from '../platform.ts'
import { findResource } from '../resources.ts'
import { findRow } from '../../sql.ts'

export interface BulkRow {
  store_id: number
  id: number
  status: 'CREATED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELING' | 'CANCELED' | 'EXPIRED'
  query: string
  api_version: string
  grouped: number
  scope: string
  error_code: string | null
  object_count: number
  root_object_count: number
  file_size: number | null
  partial: number
  secret: string
  created_at: number
  completed_at: number | null
}

export const findBulk = (scope: StoreScope, id: number): BulkRow | null => findResource(scope, 'BulkOperation', id)

export function findRunningBulk(scope: StoreScope): BulkRow | null {
  return (
    findRow<BulkRow>(scope.database)`SELECT * FROM store_bulk WHERE store_id = ${scope.store.id}
      AND status IN ('CREATED', 'RUNNING', 'CANCELING') ORDER BY id DESC LIMIT 1` ?? null
  )
}

const fileLifeSeconds = 7 * 86_400

/** The file's address; null when there is no file, as for a query that found nothing, or when its seven days are over. */
export function bulkUrl(scope: StoreScope, row: BulkRow): string | null {
  const over = row.completed_at !== null && row.completed_at + fileLifeSeconds < nowSeconds(scope)
  return over || (row.file_size ?? 0) === 0 ? null : storeUrl(scope, `/bulk/${row.id}.jsonl?key=${row.secret}`)
}
