import type { Condition } from '@okaeri/contract/segments/condition'
import { changeSegment } from '@okaeri/contract/segments/routes'
import { MAX_CONDITION_BYTES, MAX_OWN_SEGMENTS } from '@okaeri/contract/segments/segment'
import { expect, test } from 'vitest'
import { merchant, withMerchants } from '../../../../test/with-okaeri.ts'
import { aSegment } from '../../../../test/builders/segment.ts'
import { newId } from '../../../kernel/ids.ts'
import { insertSegment } from '../queries.ts'

// Each changed customer is evaluated for all segments of a merchant.

withMerchants()

const group = (leaves: number, value: string): Condition => ({
  type: 'group',
  id: 'g',
  operator: 'or',
  children: Array.from({ length: leaves }, (_, n) => ({
    type: 'condition' as const,
    id: `r${n}`,
    category: 'customer',
    name: 'email',
    operator: 'contains',
    value,
  })),
})
const small = group(1, 'a')
const insert = (conditions: Condition): Promise<void> =>
  insertSegment(merchant.scope(), { id: newId(), name: 'x', conditions })
const create = (conditions: Condition) => aSegment(merchant, conditions)
const full = expect.objectContaining({ status: 409, reason: 'too_many_segments' })

test('the number of segments is limited, however many are created at once; existing ones can still be changed', async () => {
  for (let n = 2; n < MAX_OWN_SEGMENTS; n += 1) await insert(small)
  const answers = await Promise.allSettled([create(small), create(small), create(small), create(small)])
  const made = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  expect(made).toHaveLength(2)
  expect(answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))).toEqual([full, full])
  await merchant.call(changeSegment, { params: { id: made[0]?.id ?? '' }, body: { conditions: group(2, 'b') } })
})

test('the size of all their conditions together is limited, also when one is changed', async () => {
  const large = group(200, 'x'.repeat(900))
  const bytes = JSON.stringify(large).replace(/[,:]/g, '$& ').length
  for (let sum = 2 * bytes; sum < MAX_CONDITION_BYTES; sum += bytes) await insert(large)
  const segment = await create(small)
  await create(large)
  await expect(create(large)).rejects.toEqual(full)
  const change = merchant.call(changeSegment, { params: { id: segment.id }, body: { conditions: large } })
  await expect(change).rejects.toEqual(full)
})
