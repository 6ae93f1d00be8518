import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, StoreNumber } from '../fields.ts'
import { PageQuery, pageOf } from '../paging.ts'
import { RestockChannel } from './channel.ts'
import { RestockSettings, RestockSettingsChange } from './settings.ts'
import { OpenReturn, RestockNotice, RestockScenario, RestockWave } from './waves.ts'

const area = 'restock'
const ofProduct = z.object({ productId: StoreNumber })

/** More open returns are counted, not listed. */
export const RETURNS_SHOWN = 20

export const getRestockOutlook = endpoint('GET', '/data/restock_outlook', {
  area,
  summary: 'Which scenarios answer restock registrations, and what the next waves will do',
  access: 'member',
  reply: z.object({
    outlook: z.object({
      scenarios: z.array(RestockScenario),
      /** People who registered by these wait, and no active scenario sends by them. */
      unanswered: z.array(RestockChannel),
      test_mode: z.boolean(),
      /** So many products came back at once that a person has to look; and how many people wait for them. */
      asking: z.object({ returns: z.int(), people: z.int() }),
      open_count: z.int(),
      open: z.array(OpenReturn),
    }),
  }),
})

export const continueRestocks = endpoint('POST', '/data/restock_outlook/continue', {
  area,
  summary: 'Let the products that came back at once go on; refused if they are not as many as the person saw',
  access: 'marketer',
  body: z.strictObject({ returns: z.int('not_a_number') }),
  reply: z.object({ returns: z.int() }),
})

export const getRestockProduct = endpoint('GET', '/data/restock_products/{productId}', {
  area,
  summary: 'One product people wait for: who was notified when, who bought, and what comes next',
  access: 'member',
  params: ofProduct,
  reply: z.object({
    product: z.object({
      store_product_id: z.string(),
      product_name: z.string().nullable(),
      image_url: z.string().nullable(),
      waiting: z.int(),
      open: z.array(OpenReturn),
      /** The newest first. */
      waves: z.array(RestockWave),
    }),
  }),
})

export const stopRestockWaves = endpoint('POST', '/data/restock_products/{productId}/stop', {
  area,
  summary: 'Notify no more people of this product until a member continues',
  access: 'marketer',
  params: ofProduct,
  reply: z.object({ returns: z.int() }),
})

export const continueRestockWaves = endpoint('POST', '/data/restock_products/{productId}/continue', {
  area,
  summary:
    'Go on with the waves of a product at once; refused if the next ones would tell more people than the person saw',
  access: 'marketer',
  params: ofProduct,
  body: z.strictObject({ people: z.int('not_a_number') }),
  reply: z.object({ returns: z.int() }),
})

export const listRestockNotices = endpoint('GET', '/data/restock_returns/{returnId}/waves/{number}', {
  area,
  summary: 'The people of one wave, in the order of registration, with what came of it',
  access: 'member',
  params: z.object({ returnId: Id, number: StoreNumber }),
  query: PageQuery,
  reply: pageOf(RestockNotice),
})

export const getRestockSettings = endpoint('GET', '/user/me/restock_settings', {
  area: 'settings',
  summary: 'How people who wait are notified, and how the storefront asks',
  access: 'member',
  reply: z.object({ restock_settings: RestockSettings }),
})

export const changeRestockSettings = endpoint('PUT', '/user/me/restock_settings', {
  area: 'settings',
  summary: 'Change these settings; what is left out stays',
  access: 'marketer',
  body: z.strictObject({ restock_settings: RestockSettingsChange }),
  reply: z.object({ restock_settings: RestockSettings }),
})
