export { findFeedbackKey, openOwnMailer, reencryptMailerPasswords } from './mailer.ts'
export { ownMailerRoutes } from './routes.ts'
