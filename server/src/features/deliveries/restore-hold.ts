import type { SendingHold } from '@okaeri/contract/merchants/merchant'
import type { Context } from '../../kernel/context.ts'
import { eachMerchantWithDue } from '../../kernel/work/due-merchants.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { keptJournals } from './due-queries.ts'
import { countUnrecorded, type SendingHoldCause, listSilentWorkers, readHold } from './transmit-log/witness-queries.ts'

/** People of a campaign or scenario who were sent it according to the files, but not according to the database. */
export interface UnrecordedPeople {
  scope: MerchantScope
  /** Null: tests of an email. */
  programId: string | null
  people: number
  /** Of these messages, how many wait here: they become uncertain. */
  waiting: number
}
export interface Hold {
  since: Date
  because: SendingHoldCause
  unrecorded: UnrecordedPeople[]
  /** Workers whose files were not compared since the hold: host and data folder. */
  silent: string[]
}

/** Why nothing is sent, and who is known to have got mails without a record; null while sending is not on hold. */
export async function describeHold(context: Context): Promise<Hold | null> {
  const hold = await readHold(context)
  if (!hold) return null
  const unrecorded: UnrecordedPeople[] = []
  const silent = new Set<string>()
  await eachMerchantWithDue(context, keptJournals, null, async (scope) => {
    for (const { program_id: programId, people, waiting } of await countUnrecorded(scope))
      unrecorded.push({ scope, programId, people, waiting })
    for (const worker of await listSilentWorkers(scope)) silent.add(worker)
    return true
  })
  return { ...hold, unrecorded, silent: [...silent] }
}

/** What every page of a merchant says of it. */
export async function presentHold(scope: MerchantScope): Promise<SendingHold | null> {
  const hold = await readHold(scope)
  return hold && { since: hold.since.toISOString(), because: hold.because }
}
