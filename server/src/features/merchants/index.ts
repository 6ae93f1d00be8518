export { closeMerchant } from './closing-queries.ts'
export {
  askConfirmation,
  checkLink,
  confirmByLink,
  confirmEverywhere,
  confirmUnasked,
  countConfirmation,
  mailConfirmationLink,
  mayAskConfirmation,
  refuseUnlessAccountConfirmed,
  unconfirmedOf,
} from './confirmation.ts'
export { harmless } from './confirmation-mail.ts'
export {
  addTestMails,
  confirmDomain,
  deleteSignInConfirmations,
  findTestMails,
  holdTestMails,
  isConfirmedSql,
  unconfirmDomain,
} from './confirmation-queries.ts'
export { allMerchants, lastNight } from './due-queries.ts'
export { nameOfCopy } from './copy-name.ts'
export {
  changeOwnMember,
  confirmOwnAddress,
  findSignIn,
  getMember,
  getOwner,
  holdMember,
  moveSignIn,
  presentMember,
  setMemberLanguage,
  setPasswordHash,
} from './member.ts'
export {
  createMerchant,
  getMerchant,
  type NewMerchant,
  presentPlan,
  refuseUnlessIncluded,
  setOwnMailer,
  setCurrency,
  storeCurrencyAgreement,
  setPlan,
} from './merchant.ts'
export { keepCurrency } from './currency.ts'
export { lockCurrency } from './currency-queries.ts'
export { senderDomainIsPublic } from './public-mail-domains.ts'
export {
  findMemberRow as findMember,
  hasAccounts,
  isFirstMerchant,
  listMembers,
  type MemberRow,
  type MerchantRow,
} from './queries.ts'
export { merchantRoutes } from './routes.ts'
export { type Sender, senderOf } from './sender.ts'
export { isOpening, nextAllowedTime } from './sending-hours.ts'
export { changeSettings } from './settings.ts'
