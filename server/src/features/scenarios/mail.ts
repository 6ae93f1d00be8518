import { conflict } from '../../kernel/errors.ts'
import type { Facts } from '../../kernel/facts.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { countUncertainOf, sendUncertainAgain, reopenMessage } from '../deliveries/index.ts'
import { findScenarioStatus, getScenarioForUpdate } from '../flows/index.ts'

/**
 * A member decided to resend the emails with an unknown outcome (customers may get them twice). Refused if the number has changed
 * since.
 */
export const resendUncertain = (scope: MerchantScope, id: string, seen: number): Promise<number> =>
  scope.transaction(async (scope) => {
    const { status } = await getScenarioForUpdate(scope, id)
    const count = await countUncertainOf(scope, id)
    if (count === 0) throw conflict('nothing_uncertain')
    if (count !== seen) throw conflict('people_changed', `there are ${count} now`)
    return sendUncertainAgain(scope, id, { held: status !== 'active' })
  })

/** Mails with an unknown outcome turned out to be unsent, so they wait again. */
export async function resumeKnownMail(
  scope: MerchantScope,
  { program, messageId }: Facts['deliveries.fate_known'],
): Promise<void> {
  const status = program?.kind === 'scenario' && (await findScenarioStatus(scope, program.id))
  if (!status || status === 'deleted') return
  await scope.transaction((scope) => reopenMessage(scope, messageId, { held: status !== 'active' }))
}
