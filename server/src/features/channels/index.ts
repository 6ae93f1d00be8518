export { emailChannel } from './email/channel.ts'
export { type MailContent, prepareMail, sendTestMail } from './email/content.ts'
export { type FrozenMail, findFrozenMail } from './email/content-queries.ts'
export { senderOfMail } from './email/content-sql.ts'
