import type { Group, Leaf } from '@okaeri/contract/segments/condition'

export const responses = ['opened', 'clicked', 'notOpened', 'notClicked'] as const
export type Response = (typeof responses)[number]

/** Who got the campaign and opened or clicked it, or did not: by conditions the editor knows, so that they can be changed there. */
export function responseConditions(campaignId: string, response: Response): Group {
  const mails = (name: 'emails_received' | 'emails_opened' | 'emails_clicked', none = false): Leaf => ({
    type: 'condition',
    id: name,
    category: 'emails',
    name,
    operator: none ? 'at_most' : 'at_least',
    value: { value: none ? 0 : 1, campaigns: [campaignId], window: null },
  })
  const did = response === 'opened' || response === 'notOpened' ? 'emails_opened' : 'emails_clicked'
  const none = response === 'notOpened' || response === 'notClicked'
  // Customers who never got it have not opened it either, but are not meant.
  const children = none ? [mails('emails_received'), mails(did, true)] : [mails(did)]
  return { type: 'group', id: 'response', operator: 'and', children }
}
