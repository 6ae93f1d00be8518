const sources = [
  'store',
  'sync',
  'unsubscribe_link',
  'one_click',
  'subscribe_link',
  'storefront',
  'member',
  'import',
] as const

/** Whether there are words for where a change of permission came from. */
export const isSource = (source: string): source is (typeof sources)[number] =>
  (sources as readonly string[]).includes(source)
