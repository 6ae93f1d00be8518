import { NO_PARAMETERS } from '@okaeri/contract/campaigns/campaign'
import { composeLine, fieldOf, type LineJson } from '@okaeri/contract/line-messages/composing'
import { type FieldReason, fieldReasons } from '@okaeri/contract/errors'
import { asFlexReason, wrongFlexOf } from '@okaeri/contract/line-messages/flex-source'
import type { LineMessageContent } from '@okaeri/contract/line-messages/message'
import { PlatformMessage } from '@okaeri/contract/line-messages/platform'
import type { Finding } from '@okaeri/contract/emails/email'
import type { CheckedByLine } from '@okaeri/contract/line-messages/routes'
import { textsWithTags, withTexts } from '@okaeri/contract/line-messages/texts'
import { LineError, type LineProblem } from '../../integrations/line/index.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import {
  examineTexts,
  exampleData,
  exampleVariables,
  finding,
  findingOf,
  personalLink,
  TemplateError,
} from '../email-rendering/index.ts'
import { getLineToken } from '../line-accounts/index.ts'
import { getMerchant, senderOf } from '../merchants/index.ts'
import { numberLinks, placeLinks } from './links.ts'
import { exampleOfLine } from './preview.ts'

type Fields = Record<string, FieldReason>

/**
 * Throws for what LINE would not take from anyone, each problem at its field: by our own rules, then by LINE's where an account is connected.
 * LINE being away is no mistake of the merchant's. What only some recipients' data make too long is no mistake either.
 */
export async function examineLineMessage(scope: MerchantScope, content: LineMessageContent): Promise<CheckedByLine> {
  refuse(wrongFlexOf(content.messages))
  const composed = composeLine(content)
  const tagged = new Set(textsWithTags(composed).map(({ path }) => path.join('.')))
  const filled = await fillForSomeone(scope, composed, content)
  const problems = ownProblems(filled, content)
  refuse(fieldsOf(problems.filter(({ path }) => !tagged.has(path.join('.')))))
  return problems.length > 0 ? 'not_asked' : askLine(scope, filled, content)
}

/** What keeps a template from being filled in. It was looked at when it was saved, perhaps with another limit, or other data of the store. */
export async function findTemplateFault(scope: MerchantScope, content: LineMessageContent): Promise<Finding | null> {
  try {
    await fillForSomeone(scope, composeLine(content), content)
    return null
  } catch (error) {
    const code = error instanceof AppError && Object.values(findingOf).find((one) => one === error.reason)
    if (code) return finding(code, error.message)
    throw error
  }
}

function refuse(fields: Fields): void {
  if (Object.keys(fields).length > 0) throw invalid(fields, 'line_message_refused')
}

/** As someone invented would get it. Throws where a template cannot be read, or costs too much. */
async function fillForSomeone(
  scope: MerchantScope,
  composed: readonly LineJson[],
  content: LineMessageContent,
): Promise<LineJson[]> {
  const merchant = await getMerchant(scope)
  const { messages, links } = numberLinks(composed, { ...MARKS, isTracked: true })
  const tags = textsWithTags(messages)
  const sources = tags.map(({ text }) => text)
  const sender = senderOf({ from_email: null, from_name: null }, merchant)
  const data = {
    ...(await exampleData(scope, { templates: sources, customer: null, sender })),
    line: await exampleOfLine(scope),
  }
  const texts = await examined(scope, { sources, data })
  const someone = exampleVariables(merchant.language, data.store.url, scope.now)
  const filled = texts.map((one, at) => {
    if ('text' in one) return one.text
    const field = fieldOf(tags[at]?.path ?? [], content)
    const { fault, line, message } = one.failure
    throw new AppError('invalid', findingOf[fault], `${field}, line ${line}: ${message}`, {
      [field]: 'template_syntax',
    })
  })
  const linkTo = (position: number): string => personalLink(links[position] ?? '', someone)
  return withTexts(messages, filled, (text) => placeLinks(text, linkTo))
}
const MARKS = {
  trackingParameters: NO_PARAMETERS,
  contentId: 'preview',
  medium: 'line',
} as const

async function examined(scope: MerchantScope, given: Parameters<typeof examineTexts>[1]) {
  try {
    return given.sources.length === 0 ? [] : await examineTexts(scope, given)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    throw new AppError('invalid', 'template_too_costly', error.message, { messages: 'template_syntax' })
  }
}

interface Found {
  path: readonly (string | number)[]
  field: string
  reason: FieldReason
}
const ownProblems = (messages: readonly LineJson[], content: LineMessageContent): Found[] =>
  messages.flatMap((message, at) =>
    (PlatformMessage.safeParse(message).error?.issues ?? []).map((issue): Found => {
      const path = [at, ...(issue.path as (string | number)[])]
      return { path, field: fieldOf(path, content), reason: reasonIn(issue.message) }
    }),
  )
const reasonIn = (text: string): FieldReason => fieldReasons.find((reason) => reason === text) ?? 'invalid'
const fieldsOf = (problems: readonly Found[]): Fields =>
  Object.fromEntries(
    problems.map(({ field, reason }) => [field, field.endsWith('.json') ? asFlexReason(reason) : reason] as const),
  )

async function askLine(
  scope: MerchantScope,
  messages: readonly LineJson[],
  content: LineMessageContent,
): Promise<CheckedByLine> {
  try {
    const token = await getLineToken(scope)
    const problems = await scope.context.integrations.line.messages.validate(token, messages)
    if (problems.length === 0) return 'accepted'
    throw new AppError('invalid', 'line_message_refused', saidBy(problems), fieldsOfLine(problems, content))
  } catch (error) {
    if (error instanceof LineError) return 'away'
    if (error instanceof AppError && error.reason === 'line_not_connected') return 'not_connected'
    throw error
  }
}
const saidBy = (problems: readonly LineProblem[]): string =>
  problems.map(({ message, property }) => `${property ?? ''} ${message}`.trim()).join('; ')
/** `messages[0].template.columns[1].text`, as the platform names places. */
const fieldsOfLine = (problems: readonly LineProblem[], content: LineMessageContent): Fields =>
  Object.fromEntries(
    problems.map(({ property }) => {
      const [, ...path] = (property ?? '').split(/[.[\]]+/).filter(Boolean)
      return [path.length === 0 ? 'messages' : fieldOf(path, content), 'refused_by_line']
    }),
  )
