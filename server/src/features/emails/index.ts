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
