import { z } from 'zod'
import { CanaryResult } from '../campaigns/canary.ts'
import { endpoint } from '../endpoint.ts'
import { IdParams } from '../fields.ts'

/** Of fewer emails of a step in its last days nothing is said: one complaint of thirty is no trend. The limits are those of campaigns. */
export const STEP_CIRCUIT_BREAKER_MIN_EMAILS = 100
export const STEP_CIRCUIT_BREAKER_DAYS = 7

/** A step whose emails are held back because too much went wrong with the last ones. */
export const HeldStep = z
  .object({
    node_id: z.string(),
    since: z.iso.datetime(),
    result: CanaryResult,
    /** People at the step, and emails that are written and held; each counted up to a limit. */
    waiting: z.int(),
  })
  .meta({ id: 'HeldStep' })
export type HeldStep = z.output<typeof HeldStep>

export const releaseHeldStep = endpoint('POST', '/actions/{id}/release_step', {
  area: 'scenarios',
  summary: 'Let the emails of a step go on that were held back because too many bounced or were reported as spam',
  access: 'marketer',
  params: IdParams,
  body: z.strictObject({ node_id: z.string().min(1, 'required').max(100, 'too_long') }),
  reply: z.object({ count: z.int() }),
})
