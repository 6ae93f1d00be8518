import type { Condition } from '@okaeri/contract/segments/condition'
import { createSegment, getSegment } from '@okaeri/contract/segments/routes'
import type { Segment } from '@okaeri/contract/segments/segment'
import { granted } from '../scenarios.ts'
import type { TestMerchant } from '../harness.ts'

/** Not yet counted; of those who gave permission, where nothing else is asked. */
export const aSegment = async (
  merchant: TestMerchant,
  conditions: Condition = granted,
  name?: string,
): Promise<Segment> =>
  (await merchant.call(createSegment, { body: { conditions, ...(name !== undefined && { name }) } })).customer_segment

export const segmentOf = async (merchant: TestMerchant, id: string): Promise<Segment> =>
  (await merchant.call(getSegment, { params: { id } })).customer_segment
