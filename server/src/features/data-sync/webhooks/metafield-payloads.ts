import { z } from 'zod'
import type { MetafieldPayload } from '../../metafields/index.ts'

const Metafield = z.object({
  namespace: z.string(),
  key: z.string(),
  // Texts according to the platform's documentation; older bodies have JSON numbers.
  value: z.union([z.string(), z.number(), z.boolean()]).transform(String),
  updated_at: z.iso.datetime({ offset: true }),
})
const Body = z.object({ metafields: z.array(z.unknown()).nullish() })

/** The metafields in a customer's body; null if it has none at all. Unreadable ones are left to the daily comparison. */
export function readMetafieldPayload(body: unknown): MetafieldPayload[] | null {
  const { metafields } = Body.parse(body)
  if (!metafields) return null
  const parsed = metafields.map((one) => Metafield.safeParse(one))
  if (!parsed.every(({ success }) => success)) return null
  return parsed.flatMap(({ data }) =>
    data ? [{ namespace: data.namespace, key: data.key, value: data.value, updatedAt: new Date(data.updated_at) }] : [],
  )
}
