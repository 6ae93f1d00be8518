import { type CampaignChannels, channelsOf } from '@okaeri/contract/campaigns/campaign'
import type { Condition, FieldName, Group } from '@okaeri/contract/segments/condition'
import { leafOf, newGroup } from '../../segments/editor/condition-tree.ts'

export type Response = 'received' | 'opened' | 'clicked' | 'notOpened' | 'notClicked'

/** LINE does not say who opened a message. Where some of it went by LINE, who got it at all is the question instead. */
export const responsesOf = (channels: CampaignChannels): readonly Response[] =>
  channels === 'email' ? ['opened', 'clicked', 'notOpened', 'notClicked'] : ['received', 'clicked', 'notClicked']

const fields = {
  received: { email: 'emails_received', line: 'line_received' },
  clicked: { email: 'emails_clicked', line: 'line_clicked' },
} as const

/** Recipients of the campaign by any of its channels who opened or clicked it, or did not: as conditions the editor can change. */
export function responseConditions(
  { id, channels }: { id: string; channels: CampaignChannels },
  response: Response,
): Group {
  const asked = (category: string, name: FieldName, none: boolean): Condition =>
    leafOf(category, name, none ? 'at_most' : 'at_least', { value: none ? 0 : 1, campaigns: [id], window: null })
  const those = (what: keyof typeof fields, none = false): Condition[] =>
    channelsOf(channels).map((channel) => asked(channel === 'email' ? 'emails' : 'line', fields[what][channel], none))
  const any = (conditions: Condition[]): Condition[] =>
    conditions.length > 1 ? [{ ...newGroup(conditions), operator: 'or' }] : conditions
  switch (response) {
    case 'received':
      return newGroup(any(those('received')))
    case 'clicked':
      return newGroup(any(those('clicked')))
    case 'opened':
      return newGroup([asked('emails', 'emails_opened', false)])
    // Customers who never got it have not opened or clicked it either, but are not meant.
    case 'notOpened':
      return newGroup([...any(those('received')), asked('emails', 'emails_opened', true)])
    case 'notClicked':
      return newGroup([...any(those('received')), ...those('clicked', true)])
  }
}
