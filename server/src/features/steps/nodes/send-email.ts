import type { NodeKind } from '../node-kind.ts'
import { sendsBy } from './sending.ts'

export const sendEmail: NodeKind<'send_email'> = sendsBy('email')
