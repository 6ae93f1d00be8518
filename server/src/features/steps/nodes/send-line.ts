import type { NodeKind } from '../node-kind.ts'
import { sendsBy } from './sending.ts'

export const sendLine: NodeKind<'send_line'> = sendsBy('line')
