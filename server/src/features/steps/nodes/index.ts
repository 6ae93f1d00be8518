import type { NodeKindName } from '@okaeri/contract/scenarios/flow'
import type { NodeKind } from '../node-kind.ts'
import { addNote } from './add-note.ts'
import { branch } from './branch.ts'
import { callWebhook } from './call-webhook.ts'
import { end } from './end.ts'
import { issueCoupon } from './issue-coupon.ts'
import { randomSplit } from './random-split.ts'
import { sendEmail } from './send-email.ts'
import { tagCustomer } from './tag-customer.ts'
import { waitForEvent } from './wait-for-event.ts'
import { wait } from './wait.ts'

/** Every kind of node that can be run; a new one is a file beside this and a line here. */
const kinds: { readonly [K in NodeKindName]?: NodeKind<K> } = {
  send_email: sendEmail,
  issue_coupon: issueCoupon,
  wait,
  wait_for_event: waitForEvent,
  branch,
  random_split: randomSplit,
  tag_customer: tagCustomer,
  add_note: addNote,
  call_webhook: callWebhook,
  end,
}

export const findNodeKind = (kind: NodeKindName): NodeKind<NodeKindName> | null =>
  (kinds[kind] as NodeKind<NodeKindName> | undefined) ?? null
