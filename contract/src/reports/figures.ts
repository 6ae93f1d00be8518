import { z } from 'zod'
import { ChannelName } from '../deliveries/delivery.ts'

/** What came of one channel, as the sums beside it; money in minor units of the merchant's currency. */
export const ChannelFigures = z
  .object({
    channel: ChannelName,
    sent: z.int(),
    clicked: z.int(),
    /** Null where the channel does not say who opened. */
    open_rate: z.number().nullable(),
    click_rate: z.number(),
    orders: z.int(),
    revenue: z.int(),
  })
  .meta({ id: 'ChannelFigures' })
export type ChannelFigures = z.output<typeof ChannelFigures>
