/** The owner of an access token; null when the token is not valid. */
export { authenticate } from '../features/sessions/index.ts'
