import { textsWithTags } from '@okaeri/contract/line-messages/texts'
import { toLocale } from '@okaeri/contract/locale'
import { classifyLineAnswer, LineError, type LineMessage, type LineOutcome } from '../../../integrations/line/index.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { metafieldPathsOf, storeUrlOf } from '../../email-rendering/index.ts'
import {
  type Answer,
  type ComposedBatch,
  type Composer,
  type Connection,
  type FilledRow,
  isRedirected,
  type Outgoing,
  type WithheldAnswer,
} from '../../deliveries/index.ts'
import { findLineAccount, getLineToken, markLineTrouble } from '../../line-accounts/index.ts'
import { chatLinks } from '../../line-login/index.ts'
import { type LineTemplate, openLineTemplate } from '../../line-messages/index.ts'
import { senderOf } from '../../merchants/index.ts'
import { createFilling } from '../filling.ts'
import { type Shared, sharedData, withMetafields } from '../recipient.ts'
import { findFrozenLine } from './content-queries.ts'
import { type FilledLine, makeMessages } from './filling.ts'
import { nameRecipient } from './intended-recipient.ts'
import { isOfContent, judge } from './outcome.ts'
import { connectionsOf, slowDown, speedUp } from './pace.ts'
import { isUnitRefused } from './unit.ts'
import { testLine } from './words.ts'

/** What a multicast takes (limits.json). */
const MOST_PEOPLE = 500

/** One hand-over: to one person, or the same to several. */
interface LineBatch extends ComposedBatch {
  to: readonly string[]
  /** As JSON. */
  messages: string
  retryKey: string
  unit: string | null
  /** What lists show of it, where it is not the same for all. */
  words: string | null
}
interface LineTaken extends Answer {
  kind: 'answered'
  outcome: LineOutcome
}

/** A message's content, open for this time slice. */
interface OpenLine extends Shared {
  template: LineTemplate
  /** As JSON, where it is equal for all. */
  messages: string
  /** The channel's token, asked for once and again when it is refused. */
  token: (refused?: string) => Promise<string>
  account: { inTrouble: boolean }
  connections: number
  /** The name the platform counts it under; null: it does not. */
  unit: string | null
  /** Where a recipient links their account. */
  linkOf: (lineUserId: string) => string
}

export async function openLine(outgoing: Outgoing): Promise<Composer<FilledRow | FilledLine, LineBatch, LineTaken>> {
  const { scope, merchant, message } = outgoing
  const { context, merchantId } = scope
  const content = await findFrozenLine(scope, message.id)
  if (!content) throw new Error(`message ${message.id} has no content`)
  const connections = connectionsOf(context, merchantId)
  speedUp(context, merchantId)
  const account = { inTrouble: ((await findLineAccount(scope))?.trouble ?? null) !== null }
  const language = toLocale(merchant.language)
  const { name, email } = senderOf({ from_email: null, from_name: null }, merchant)
  const shared = sharedData(merchant, { name, email }, await storeUrlOf(scope))
  const templates = textsWithTags(content.messages).map(({ text }) => text)
  const open: OpenLine = {
    outgoing,
    language,
    shared,
    linkBase: scope.context.settings.publicUrl,
    template: await openLineTemplate(scope, content),
    messages: JSON.stringify(content.messages),
    token: tokenOf(scope),
    account,
    connections,
    unit: content.unit,
    linkOf: templates.some((text) => text.includes('line')) ? await chatLinks(scope) : () => '',
  }
  const paths = await metafieldPathsOf(scope, templates, 'work')
  return {
    batchSize: content.is_personal ? 1 : MOST_PEOPLE,
    fixesBatches: !content.is_personal,
    pace: null,
    enrich: (scope, rows) => withMetafields(scope, rows, { paths, locale: language }),
    fill: content.is_personal ? createFilling((rows) => makeMessages(open, rows)) : null,
    acquireConnection: () => acquireConnection(open),
  }
}

/** Connections that are refused at the same time ask for one new token together. */
function tokenOf(scope: MerchantScope): OpenLine['token'] {
  let known: Promise<string> | null = null
  let renewing: { refused: string; token: Promise<string> } | null = null
  return (refused) => {
    if (refused === undefined) return (known ??= getLineToken(scope))
    if (renewing?.refused !== refused) renewing = { refused, token: getLineToken(scope, refused) }
    known = renewing.token
    return known
  }
}

function acquireConnection(open: OpenLine): Connection<FilledRow | FilledLine, LineBatch, LineTaken> {
  const { scope } = open.outgoing
  return {
    compose: (people) => compose(open, people),
    async handOver(batch, mayTransmit, upcoming): Promise<LineTaken | WithheldAnswer> {
      const token = await open.token().catch(asOutcome)
      if (typeof token !== 'string') return { kind: 'answered', outcome: token }
      if (!mayTransmit()) return { kind: 'withheld' }
      const sent = send(open, batch, token)
      upcoming()
      const outcome = await sent
      await noteTrouble(open, outcome)
      if (outcome.kind === 'rate_limited') slowDown(scope.context, scope.merchantId, open.connections)
      return { kind: 'answered', outcome }
    },
    judge({ outcome }, { rows, words }, now) {
      const { results, pause } = judge(outcome, rows, now)
      return { results: results.map((result) => ({ ...result, filledSubject: words })), pause }
    },
    close: () => undefined,
  }
}

/** A channel that takes nothing is shown as such, until it takes something. */
async function noteTrouble({ outgoing, account }: OpenLine, outcome: LineOutcome): Promise<void> {
  const { scope } = outgoing
  if (outcome.kind === 'unauthorized') await markLineTrouble(scope, 'unauthorized')
  else if (outcome.kind === 'refused' && outcome.status === 403) await markLineTrouble(scope, 'refused')
  else if (outcome.kind === 'accepted' && account.inTrouble) {
    account.inTrouble = false
    await markLineTrouble(scope, null)
  }
}

function compose(open: OpenLine, people: readonly (FilledRow | FilledLine)[]): LineBatch | null {
  const [first] = people
  if (!first) return null
  const { row } = first
  const { messages, words } = 'messages' in first ? first : { messages: open.messages, words: null }
  const { outgoing, language } = open
  const { testAddresses } = outgoing
  const rows = people.map(({ row }) => row)
  const batch = { rows, words, retryKey: row.batch_id ?? row.id, unit: open.unit }
  if (!isRedirected(row, outgoing, testAddresses)) return { ...batch, to: rows.map(({ address }) => address), messages }
  const intended = testLine(language, row.display_name || row.address)
  const named = nameRecipient(JSON.parse(messages) as LineMessage[], intended)
  return { ...batch, to: testAddresses, messages: JSON.stringify(named) }
}

/**
 * Once; and again, under the same key, where the token was refused and there is a newer one, or where the month has no unit left to count it
 * under. A refused call leaves the key free.
 */
async function send(open: OpenLine, batch: LineBatch, given: string): Promise<LineOutcome> {
  let token = given
  let outcome = await handTo(open, batch, token)
  if (outcome.kind === 'unauthorized') {
    const renewed = await open.token(token).catch(asOutcome)
    if (typeof renewed !== 'string') return renewed
    token = renewed
    outcome = await handTo(open, batch, token)
  }
  if (outcome.kind !== 'bad_request' || isOfContent(outcome.problems)) return outcome
  if (batch.unit !== null) {
    const refused = await isUnitRefused(open.outgoing.scope, open.outgoing.message.id, token)
    if (typeof refused !== 'boolean') return refused
    if (refused) {
      open.unit = null
      return send(open, { ...batch, unit: null }, token)
    }
  }
  if (batch.to.length === 1) return outcome
  return { ...outcome, problems: await problemsOf(open, batch, token) }
}

async function handTo(
  { outgoing }: OpenLine,
  { to, messages, retryKey, unit }: LineBatch,
  token: string,
): Promise<LineOutcome> {
  const line = outgoing.scope.context.integrations.line.messages
  const [one = '', ...others] = to
  const what = { messages, retryKey, ...(unit !== null && { unit }) }
  return classifyLineAnswer(
    others.length === 0 ? await line.push(token, one, what) : await line.multicast(token, to, what),
  )
}

/** Whether the content is at fault, so that no smaller batch would do better. Where that is unknown, the recipients are looked at. */
async function problemsOf({ outgoing }: OpenLine, { messages }: LineBatch, token: string) {
  try {
    return await outgoing.scope.context.integrations.line.messages.validate(
      token,
      JSON.parse(messages) as LineMessage[],
    )
  } catch (error) {
    if (error instanceof LineError) return []
    throw error
  }
}

/** No token, so nothing was handed over. */
function asOutcome(error: unknown): LineOutcome {
  if (error instanceof AppError && error.reason === 'line_not_connected')
    return { kind: 'unauthorized', message: error.message }
  if (error instanceof LineError) return { kind: 'unreachable', detail: error.message }
  throw error
}
