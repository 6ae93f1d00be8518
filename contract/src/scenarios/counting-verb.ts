import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { IdParams } from '../fields.ts'

/** One transition for many executions or entries of a scenario; returns how many. Not in the specification's list. */
export const countingVerb = (name: string, summary: string) =>
  endpoint('POST', `/actions/{id}/${name}`, {
    area: 'scenarios',
    summary,
    access: 'marketer',
    params: IdParams,
    reply: z.object({ count: z.int() }),
  })
