import { checkCondition } from '@okaeri/contract/segments/condition'
import { expect, test } from 'vitest'
import { responseConditions, responses } from './response-segment.ts'

const campaign = '0192aaaa-0000-7000-8000-000000000001'

test.each(responses)('a segment of who responded to a campaign (%s) is one the server takes', (response) => {
  expect(checkCondition(responseConditions(campaign, response))).toEqual({})
})

test('who did not open it is asked among those who got it', () => {
  expect(responseConditions(campaign, 'notOpened').children).toMatchObject([
    { name: 'emails_received', operator: 'at_least', value: { value: 1, campaigns: [campaign] } },
    { name: 'emails_opened', operator: 'at_most', value: { value: 0, campaigns: [campaign] } },
  ])
})
