export { endAccountLink } from './account-link.ts'
export { chatLinks } from './chat-link.ts'
export { lineLoginPersonalData } from './personal-data-queries.ts'
export { lineLoginRoutes } from './routes.ts'
