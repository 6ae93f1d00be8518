import { z } from 'zod'

const text = z.string().optional().catch(undefined)
/** `error` is a reason of the contract: the store's answer was refused. `currency`: what it sells in, if that is why. */
export const AuthorizeSearch = z.object({ shop: text, error: text, currency: text })
/** `code` can be exchanged once. */
export const CallbackSearch = z.object({ code: text })
