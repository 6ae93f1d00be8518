import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { IdParams } from '../../fields.ts'
import { FLOW_LIMIT_BYTES, Flow } from './flow.ts'
import { FormConditions, FormValues } from '../scenario.ts'

/** What would happen to current executions if they were moved to an unsaved flow. The last three add up to the first. */
export const MovePreview = z
  .object({
    /** Executions that have not ended, counted up to `EXECUTIONS_COUNTED_TO`. */
    on_their_way: z.int(),
    /** False: there are more, and the last three are about the counted ones only. */
    exact: z.boolean(),
    /** At a step the new flow has too, where they continue. */
    go_on: z.int(),
    /** At a step that is removed or now waits for something else: they finish on their version. */
    at_removed: z.int(),
    /** They would get an email or a coupon twice: they finish on their version. */
    would_repeat: z.int(),
  })
  .meta({ id: 'Moving' })
export type MovePreview = z.output<typeof MovePreview>

/** Not in the specification's list: called before a flow is saved. */
export const previewMove = endpoint('POST', '/actions/{id}/moving', {
  area: 'scenarios',
  summary: 'How many executions are running, and what would happen if they were moved to this flow; nothing is saved',
  access: 'member',
  params: IdParams,
  bodyLimitBytes: FLOW_LIMIT_BYTES,
  body: z.union([
    z.strictObject({ flow: Flow }),
    /** In form mode. */
    z.strictObject({ form: FormValues, conditions: FormConditions }),
  ]),
  reply: z.object({ moving: MovePreview }),
})
