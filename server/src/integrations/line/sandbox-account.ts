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

const People = z.object({
  data: z.array(z.object({ user_id: z.string(), email: z.string().nullable(), friendship: z.string() })),
})

/** The friends among the sandbox's people and the addresses they have at the store: the real platform does not reveal addresses. */
export async function listSandboxLinePeople(context: Context): Promise<{ lineUserId: string; email: string | null }[]> {
  const { data } = await askSandbox(context, 'users.json?limit=1000', People)
  return data
    .filter(({ friendship }) => friendship === 'friend')
    .map(({ user_id, email }) => ({ lineUserId: user_id, email }))
}

/** What its owner would read in the console of the sandbox's first account. Throws when the real platform is outside. */
export async function findSandboxLineAccount(context: Context): Promise<SandboxLineAccount | null> {
  return (await askSandbox(context, 'accounts.json', Accounts)).data[0] ?? null
}

async function askSandbox<T>({ settings: { sandboxUrl } }: Context, what: string, shape: z.ZodType<T>): Promise<T> {
  if (!sandboxUrl) throw new IntegrationError('line', false, 'nobody shows this outside the sandbox')
  try {
    const response = await fetch(`${sandboxUrl}/line/${what}`)
    return shape.parse(await response.json())
  } catch (error) {
    throw new IntegrationError('line', true, 'unreachable', { cause: error })
  }
}
