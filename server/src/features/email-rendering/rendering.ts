import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { OverBudget } from '../../kernel/work/threads.ts'
import type { ExaminedMail } from './checks/examination.ts'
import { brokenDetail, finding, findingOf } from './checks/finding.ts'
import { failureOf, TemplateError } from './checks/template-error.ts'
import type { RenderingCalls } from './thread.ts'

/** What the process's threads run. */
export const renderingThread = new URL('./thread.ts', import.meta.url)

type Scope = Pick<MerchantScope, 'context' | 'merchantId'>
type Argument<Name extends keyof RenderingCalls> = Parameters<RenderingCalls[Name]>[0]
type Answer<Name extends keyof RenderingCalls> = Awaited<ReturnType<RenderingCalls[Name]>>

const call =
  <Name extends keyof RenderingCalls>(name: Name, kind: 'asked' | 'work') =>
  async (scope: Scope, argument: Argument<Name>): Promise<Answer<Name>> => {
    try {
      return await scope.context.threads.run<Answer<Name>>(name, argument, { owner: scope.merchantId, kind })
    } catch (error) {
      if (!(error instanceof OverBudget)) throw error
      throw new TemplateError(error.message, 1, 'too_costly', { cause: error })
    }
  }

// Each throws a TemplateError when what was written takes more than one mail may.
const examine = call('examineMail', 'asked')
const kept = call('renderKept', 'asked')
const variables = { asked: call('variables', 'asked'), work: call('variables', 'work') }
const used = call('variablesUsed', 'work')
const needed = call('eventFieldsNeeded', 'asked')
export const prepareContent = call('prepareContent', 'work')
export const compileDesign = call('compileDesign', 'asked')
/** Throws where it takes too much. */
export const closedTexts = call('closedTexts', 'asked')
export const compileMail = call('compileMail', 'work')
export const fillMails = call('fillMails', 'work')
export const makeCards = call('makeCards', 'work')
export const fillTexts = call('fillTexts', 'work')
const plain = call('plainTexts', 'work')
export const examineTexts = call('examineTexts', 'asked')
export const textsOfHtml = call('textsOfHtml', 'asked')

/** A mail that is too costly is reported as such: nothing more is known. */
const unlessTooCostly = async <T>(run: Promise<T>, instead: (error: TemplateError) => T): Promise<T> => {
  try {
    return await run
  } catch (error) {
    if (error instanceof TemplateError) return instead(error)
    throw error
  }
}

export const examineMail = (scope: MerchantScope, mail: Argument<'examineMail'>): Promise<ExaminedMail> =>
  unlessTooCostly(examine(scope, mail), (error) => ({
    subject: '',
    preheader: '',
    html: '',
    text: '',
    links: [],
    addresses: [],
    sizeBytes: Buffer.byteLength(mail.content),
    findings: [finding(findingOf[error.fault], brokenDetail(error))],
    refusal: { ...failureOf(error), field: 'content' },
  }))
export const renderKept = (scope: MerchantScope, mail: Argument<'renderKept'>): Promise<Answer<'renderKept'>> =>
  unlessTooCostly(kept(scope, mail), () => ({ subject: '', html: '' }))

/** See `texts.ts`. */
export const plainTexts = (scope: Scope, sources: readonly string[]): Promise<Answer<'plainTexts'>> =>
  unlessTooCostly(plain(scope, sources), () => null)

/** Asked only of templates in which the word stands: most mails cost no call. */
const ofThose = (templates: readonly string[], word: RegExp): string[] => templates.filter((one) => word.test(one))
const SCENARIO = /event|coupon/i

/** The variables that templates in which `word` stands read, each as its path (`customer.name`); none of a broken one. */
export async function variablesOf(
  scope: MerchantScope,
  templates: readonly string[],
  { word, kind }: { word: RegExp; kind: 'asked' | 'work' },
): Promise<string[][]> {
  const some = ofThose(templates, word)
  return some.length === 0 ? [] : unlessTooCostly(variables[kind](scope, some), () => [])
}
/** Which of the variables only scenarios know are written in these templates. */
export async function variablesUsed(
  scope: MerchantScope,
  templates: readonly string[],
): Promise<{ event: boolean; coupon: boolean }> {
  const none = { event: false, coupon: false }
  const some = ofThose(templates, SCENARIO)
  return some.length === 0 ? none : unlessTooCostly(used(scope, some), () => none)
}
/** See `variables-used.ts`. */
export async function eventFieldsNeeded(
  scope: MerchantScope,
  templates: readonly string[],
): Promise<Answer<'eventFieldsNeeded'>> {
  const some = ofThose(templates, SCENARIO)
  return some.length === 0 ? new Set() : unlessTooCostly(needed(scope, some), () => new Set())
}
