import { emailChannel, lineChannel } from '../features/channels/index.ts'
import type { Channels } from '../features/deliveries/index.ts'

/** The ways messages reach people. */
export const channels: Required<Channels> = { email: emailChannel, line: lineChannel }
