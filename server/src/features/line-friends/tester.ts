import { type LineFriend, MAX_TESTERS } from '@okaeri/contract/line-friends/friend'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { lockTesters, markTester, selectFriends, selectTesters } from './tester-queries.ts'

export const findFriends = async (scope: MerchantScope, q: string): Promise<{ friends: LineFriend[] }> => ({
  friends: await selectFriends(scope, q.trim()),
})

export const listTesters = async (scope: MerchantScope): Promise<{ testers: LineFriend[] }> => ({
  testers: await selectTesters(scope),
})

/** Said again, it changes nothing. */
export const addTester = (scope: MerchantScope, lineUserId: string): Promise<{ testers: LineFriend[] }> =>
  scope.transaction(async (scope) => {
    await lockTesters(scope)
    const others = (await selectTesters(scope)).filter((tester) => tester.line_user_id !== lineUserId)
    if (others.length >= MAX_TESTERS) throw conflict('too_many_testers', `there are ${others.length}`)
    if (!(await markTester(scope, lineUserId, true))) throw notFound('there is no such friend')
    return listTesters(scope)
  })

export async function removeTester(scope: MerchantScope, lineUserId: string): Promise<{ testers: LineFriend[] }> {
  await markTester(scope, lineUserId, false)
  return listTesters(scope)
}

/** Throws `invalid` at the place of each in the list who gets no test sends, or cannot. */
export async function refuseUnlessTesters(
  scope: MerchantScope,
  field: string,
  lineUserIds: readonly string[],
): Promise<void> {
  const testers = new Set(
    (await selectTesters(scope)).flatMap((tester) => (tester.is_friend ? [tester.line_user_id] : [])),
  )
  const wrong = lineUserIds.flatMap((id, at) => (testers.has(id) ? [] : [[`${field}.${at}`, 'not_a_tester'] as const]))
  if (wrong.length > 0) throw invalid(Object.fromEntries(wrong))
}
