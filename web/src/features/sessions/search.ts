// Search parameters of the pages of this feature.

import { z } from 'zod'

const text = z.string().optional().catch(undefined)
export const LoginSearch = z.object({
  next: text,
  notice: z.enum(['expired', 'password_changed']).optional().catch(undefined),
})
export const ResetSearch = z.object({ token: text })
export const SignupSearch = z.object({ email: text, invitation: text })
export const ConfirmSearch = z.object({ token: text })
