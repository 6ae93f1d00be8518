import { mailerPorts, type OwnMailer, type OwnMailerInput } from '@okaeri/contract/own-mailers/mailer'
import type { FastifyReply } from 'fastify'
import type { Mailer, PlainMail } from '../../integrations/mail/mailer.ts'
import { readSendgridKey } from '../../integrations/bounces/sendgrid.ts'
import { SmtpConnectError, type SmtpServer } from '../../integrations/mail/smtp-session.ts'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import type { Context } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { countAttempt, type RateLimit } from '../../kernel/rate-limits.ts'
import {
  getMember,
  getMerchant,
  refuseUnlessAccountConfirmed,
  refuseUnlessIncluded,
  setOwnMailer,
} from '../merchants/index.ts'
import {
  deleteMailer,
  findMailerRow,
  listMerchantsWithMailers,
  markTested,
  type OwnMailerRow,
  writeMailer,
} from './queries.ts'
import { testTexts } from './texts.ts'

/** Each try connects to a server that a member named. */
const tries: RateLimit = { name: 'own_mailer_tries', max: 30, windowSeconds: 3600 }
const LONGEST_ANSWER = 300

interface Tried {
  result: 'success' | 'failure'
  answer: string
  own_mailer: OwnMailer | null
}

export async function presentOwnMailer(scope: MerchantScope): Promise<OwnMailer | null> {
  const row = await findMailerRow(scope)
  if (!row) return null
  const { id, password: _, tested_at: tested, ...fields } = row
  const { publicUrl, bounces } = scope.context.settings
  return {
    ...fields,
    in_use: (await getMerchant(scope)).own_mailer_id === id,
    tested_at: tested?.toISOString() ?? null,
    feedback_url: `${publicUrl}/webhooks/${row.kind === 'sendgrid' ? 'sendgrid' : 'ses'}/${scope.merchantId}`,
    can_return_to_us: bounces.domain !== null,
  }
}

/** Asked of the server before anything is stored, and outside any transaction: it may answer late. */
export async function setAccount(
  scope: MerchantScope,
  reply: FastifyReply,
  { input, memberId }: { input: OwnMailerInput; memberId: string },
): Promise<Tried> {
  await refuseUnlessIncluded(scope, 'mailer_choice')
  refuseBadServer(scope, input)
  const before = await findMailerRow(scope)
  const { keyring } = scope.context
  const kept = before?.host === input.host && before.username === input.username ? before.password : null
  const password = input.password ?? (kept && keyring.decrypt(kept))
  if (!password) throw invalid({ 'own_mailer.password': 'required' })
  const isSame =
    kept !== null &&
    password === keyring.decrypt(kept) &&
    before?.port === input.port &&
    before.security === input.security
  const { password: _, ...fields } = input
  // What customers' mail goes by the moment it is stored has to take a mail first, as the first account had to.
  const isTested = !isSame && before !== null && (await isUsed(scope, before))
  if (!isSame) {
    const mail = isTested ? await testMail(scope, memberId) : null
    await countAttempt(scope.context, reply, [[tries, scope.merchantId]])
    const failure = await tryOut(scope, serverOf(scope, { ...fields, password }), mail)
    if (failure) return { result: 'failure', answer: failure.answer, own_mailer: await presentOwnMailer(scope) }
  }
  await scope.transaction(async (scope) => {
    const now = await findMailerRow(scope, { lock: true })
    if ((now?.id ?? null) !== (before?.id ?? null)) throw conflict('own_mailer_changed_meanwhile')
    const id = isSame && before ? before.id : newId()
    await writeMailer(scope, {
      ...fields,
      id,
      password: isSame && kept ? kept : keyring.encrypt(password),
      tested_at: isTested ? scope.now : isSame && before ? before.tested_at : null,
    })
    if (!before || !(await isUsed(scope, before))) return
    // Another member began to use it meanwhile.
    if (!isSame && !isTested) throw conflict('own_mailer_changed_meanwhile')
    await setOwnMailer(scope, { id, connections: fields.connections })
  })
  return { result: 'success', answer: '', own_mailer: await presentOwnMailer(scope) }
}

const isUsed = async (scope: MerchantScope, { id }: OwnMailerRow): Promise<boolean> =>
  (await getMerchant(scope)).own_mailer_id === id

function refuseBadServer(
  { context }: MerchantScope,
  { kind, port, returns_to_us: returnsToUs, feedback_key: key }: OwnMailerInput,
): void {
  const { isLocalSandbox, bounces } = context.settings
  if (!isLocalSandbox && !mailerPorts.some((allowed) => allowed === port))
    throw invalid({ 'own_mailer.port': 'not_allowed' })
  // Services answer for their own return paths.
  if (returnsToUs && (kind !== 'smtp' || bounces.domain === null))
    throw invalid({ 'own_mailer.returns_to_us': 'not_allowed' })
  if (key === null) return
  const isKey =
    kind === 'ses' ? /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/.test(key) : readSendgridKey(key) !== null
  if (kind === 'smtp' || !isKey) throw invalid({ 'own_mailer.feedback_key': 'invalid' })
}

/** What went wrong; null when nothing did. */
async function tryOut(
  { context }: MerchantScope,
  server: SmtpServer,
  mail: PlainMail | null,
): Promise<{ answer: string } | null> {
  try {
    const outcome = await context.integrations.mailers.tryOut(server, mail)
    if (!outcome || outcome.kind === 'accepted') return null
    return {
      answer: ('reply' in outcome ? outcome.reply.text : 'detail' in outcome ? outcome.detail : '').slice(
        0,
        LONGEST_ANSWER,
      ),
    }
  } catch (error) {
    if (!(error instanceof SmtpConnectError)) throw error
    return { answer: (error.reply?.text ?? error.message).slice(0, LONGEST_ANSWER) }
  }
}

/** To the address the member signs in with, from the sender of the settings: as customers would get it. */
export async function sendTest(scope: MerchantScope, reply: FastifyReply, memberId: string): Promise<Tried> {
  const row = await findMailerRow(scope)
  if (!row) throw notFound('there is no own account')
  const mail = await testMail(scope, memberId)
  await countAttempt(scope.context, reply, [[tries, scope.merchantId]])
  const failure = await tryOut(scope, serverOf(scope, opened(scope, row)), mail)
  if (!failure) await markTested(scope, row.id)
  const own_mailer = await presentOwnMailer(scope)
  return failure
    ? { result: 'failure', answer: failure.answer, own_mailer }
    : { result: 'success', answer: mail.to, own_mailer }
}

async function testMail(scope: MerchantScope, memberId: string): Promise<PlainMail> {
  await refuseUnlessAccountConfirmed(scope)
  const [merchant, member] = await Promise.all([getMerchant(scope), getMember(scope, memberId)])
  if (merchant.sender_email === '') throw conflict('sender_unconfirmed')
  return {
    from: { name: merchant.sender_name, address: merchant.sender_email },
    to: member.email,
    ...testTexts[merchant.language],
  }
}

/** All mail goes this way from the next time slice on, or by the installation's mailer again. */
export function useAccount(scope: MerchantScope, inUse: boolean): Promise<OwnMailer | null> {
  return scope.transaction(async (scope) => {
    const row = await findMailerRow(scope, { lock: true })
    if (!row) throw notFound('there is no own account')
    if (inUse) {
      await refuseUnlessIncluded(scope, 'mailer_choice')
      if (!row.tested_at) throw conflict('own_mailer_untested')
    }
    await setOwnMailer(scope, inUse ? row : null)
    return presentOwnMailer(scope)
  })
}

export function forgetAccount(scope: MerchantScope): Promise<void> {
  return scope.transaction(async (scope) => {
    await setOwnMailer(scope, null)
    await deleteMailer(scope)
  })
}

/** The account the merchant sends by, ready to be sent with; null where another, or none, is stored by now. */
export async function openOwnMailer(
  scope: MerchantScope,
  id: string,
): Promise<{ mailer: Mailer; returnsToUs: boolean } | null> {
  const row = await findMailerRow(scope)
  if (row?.id !== id) return null
  const { connections, returns_to_us: returnsToUs } = row
  const server = serverOf(scope, opened(scope, row))
  return { mailer: scope.context.integrations.mailers.own(id, { server, connections }), returnsToUs }
}

/** By which notices of its service are believed; null where there is none. */
export async function findFeedbackKey(scope: MerchantScope, kind: 'ses' | 'sendgrid'): Promise<string | null> {
  const row = await findMailerRow(scope)
  return row?.kind === kind ? row.feedback_key : null
}

const opened = ({ context }: MerchantScope, row: OwnMailerRow): OwnMailerRow => ({
  ...row,
  password: context.keyring.decrypt(row.password),
})

const serverOf = (
  { context }: MerchantScope,
  {
    host,
    port,
    security,
    username,
    password,
  }: Pick<OwnMailerRow, 'host' | 'port' | 'security' | 'username' | 'password'>,
): SmtpServer => {
  const { isLocalSandbox } = context.settings
  return {
    host: host.replace(/^\[|\]$/g, ''),
    port,
    // The sandbox's mail server has no certificate.
    encryption: isLocalSandbox && security === 'starttls' ? 'offered' : security,
    verifies: !isLocalSandbox,
    user: { name: username, password },
    publicOnly: !isLocalSandbox,
  }
}

/** Encrypts again what an older key encrypted; returns how many passwords. */
export async function reencryptMailerPasswords(context: Context): Promise<number> {
  const { keyring } = context
  let changed = 0
  for (const merchantId of await listMerchantsWithMailers(context))
    await merchantScope(context, merchantId).transaction(async (scope) => {
      const row = await findMailerRow(scope, { lock: true })
      if (!row || !keyring.isStale(row.password)) return
      await writeMailer(scope, { ...row, password: keyring.encrypt(keyring.decrypt(row.password)) })
      changed += 1
    })
  return changed
}
