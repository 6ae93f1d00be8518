import { z } from 'zod'
import type { MetafieldPayload } from '../metafields/index.ts'

const Told = z.object({
  namespace: z.string(),
  key: z.string(),
  // Texts by the platform's word; older bodies have numbers for numbers.
  value: z.union([z.string(), z.number(), z.boolean()]).transform(String),
  updated_at: z.iso.datetime({ offset: true }),
})
const Body = z.object({ metafields: z.array(z.unknown()).nullish() })

/** The metafields in a customer's body; null when it carries none at all. What cannot be read is left to the daily comparison. */
export function readMetafieldPayload(body: unknown): MetafieldPayload[] | null {
  const { metafields } = Body.parse(body)
  if (!metafields) return null
  const told = metafields.map((one) => Told.safeParse(one))
  if (!told.every(({ success }) => success)) return null
  return told.flatMap(({ data }) =>
    data ? [{ namespace: data.namespace, key: data.key, value: data.value, updatedAt: new Date(data.updated_at) }] : [],
  )
}
