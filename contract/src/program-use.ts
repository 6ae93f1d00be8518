import { z } from 'zod'

/** A campaign that is not over, or a scenario, that something cannot be taken from. */
export const ProgramUse = z.object({
  type: z.enum(['campaign', 'scenario']),
  id: z.uuid(),
  name: z.string(),
  status: z.string(),
})
export type ProgramUse = z.output<typeof ProgramUse>
