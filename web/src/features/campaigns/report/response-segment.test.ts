import { campaignChannels } from '@okaeri/contract/campaigns/campaign'
import { checkCondition } from '@okaeri/contract/segments/condition'
import { expect, test } from 'vitest'
import { responseConditions, responsesOf } from './response-segment.ts'

const id = '0192aaaa-0000-7000-8000-000000000001'
const cases = campaignChannels.flatMap((channels) =>
  responsesOf(channels).map((response) => [channels, response] as const),
)

test.each(cases)('a segment of who responded to a campaign (%s, %s) is one the server takes', (channels, response) => {
  expect(checkCondition(responseConditions({ id, channels }, response))).toEqual({})
})

test('who did not open it is asked among those who got it', () => {
  expect(responseConditions({ id, channels: 'email' }, 'notOpened').children).toMatchObject([
    { name: 'emails_received', operator: 'at_least', value: { value: 1, campaigns: [id] } },
    { name: 'emails_opened', operator: 'at_most', value: { value: 0, campaigns: [id] } },
  ])
})

test('of a campaign by LINE no openings are asked, and of two channels either will do', () => {
  expect(responsesOf('line')).toEqual(['received', 'clicked', 'notClicked'])
  expect(responseConditions({ id, channels: 'line' }, 'clicked').children).toMatchObject([
    { category: 'line', name: 'line_clicked', operator: 'at_least' },
  ])
  expect(responseConditions({ id, channels: 'line_else_email' }, 'notClicked').children).toMatchObject([
    { operator: 'or', children: [{ name: 'line_received' }, { name: 'emails_received' }] },
    { name: 'line_clicked', operator: 'at_most', value: { value: 0 } },
    { name: 'emails_clicked', operator: 'at_most', value: { value: 0 } },
  ])
})
