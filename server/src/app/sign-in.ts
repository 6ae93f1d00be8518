/** Who an access token belongs to; null when it is not valid (any more). */
export { authenticate } from '../features/sessions/index.ts'
