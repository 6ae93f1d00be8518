export { listEmailsUsingMetafield, metafieldPathsOf } from './metafield-tags.ts'
export { renderForCustomer, renderSent, storeUrlOf } from './preview.ts'
export { type EmailContent, findEmailContent, listEmailContents } from './queries.ts'
export { emailRoutes } from './routes.ts'
