import { beforeEach } from 'vitest'
import { connectLine, openLineAccount, type PlayedAccount } from './line-platform.ts'
import { EMPTY, eachWithMerchant, merchant, withSandbox } from './with-okaeri.ts'

/** The present merchant's official account. */
export let account: PlayedAccount

/** The tests of the file share one Okaeri; each of them has a merchant with an official account of its own in the sandbox, and no store. */
export function withLineAccounts(name: string): void {
  withSandbox({ seed: EMPTY })
  eachWithMerchant()
  beforeEach(async () => {
    account = await openLineAccount(name)
    await connectLine(merchant, account)
  })
}
