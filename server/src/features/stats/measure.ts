export const measures = [
  'sent',
  'opened',
  'clicked',
  'machine_opened',
  'machine_clicked',
  'unsubscribed',
  'bounced',
  'complained',
  'orders',
  'revenue',
] as const
export type Measure = (typeof measures)[number]
/** Counts; `revenue` in minor units of the merchant's currency. */
export type Results = Record<Measure, number>

export const noResults = (): Results => ({
  sent: 0,
  opened: 0,
  clicked: 0,
  machine_opened: 0,
  machine_clicked: 0,
  unsubscribed: 0,
  bounced: 0,
  complained: 0,
  orders: 0,
  revenue: 0,
})

/** Spec §9: counted divided by sent times 100; percent with one decimal, 0 when nothing was sent. */
export const rate = (count: number, sent: number): number => (sent > 0 ? Math.round((count / sent) * 1000) / 10 : 0)
