export { checkComplaints, requestComplaintCheck, mailComplaintWarning } from './complaint-warning.ts'
export { countByReceivers, noteSent } from './counting.ts'
export { recentComplaints } from './deliverability.ts'
export { deliverabilityRoutes } from './routes.ts'
