export type { MailAddress } from './addresses.ts'
export { findingsOfBlocks, readMailProducts, readMemberships, segmentsNamed } from './data/block-data.ts'
export {
  choosesForEach,
  createProductCards,
  type ProductCards,
  type ProductsOfCustomer,
  readOwnProducts,
  readProductLists,
} from './data/chosen-products.ts'
export { productUrl } from './data/mail-product.ts'
export { brokenDetail, finding, findingOf } from './checks/finding.ts'
export {
  type EventData,
  eventData,
  exampleVariables,
  money,
  NO_EVENT,
  type RecipientVariables,
} from './data/event-data.ts'
export { exampleData, getKnownCustomer, metafieldPathsOf, storeUrlOf } from './data/example-data.ts'
export type { ExaminedMail } from './checks/examination.ts'
export type { FilledTexts, MailParts, MailToFill, RecipientData } from './filling.ts'
export {
  contentTags,
  customerData,
  exampleCustomer,
  type KnownCustomer,
  lineTags,
  type MailProduct,
  type MessageData,
  type ProductLists,
  type SharedData,
} from './data/message-data.ts'
export {
  type Escape,
  escapeHtml,
  linkMarker,
  MARKERS,
  oneLine,
  type OwnProducts,
  type Part,
  type PlainValue,
  plainValue,
} from './parts.ts'
export { eventPlace, isPersonalLink, leadsToProduct, personalLink, withCouponTag } from './personal-links.ts'
export { classOf, type DesignProduct } from './design/design-mjml.ts'
export {
  closedTexts,
  compileDesign,
  compileMail,
  eventFieldsNeeded,
  examineMail,
  examineTexts,
  fillMails,
  fillTexts,
  makeCards,
  plainTexts,
  prepareContent,
  renderingThread,
  renderKept,
  textsOfHtml,
  variablesUsed,
} from './rendering.ts'
export { liquidSpans } from './checks/liquid-spans.ts'
export { TemplateError } from './checks/template-error.ts'
export { type LinkMarks, trackedTarget, withTrackingParameters } from './tracked-links.ts'
export { unguardedFields } from './checks/unguarded-fields.ts'
