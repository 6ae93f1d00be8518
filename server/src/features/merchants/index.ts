export { closeMerchant } from './closing-queries.ts'
export {
  findSignIn,
  getMember,
  getOwner,
  presentMember,
  setMemberLanguage,
  setPasswordHash,
} from './member.ts'
export { createMerchant, getMerchant, type NewMerchant, presentPlan, setPlan } from './merchant.ts'
export { senderDomainIsPublic } from './public-mail-domains.ts'
export { findMemberRow as findMember, listMembers, type MemberRow, type MerchantRow } from './queries.ts'
export { merchantRoutes } from './routes.ts'
export { nextAllowedTime } from './sending-hours.ts'
export { changeSettings } from './settings.ts'
