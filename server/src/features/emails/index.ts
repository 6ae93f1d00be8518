export {
  type ContentToPrepare,
  finding,
  linkMarker,
  MARKERS,
  OPEN_MARKER,
  type PreparedContent,
  prepareContent,
} from './content.ts'
export {
  contentTags,
  customerData,
  exampleCustomer,
  greeting,
  type KnownCustomer,
  type MessageData,
} from './message-data.ts'
export { type MailToCheck, preflight, sizeOfFinalHtml, sizeOfRendered } from './preflight.ts'
export { type CompiledTemplate, compileTemplate, escapeHtml, oneLine, TemplateError } from './template.ts'
export { createEmail } from './email.ts'
export { type MailToRender, renderForCustomer, storeUrlOf, type WrittenEmail } from './preview.ts'
export { emailRoutes } from './routes.ts'
