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
