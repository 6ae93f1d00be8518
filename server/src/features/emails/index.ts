export { listEmailsUsingMetafield } from './metafield-tags.ts'
export { renderForCustomer, renderSent } from './preview.ts'
export { type EmailContent, findEmailContent, listEmailContents } from './queries.ts'
export { emailRoutes } from './routes.ts'
