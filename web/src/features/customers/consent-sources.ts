import type { platformPages } from '@okaeri/contract/subscriptions/permission'

const sources = [
  'store',
  'sync',
  'unsubscribe_link',
  'one_click',
  'subscribe_link',
  'storefront',
  'member',
  'complaint',
  'import',
] as const

/** Whether this source of a consent change has words. */
export const isSource = (source: string): source is (typeof sources)[number] =>
  (sources as readonly string[]).includes(source)

const pageWords = {
  'purchase.thank-you.block.render': 'thank_you',
  'customer-account.order-status.block.render': 'order_status',
  'customer-account.profile.block.render': 'profile',
} as const satisfies Record<(typeof platformPages)[number], string>

/** The page of a consent change as people read it: a page of the store platform has a name, any other its address. */
export function pageName(
  page: string | null,
  t: (key: `platformPage.${(typeof pageWords)[keyof typeof pageWords]}`) => string,
): string | null {
  const known = Object.entries(pageWords).find(([target]) => target === page)
  return known ? t(`platformPage.${known[1]}`) : page
}
