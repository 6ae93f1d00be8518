import { addNote } from './add-note.ts'
import { branch } from './branch.ts'
import { callWebhook } from './call-webhook.ts'
import { end } from './end.ts'
import { issueCoupon } from './issue-coupon.ts'
import type { NodeRules } from './node-kind.ts'
import { randomSplit } from './random-split.ts'
import { sendEmail } from './send-email.ts'
import { sendLine } from './send-line.ts'
import { tagCustomer } from './tag-customer.ts'
import { waitForEvent } from './wait-for-event.ts'
import { waitForReaction } from './wait-for-reaction.ts'
import { wait } from './wait.ts'

/** In the order of the palette. */
export const nodeKinds = {
  send_email: sendEmail,
  send_line: sendLine,
  wait,
  wait_for_event: waitForEvent,
  wait_for_reaction: waitForReaction,
  branch,
  random_split: randomSplit,
  issue_coupon: issueCoupon,
  tag_customer: tagCustomer,
  add_note: addNote,
  call_webhook: callWebhook,
  end,
} as const

export type NodeKindName = keyof typeof nodeKinds
export const nodeKindNames = Object.keys(nodeKinds) as NodeKindName[]
export const nodeRules = (kind: NodeKindName): NodeRules<object> => nodeKinds[kind].rules
