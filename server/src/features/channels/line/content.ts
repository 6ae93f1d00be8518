import type { LineMessage } from '../../../integrations/line/index.ts'
import type { PreparedContent, Tracking } from '../../deliveries/index.ts'
import { insertLine } from './content-queries.ts'

/** What is to be sent by LINE: one to five messages as the platform takes them. */
export interface LineContent {
  /** What it was written in. */
  contentId: string
  messages: readonly LineMessage[]
  /** Addresses it leads to, in the order of their places. */
  links: string[]
  /** It says something of its own to each person. */
  isPersonal: boolean
}

export const prepareLine = (
  { contentId, messages, links, isPersonal }: LineContent,
  tracking: Tracking,
): PreparedContent => ({
  channel: 'line',
  contentId,
  tracking,
  links,
  insert: (scope, messageId) => insertLine(scope, messageId, { messages: [...messages], is_personal: isPersonal }),
})
