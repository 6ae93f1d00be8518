import { readBirthday } from '@okaeri/contract/metafields/birthday'
import { DateTime } from 'luxon'
import { invalid } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getMerchant } from '../merchants/index.ts'

/** Refuses a birthday in the future, in the merchant's zone, as files and metafields do. */
export async function refuseFutureBirthday(scope: MerchantScope, birthday: string | null | undefined): Promise<void> {
  if (!birthday) return
  const { timezone } = await getMerchant(scope)
  const today = DateTime.fromJSDate(scope.now, { zone: timezone }).toFormat('yyyy-MM-dd')
  if (readBirthday(birthday, today) === null) throw invalid({ birthday: 'not_a_date' })
}
