import { z } from 'zod'

/** What is kept of a store. Also the `{id}` of `/userdata/{id}`. */
export const DatasetId = z.enum([
  'customers',
  'orders',
  'products',
  'collections',
  'checkouts',
  'segments',
  'metafields',
])
export type DatasetId = z.output<typeof DatasetId>

/**
 * How the copy came to differ from the store without a webhook telling: `missing` here, `outdated` here, `consent` (the permission
 * differed), `gone` (the store has it no more).
 */
export const DifferenceKind = z.enum(['missing', 'outdated', 'consent', 'gone'])
export type DifferenceKind = z.output<typeof DifferenceKind>

export const DatasetDifference = z.object({
  at: z.iso.datetime(),
  /** All kinds together. */
  count: z.int(),
  /** Only kinds that occurred. */
  kinds: z.array(z.object({ kind: DifferenceKind, count: z.int() })),
})
export type DatasetDifference = z.output<typeof DatasetDifference>

export const DatasetProgress = z.object({
  /** `waiting`: another dataset is fetched first, the store exports one at a time. */
  phase: z.enum(['waiting', 'exporting', 'loading']),
  /** What the store has written so far; while it exports, how much will come is not known. */
  exported_count: z.int(),
  loaded_count: z.int(),
  /** 0 to 100. */
  percent: z.number(),
  seconds_left: z.int().nullable(),
})
export type DatasetProgress = z.output<typeof DatasetProgress>

export const Dataset = z
  .object({
    id: DatasetId,
    name: z.object({ ja: z.string(), en: z.string() }),
    status: z.enum(['never_fetched', 'fetching', 'done', 'failed']),
    /** Why the last fetch failed, while `failed`: the store's own words, or a reason of ours (`store_not_connected`, `internal`). */
    error: z.string().nullable(),
    count: z.int(),
    /** When `count` was counted: this moment, or a while ago where there are very many. */
    counted_at: z.iso.datetime(),
    /** When everything was fetched the last time. */
    last_fetched_at: z.iso.datetime().nullable(),
    /** When the store was last asked what webhooks may have missed. Null where that is not done. */
    last_checked_at: z.iso.datetime().nullable(),
    /** The last time that found something, which was then repaired. */
    last_difference: DatasetDifference.nullable(),
    progress: DatasetProgress.nullable(),
  })
  .meta({ id: 'Dataset' })
export type Dataset = z.output<typeof Dataset>

/** One comparison with the store. */
export const DatasetCheck = z
  .object({
    id: z.uuid(),
    /** `window`: what changed from `from` to `until`. `sweep`: every id. `copy`: everything was fetched again. */
    kind: z.enum(['window', 'sweep', 'copy']),
    from: z.iso.datetime().nullable(),
    until: z.iso.datetime(),
    status: z.enum(['running', 'done', 'failed']),
    checked_count: z.int(),
    repaired_count: z.int(),
    kinds: z.array(z.object({ kind: DifferenceKind, count: z.int() })),
    started_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'DatasetCheck' })
export type DatasetCheck = z.output<typeof DatasetCheck>

/** Why no store answers: the app was `uninstalled` there, access was `refused`, a member `disconnected` it, or there `never` was one. */
export const StoreAbsence = z.enum(['uninstalled', 'refused', 'disconnected', 'never'])
export type StoreAbsence = z.output<typeof StoreAbsence>

export const DatasetStore = z.object({
  connected: z.boolean(),
  shop_domain: z.string().nullable(),
  reason: StoreAbsence.nullable(),
  /** Since when it is (not) connected. */
  since: z.iso.datetime().nullable(),
  /** Received from the store and not processed yet. */
  webhooks_waiting: z.int(),
})
export type DatasetStore = z.output<typeof DatasetStore>
