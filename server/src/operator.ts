import net from 'node:net'
import { EmailAddress } from '@okaeri/contract/fields'
import { PlanCode } from '@okaeri/contract/merchants/merchant'
import { readShopDomain } from '@okaeri/contract/store/shop-domain'
import { type Config, readConfig } from './app/config.ts'
import { releaseSending, reportHold } from './app/sending-hold.ts'
import { startProcess } from './app/process.ts'
import { confirmEverywhere, findSignIn, listMembers, setPlan } from './features/merchants/index.ts'
import { makeInvitation, setPasswordOf } from './features/sessions/index.ts'
import { reencryptMailerPasswords } from './features/own-mailers/index.ts'
import { reencryptDkimKeys } from './features/sender-domains/index.ts'
import { reencryptLineSecrets } from './features/line-accounts/index.ts'
import { findMerchantByShop, markUnderReview, reencryptStoreTokens } from './features/stores/index.ts'
import type { Context } from './kernel/context.ts'
import { explainDatabase } from './kernel/database/database-reach.ts'
import { StartupError } from './kernel/errors.ts'
import { randomToken } from './kernel/keyring.ts'
import { type MerchantScope, merchantScope } from './kernel/merchant-scope.ts'
import { distribute } from './kernel/database/migrate.ts'
import { addEncryptionKey } from './kernel/secrets-file.ts'

const HELP = `npm run operator -- <command>

  reset-password <email>                  sets a new random password and prints it; needs no mail
  confirm-email <email>                   confirms an address wherever it waits (account, sender, tests); needs no mail
  set-plan <email|shop> <plan> [--trial]  plan: ${PlanCode.options.join(', ')}
  set-review <email|shop> on|off          whether the store is under review (test mode then stays)
  invite <email>                          prints a link to sign up with, good for a week (SIGN_UP=invite)
  members                                 who signs in, and to what
  sending                                 whether sending is on hold after a restore, and who is concerned
  release-sending --known|--uncertain     sending goes on: those known to have been sent something, or all not yet sent, are uncertain
                                          --without-stores: also where it is not known who opted out in the store meanwhile
  distribute                              spreads the merchants over the nodes of a Citus cluster. Stop Okaeri first
  rotate-secrets                          a new encryption key; stored tokens are encrypted anew. Stop Okaeri first
  help

Uses DATABASE_URL, or the embedded database of DATA_DIR, whether or not Okaeri is running.`

type Command = (context: Context, given: string[]) => Promise<string>

const commands: Record<string, Command> = {
  async 'reset-password'(context, [email]) {
    const password = randomToken(12)
    const member = await setPasswordOf(context, need(email, 'reset-password <email>'), password)
    if (!member) throw new StartupError(`Nobody signs in by ${email}; see "npm run operator -- members".`)
    return `${member.email} now signs in with: ${password}\nAll its sessions have ended.`
  },

  async 'confirm-email'(context, [given]) {
    const email = need(given, 'confirm-email <email>')
    const confirmed = await confirmEverywhere(context, email)
    if (confirmed.length === 0) return `Nothing waits for ${email} to be confirmed.`
    return confirmed.map(({ site_name, purpose }) => `${email} is confirmed: ${purpose} of ${site_name}`).join('\n')
  },

  async invite(context, [given]) {
    const email = EmailAddress.safeParse(given)
    if (!email.success) throw new StartupError('Usage: invite <email>')
    if (await findSignIn(context, email.data)) throw new StartupError(`${email.data} signs in already.`)
    return `Whoever opens this link within a week can sign up as ${email.data}:\n${makeInvitation(context, email.data)}`
  },

  async 'set-plan'(context, given) {
    const usage = 'set-plan <email|shop> <plan> [--trial]'
    const [who, code] = given.filter((word) => !word.startsWith('--'))
    const plan = PlanCode.safeParse(code)
    if (!plan.success) throw new StartupError(`Usage: ${usage}; plan is one of ${PlanCode.options.join(', ')}.`)
    const trial = given.includes('--trial')
    await setPlan(await getScope(context, need(who, usage)), plan.data, { trial })
    return `${who} is on the ${plan.data} plan${trial && plan.data !== 'test' ? ', in its trial' : ''}.`
  },

  async 'set-review'(context, [who, state]) {
    const usage = 'set-review <email|shop> on|off'
    if (state !== 'on' && state !== 'off') throw new StartupError(`Usage: ${usage}`)
    await markUnderReview(await getScope(context, need(who, usage)), state === 'on')
    return `The store of ${who} is ${state === 'on' ? '' : 'not '}under review.`
  },

  async members(context) {
    const members = await listMembers(context)
    if (members.length === 0) return 'There are no members yet.'
    return members
      .map(({ email, role, site_name, plan, test_mode, signs_in }) =>
        [email, role, site_name, plan, test_mode ? 'test mode' : 'live', signs_in ? '' : '(through the store only)']
          .filter((part) => part !== '')
          .join('  '),
      )
      .join('\n')
  },

  sending: (context) => reportHold(context),

  async 'release-sending'(context, given) {
    const [which, more] = given
    if ((which !== '--known' && which !== '--uncertain') || (more !== undefined && more !== '--without-stores'))
      throw new StartupError(
        'Usage: release-sending --known|--uncertain [--without-stores]; see "npm run operator -- sending".',
      )
    return releaseSending(context, { uncertain: which === '--uncertain', needsStores: more === undefined })
  },

  async 'rotate-secrets'(context) {
    const [stores, accounts] = [await reencryptStoreTokens(context), await reencryptLineSecrets(context)]
    const [keys, mailers] = [await reencryptDkimKeys(context), await reencryptMailerPasswords(context)]
    return `A new key encrypts from now on; the tokens of ${stores} store(s), the secrets of ${accounts} LINE account(s), ${mailers} mail account(s) and ${keys} DKIM key(s) were encrypted anew.`
  },
}

function need(value: string | undefined, usage: string): string {
  if (!value) throw new StartupError(`Usage: ${usage}`)
  return value
}

async function getScope(context: Context, who: string): Promise<MerchantScope> {
  const shop = who.includes('@') ? null : readShopDomain(who)
  const merchantId = shop ? await findMerchantByShop(context, shop) : (await findSignIn(context, who))?.merchant_id
  if (!merchantId) throw new StartupError(`No merchant is known by ${who}; see "npm run operator -- members".`)
  return merchantScope(context, merchantId)
}

/** A running process holds the keys it started with and could not read what the new one encrypts. */
async function refuseWhileRunning({ host, port }: Config): Promise<void> {
  const answers = await new Promise<boolean>((resolve) => {
    const socket = net.connect(port, host)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
  if (answers) throw new StartupError(`Something answers on port ${port}: stop Okaeri (and its workers) first.`)
}

/** Not as a process of Okaeri, which would read what is being moved. */
async function distributeMerchants({ databaseUrl }: Config): Promise<string> {
  if (!databaseUrl)
    throw new StartupError('The embedded database is one node: set DATABASE_URL to the coordinator of a Citus cluster.')
  const tables = await distribute(databaseUrl).catch((error: unknown) => {
    throw explainDatabase(error, databaseUrl)
  })
  if (tables.length === 0) return 'Every table is distributed already.'
  return `${tables.length} table(s) are distributed now: ${tables.join(', ')}.`
}

async function operate([name = 'help', ...given]: string[]): Promise<string> {
  if (name === 'help' || name === '--help') return HELP
  const command = commands[name]
  if (!command && name !== 'distribute') throw new StartupError(`There is no command "${name}".\n\n${HELP}`)
  const config = readConfig({ LOG_LEVEL: 'error', ...process.env })
  if (!command) return distributeMerchants(config)
  if (name === 'rotate-secrets') {
    await refuseWhileRunning(config)
    addEncryptionKey(config.secretsFile)
  }
  const okaeri = await startProcess({ ...config, roles: { api: false, worker: false } })
  try {
    return await command(okaeri.context, given)
  } finally {
    await okaeri.stop()
  }
}

try {
  console.log(await operate(process.argv.slice(2)))
  process.exit(0)
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  console.error(error.message)
  process.exit(1)
}
