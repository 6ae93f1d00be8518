import type { NodeKindName } from '@okaeri/contract/scenarios/node-kinds/index'
import type { ComponentType } from 'react'
import { AddNoteForm } from './add-note.tsx'
import { BranchForm } from './branch.tsx'
import { CallWebhookForm } from './call-webhook.tsx'
import { EndForm } from './end.tsx'
import { IssueCouponForm } from './issue-coupon.tsx'
import { RandomSplitForm } from './random-split.tsx'
import { SendEmailForm } from './send-email.tsx'
import { SendLineForm } from './send-line.tsx'
import { TagCustomerForm } from './tag-customer.tsx'
import { WaitForm } from './wait.tsx'
import { WaitForEventForm } from './wait-for-event.tsx'
import { WaitForReactionForm } from './wait-for-reaction.tsx'
import type { NodeFormProps } from './node-form.ts'

const forms: { readonly [K in NodeKindName]: ComponentType<NodeFormProps<K>> } = {
  send_email: SendEmailForm,
  send_line: SendLineForm,
  wait: WaitForm,
  wait_for_event: WaitForEventForm,
  wait_for_reaction: WaitForReactionForm,
  branch: BranchForm,
  random_split: RandomSplitForm,
  issue_coupon: IssueCouponForm,
  tag_customer: TagCustomerForm,
  add_note: AddNoteForm,
  call_webhook: CallWebhookForm,
  end: EndForm,
}

/** The form of each kind. It accepts only nodes of that kind. */
export const nodeForms = forms as Readonly<Record<NodeKindName, ComponentType<NodeFormProps<NodeKindName>>>>
