import { z } from 'zod'
import { Id } from '../fields.ts'
import { customerFilters } from './view.ts'

/** At most this many customers are changed at once, because the store takes one after another. */
export const MAX_SELECTED = 10_000
/** At most this many can be ticked one by one. */
export const MAX_TICKED = 1000

/** Customers ticked one by one, or all that match a filter of the list. */
export const CustomerSelection = z
  .union([
    z.strictObject({ ids: z.array(Id).min(1, 'required').max(MAX_TICKED, 'too_long') }),
    z.strictObject({ filter: z.strictObject(customerFilters) }),
  ])
  .meta({ id: 'CustomerSelection' })
export type CustomerSelection = z.output<typeof CustomerSelection>

/** The selection, and its number when the member saw it: with another number nothing is done. */
export const Selected = {
  selection: CustomerSelection,
  expected_count: z.int('not_whole').min(1, 'too_small').max(MAX_SELECTED, 'too_big'),
} as const

/** Tags being added to or removed from many customers, in the store and here. */
export const TagChange = z
  .object({
    id: z.uuid(),
    add: z.array(z.string()),
    remove: z.array(z.string()),
    /** `failed`: the store was unreachable for hours; the remaining customers keep their tags. */
    status: z.enum(['running', 'done', 'failed']),
    total: z.int(),
    done_count: z.int(),
    /** Customers for whom the store refused it. */
    refused_count: z.int(),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'TagChange' })
export type TagChange = z.output<typeof TagChange>
