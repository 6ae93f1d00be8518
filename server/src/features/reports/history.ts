import type { DeliveryView } from '@okaeri/contract/deliveries/delivery'
import type { Page } from '@okaeri/contract/paging'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { type HistoryFilter, selectHistories } from './history-queries.ts'

export async function listEmailHistories(
  scope: MerchantScope,
  { limit, offset, ...filter }: HistoryFilter & { limit: number; offset: number },
): Promise<Page<DeliveryView>> {
  const { rows, total } = await selectHistories(scope, filter, { limit, offset })
  const iso = (at: Date | null): string | null => at?.toISOString() ?? null
  return {
    data: rows.map((row) => ({
      ...row,
      created_at: row.created_at.toISOString(),
      sent_at: iso(row.sent_at),
      opened_at: iso(row.opened_at),
      clicked_at: iso(row.clicked_at),
      bounced_at: iso(row.bounced_at),
    })),
    limit,
    offset,
    total,
  }
}
