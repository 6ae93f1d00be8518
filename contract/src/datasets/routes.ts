import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Locale } from '../locale.ts'
import { Dataset, DatasetCheck, DatasetId, DatasetStore } from './dataset.ts'

const area = 'data'
const params = z.object({ id: z.enum(DatasetId.options, 'not_an_id') })

/** Always all seven, in this order; not paged, yet in the form of a list. */
export const listDatasets = endpoint('GET', '/userdata', {
  area,
  summary: 'What is kept of the store: counts, when it was fetched, and what webhooks had missed',
  access: 'member',
  reply: z.object({
    data: z.array(Dataset),
    limit: z.int(),
    offset: z.int(),
    total: z.int(),
    store: DatasetStore,
  }),
})

export const getDataset = endpoint('GET', '/userdata/{id}', {
  area,
  summary: 'One dataset with its newest comparisons with the store',
  access: 'member',
  params,
  /** `checks`: the newest first, at most 50. */
  reply: z.object({ dataset: Dataset, checks: z.array(DatasetCheck), store: DatasetStore }),
})

/** 409 `sync_running` while a fetch is under way, `store_not_connected` without a store. */
export const refetchDataset = endpoint('POST', '/userdata/{id}/re_fetch', {
  area,
  summary: 'Fetch all of a dataset again',
  access: 'marketer',
  status: 202,
  params,
  body: z.strictObject({}).default({}),
  reply: z.object({ dataset: Dataset }),
})

/** Not in the specification's list: asks the store now instead of within the hour what webhooks may have missed. */
export const checkDataset = endpoint('POST', '/userdata/{id}/check', {
  area,
  summary: 'Compare a dataset with the store now and repair what differs; 409 where a dataset has no such comparison',
  access: 'marketer',
  status: 202,
  params,
  reply: z.object({ dataset: Dataset }),
})

/** `lang`: the language of the header row; the browser’s where none is given. */
export const downloadDataset = endpoint('GET', '/userdata/{id}/download', {
  area,
  summary: 'The whole dataset as CSV (UTF-8 with a byte order mark, safe for spreadsheets)',
  access: 'member',
  params,
  query: z.object({ lang: Locale.optional() }),
  replyKind: 'file',
  mediaTypes: ['text/csv'],
})
