import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { IdParams } from '../fields.ts'

/**
 * A transition of many at once: of executions of a scenario, or of those who wait to enter it. Answers how many it was about. Not in the
 * specification's list: transitions are verbs.
 */
export const countingVerb = (name: string, summary: string) =>
  endpoint('POST', `/actions/{id}/${name}`, {
    area: 'scenarios',
    summary,
    access: 'marketer',
    params: IdParams,
    reply: z.object({ count: z.int() }),
  })
