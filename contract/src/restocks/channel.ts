import { z } from 'zod'

/** What people can ask for news of a product by. The ledger may know more channels. */
export const RestockChannel = z.enum(['email', 'line'])
export type RestockChannel = z.output<typeof RestockChannel>
