import { sql } from 'kysely'
import type { PersonalDataEntry } from '../../kernel/personal-data.ts'

export const richMenuPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'rich_menu_links',
    title: { ja: 'LINEのリッチメニュー', en: 'LINE rich menus' },
    about: ({ customerIds }, { merchantId }) => sql`t.line_user_id in (
      select f.line_user_id from line_friends f
      where f.merchant_id = ${merchantId} and f.customer_id = any(${customerIds}::uuid[]))`,
    isBookkeeping: true,
    // The platform shows them the menu until it is over: who is forgotten is not named to it any more.
    forget: 'delete',
  },
]
