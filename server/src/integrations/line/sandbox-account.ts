import { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { IntegrationError } from '../../kernel/errors.ts'

const Accounts = z.object({
  data: z.array(
    z.object({
      channel_id: z.string(),
      channel_secret: z.string(),
      login_channel_id: z.string(),
      login_channel_secret: z.string(),
    }),
  ),
})
export type SandboxLineAccount = z.infer<typeof Accounts>['data'][number]

/** What its owner would read in the console of the sandbox's first account. Throws when the real platform is outside. */
export async function findSandboxLineAccount(context: Context): Promise<SandboxLineAccount | null> {
  const { sandboxUrl } = context.settings
  if (!sandboxUrl) throw new IntegrationError('line', false, 'nobody shows their secrets outside the sandbox')
  try {
    const response = await fetch(`${sandboxUrl}/line/accounts.json`)
    return Accounts.parse(await response.json()).data[0] ?? null
  } catch (error) {
    throw new IntegrationError('line', true, 'unreachable', { cause: error })
  }
}
