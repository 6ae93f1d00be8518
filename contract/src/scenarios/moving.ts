import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { IdParams } from '../fields.ts'
import { FLOW_LIMIT_BYTES, Flow } from './flow.ts'
import { FormConditions, FormValues } from './scenario.ts'

/** What becomes of those on their way if they are moved to a flow that is not saved yet: the last three make up the first. */
export const Moving = z
  .object({
    /** Executions that have not ended, counted up to `EXECUTIONS_COUNTED_TO`. */
    on_their_way: z.int(),
    /** False: there are at least so many, and the three are of those counted. */
    exact: z.boolean(),
    /** At a step the new flow has too: they go on there. */
    go_on: z.int(),
    /** At a step that is removed, or waits for something else now: they finish the version they are on. */
    at_removed: z.int(),
    /** They would come again to an email or a coupon they had: they finish the version they are on. */
    would_repeat: z.int(),
  })
  .meta({ id: 'Moving' })
export type Moving = z.output<typeof Moving>

/** Not in the specification's list: asked before a flow is saved. */
export const foreseeMoving = endpoint('POST', '/actions/{id}/moving', {
  area: 'scenarios',
  summary: 'Who is on their way, and what would become of them if they were moved to this flow; nothing is saved',
  access: 'member',
  params: IdParams,
  bodyLimitBytes: FLOW_LIMIT_BYTES,
  body: z.union([
    z.strictObject({ flow: Flow }),
    /** In form mode: the flow these make. */
    z.strictObject({ form: FormValues, conditions: FormConditions }),
  ]),
  reply: z.object({ moving: Moving }),
})
