import { z } from 'zod'
import { line } from '../fields.ts'
import { isWebAddress } from '../web-address.ts'

/** More addresses than this are not passed on to. */
export const MAX_RELAYS = 5

/** An address that gets what LINE sends, body and signature untouched. */
export const LineRelay = z
  .object({
    id: z.uuid(),
    url: z.string(),
    created_at: z.iso.datetime(),
    /** Not taken there yet. */
    waiting: z.int(),
    /** Given up after all tries, in the last seven days. */
    failed: z.int(),
  })
  .meta({ id: 'LineRelay' })
export type LineRelay = z.output<typeof LineRelay>

export const relayCallStates = ['waiting', 'done', 'failed'] as const
export const LineRelayCall = z
  .object({
    id: z.uuid(),
    url: z.string(),
    state: z.enum(relayCallStates),
    received_at: z.iso.datetime(),
    tries: z.int(),
    /** Status and beginning of the answer, or why there was none. */
    answer: z.string().nullable(),
    next_try_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'LineRelayCall' })
export type LineRelayCall = z.output<typeof LineRelayCall>

export const NewLineRelay = z.strictObject({ url: line(1, 2000).refine(isWebAddress, 'not_a_url') })
