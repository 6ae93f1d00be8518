import { z } from 'zod'

/** How the platform calls a person, differently for each provider. */
export const LineUserId = z.string('not_an_id').regex(/^U[0-9a-f]{32}$/, 'not_an_id')

/** Friends who get test sends, and the messages of test mode. */
export const MAX_TESTERS = 10

export const LineFriend = z
  .object({
    line_user_id: z.string(),
    /** Null until the platform has answered. */
    display_name: z.string().nullable(),
    /** False: they have blocked the account. */
    is_friend: z.boolean(),
    customer_id: z.uuid().nullable(),
    customer_name: z.string().nullable(),
  })
  .meta({ id: 'LineFriend' })
export type LineFriend = z.output<typeof LineFriend>
