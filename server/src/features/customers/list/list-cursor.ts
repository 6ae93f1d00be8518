import { Id } from '@okaeri/contract/fields'
import type { CustomerSort } from '@okaeri/contract/customers/view'
import { DateTime } from 'luxon'
import { z } from 'zod'
import { invalid } from '../../../kernel/errors.ts'

/** Where a page begins: after (`next`) or before (`prev`) this customer. Without an id: at that end of the list. */
export interface CursorPlace {
  toward: 'next' | 'prev'
  value: string | null
  id: string | null
}

const instant = z.string().regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,6})?[+-]\d{2}(:\d{2}){0,2}$/)
const amount = z.string().regex(/^-?\d{1,15}$/)
const count = z.string().regex(/^-?\d{1,9}$/)
const values: Record<CustomerSort, z.ZodType<string | null>> = {
  created_at: instant,
  name: z.string().max(1000),
  total_revenue: amount,
  orders_count: count,
  last_order_at: instant.nullable(),
  email_sent_count: count,
}

/** A position as text for a URL. It belongs to one order. */
export const writeCursor = (sort: CustomerSort, direction: 'asc' | 'desc', place: CursorPlace): string =>
  Buffer.from(JSON.stringify([sort, direction, place.toward, place.value, place.id])).toString('base64url')

/** Throws `invalid` for a text that is not a cursor, or belongs to another order. */
export function readCursor(text: string, sort: CustomerSort, direction: 'asc' | 'desc'): CursorPlace {
  if (text === 'end') return { toward: 'prev', value: null, id: null }
  const place = z
    .tuple([z.literal(sort), z.literal(direction), z.enum(['next', 'prev']), values[sort], Id])
    .safeParse(parsed(text))
  if (!place.success) throw invalid({ cursor: 'invalid' })
  const [, , toward, value, id] = place.data
  if (value?.includes('\0') || !isInstantRight(sort, value)) throw invalid({ cursor: 'invalid' })
  return { toward, value, id }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return null
  }
}

/** The format alone would accept 31 February. */
const isInstantRight = (sort: CustomerSort, value: string | null): boolean =>
  value === null || (sort !== 'created_at' && sort !== 'last_order_at') || DateTime.fromSQL(value).isValid
