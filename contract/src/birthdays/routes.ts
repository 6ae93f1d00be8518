import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

const area = 'store'

/** The birthday of the customer who is signed in at the store. */
export const OwnBirthday = z
  .object({
    /** `YYYY-MM-DD`; year 1004 if only month and day are known; null: not known. */
    birthday: z.string().nullable(),
    /** How often the customer may still change it; not asked for the first one. */
    changes_left: z.int(),
  })
  .meta({ id: 'OwnBirthday' })
export type OwnBirthday = z.output<typeof OwnBirthday>

/** The store platform's app proxy signs the query; its `logged_in_customer_id` alone says whose birthday it is. */
export const getOwnBirthday = endpoint('GET', '/shopify/proxy/birthday', {
  area,
  summary: 'Through the app proxy: the birthday of the signed-in customer',
  access: 'public',
  reply: z.object({ birthday: OwnBirthday }),
})
const Entered = z.strictObject({ birthday: z.string('required').min(1, 'required').max(40, 'too_long') })
export const enterBirthday = endpoint('PUT', '/shopify/proxy/birthday', {
  area,
  summary: 'Through the app proxy: the signed-in customer enters their birthday, with a year or without',
  access: 'public',
  body: Entered,
  bodyLimitBytes: 1024,
  reply: z.object({ birthday: OwnBirthday }),
})
export const getBirthdayByExtension = endpoint('GET', '/frontend/extension/birthday', {
  area: 'storefront',
  summary: 'On a page of the store platform: the birthday of the signed-in customer',
  access: 'extension',
  reply: z.object({ birthday: OwnBirthday }),
})
export const enterBirthdayByExtension = endpoint('PUT', '/frontend/extension/birthday', {
  area: 'storefront',
  summary: 'On a page of the store platform: the signed-in customer enters their birthday, with a year or without',
  access: 'extension',
  body: Entered,
  bodyLimitBytes: 1024,
  reply: z.object({ birthday: OwnBirthday }),
})
export const birthdayScript = endpoint('GET', '/shopify/proxy/birthdayscript', {
  area,
  summary: 'Through the app proxy: a script that puts the birthday form where it stands, for themes without blocks',
  access: 'public',
  replyKind: 'file',
  mediaTypes: ['text/javascript'],
})
