import { z } from 'zod'

const known = new Set(Intl.supportedValuesOf('currency'))
export const Currency = z.string('required').refine((code) => known.has(code), 'not_allowed')

/** Amounts of money that a member typed into one thing, in major units: as they are read now, and in the other currency. Numbers are never converted. */
export const TypedAmounts = z
  .object({
    /** `view`: a saved view of the customer list. */
    kind: z.enum(['segment', 'campaign', 'scenario', 'view']),
    id: z.uuid(),
    /** Empty: a view that a member saved for themselves alone. */
    name: z.string(),
    amounts: z.array(z.object({ now: z.number(), next: z.number() })),
  })
  .meta({ id: 'TypedAmounts' })
export type TypedAmounts = z.output<typeof TypedAmounts>

export const CurrencyChange = z
  .object({
    now: z.string(),
    next: z.string(),
    /** Null: it can be agreed to. `sales`: orders were credited in the present currency. `running`: something is running that has to be stopped first. */
    obstacle: z.enum(['sales', 'running']).nullable(),
    /** What is running, with amounts of its own or without: it may use a segment that has some. */
    running: z.array(z.object({ kind: z.enum(['campaign', 'scenario']), id: z.uuid(), name: z.string() })),
    typed: z.array(TypedAmounts),
    /** Stands for all of `typed`: who agrees sends it back, so that no one agrees to amounts they did not see. */
    seen: z.string(),
    /** The next store that sells in this currency is connected with it. */
    is_agreed: z.boolean(),
  })
  .meta({ id: 'CurrencyChange' })
export type CurrencyChange = z.output<typeof CurrencyChange>
