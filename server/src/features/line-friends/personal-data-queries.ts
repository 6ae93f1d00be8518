import { sql } from 'kysely'
import type { PersonalDataEntry } from '../../kernel/personal-data.ts'
import { eraseFriends } from './friend.ts'

export const lineFriendPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'line_events',
    title: { ja: 'LINEでのやり取り', en: 'LINE activity' },
    about: ({ customerIds }, { merchantId }) => sql`t.line_user_id in (
      select f.line_user_id from line_friends f
      where f.merchant_id = ${merchantId} and f.customer_id = any(${customerIds}::uuid[]))`,
    omittedColumns: ['event_id', 'attempts', 'error', 'processed_at'],
    forget: 'delete',
  },
  {
    table: 'line_link_changes',
    title: { ja: 'LINE連携の履歴', en: 'LINE links' },
    about: ({ customerIds }) => sql`t.customer_id = any(${customerIds}::uuid[])`,
    forget: 'delete',
  },
  {
    table: 'line_friends',
    title: { ja: 'LINEの友だち', en: 'LINE friends' },
    about: ({ customerIds }) => sql`t.customer_id = any(${customerIds}::uuid[])`,
    omittedColumns: ['changed_at', 'profile_read_at'],
    forget: { run: (scope, { customerIds }) => eraseFriends(scope, customerIds) },
  },
]
