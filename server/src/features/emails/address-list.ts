import type { EmailAddressSeen } from '@okaeri/contract/emails/addresses'
import { notFound } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { askForAddresses } from '../link-checks/index.ts'
import { findEmailContent } from './component-expansion.ts'
import { targetsOfEmail } from './preview.ts'

interface Listed {
  addresses: EmailAddressSeen[]
  waiting: number
}

/** What the email as it is saved leads to, and what is known of that. */
export async function listAddresses(scope: MerchantScope, emailId: string): Promise<Listed> {
  return listed((await readEmail(scope, emailId)).presented)
}

/** Has it looked at; a worker does it. Throws `rate_limited`. */
export async function checkAddresses(
  scope: MerchantScope,
  emailId: string,
  { again }: { again: boolean },
): Promise<Listed> {
  const { toCheck } = await readEmail(scope, emailId)
  await askForAddresses(scope, toCheck, { again })
  return listAddresses(scope, emailId)
}

const listed = (addresses: EmailAddressSeen[]): Listed => ({
  addresses,
  waiting: addresses.filter(({ state }) => state === 'waits').length,
})

async function readEmail(scope: MerchantScope, id: string) {
  const email = await findEmailContent(scope, id)
  if (!email) throw notFound('there is no such email')
  return targetsOfEmail(scope, email)
}
