export { listenForBounces } from './inbound-port.ts'
export { readBounceMailbox } from './mailbox.ts'
export { bouncePersonalData } from './personal-data-queries.ts'
export { bounceRoutes } from './routes.ts'
