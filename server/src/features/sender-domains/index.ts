export { findDkimKey, findSenderStanding, reencryptDkimKeys, senderDomainStatus } from './domain.ts'
export { senderDomainRoutes } from './routes.ts'
export { senderDomainWork } from './schedule.ts'
export { mailDomainWarning } from './warning.ts'
