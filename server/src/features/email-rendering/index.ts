export { finding, findingOf } from './finding.ts'
export { type EventData, eventData, exampleVariables, NO_EVENT, type RecipientVariables } from './event-data.ts'
export type { ExaminedMail } from './examining.ts'
export type { Filled, MailParts, MailToFill, RecipientData } from './filling.ts'
export { contentTags, customerData, exampleCustomer, type KnownCustomer, type MessageData } from './message-data.ts'
export { type Escape, escapeHtml, MARKERS, oneLine, type Part, plainValue } from './parts.ts'
export { isPersonalLink, personalLink } from './personal-links.ts'
export {
  compileMail,
  eventFieldsNeeded,
  examineMail,
  fillMails,
  prepareContent,
  renderingThread,
  renderKept,
  variablesOf,
  variablesUsed,
} from './rendering.ts'
export { TemplateError } from './template-error.ts'
