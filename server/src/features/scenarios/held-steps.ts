import { canaryLimit, problemsOf } from '@okaeri/contract/campaigns/canary'
import { lateBefore } from '@okaeri/contract/late'
import { type Locale, wordsIn } from '@okaeri/contract/locale'
import { EXECUTIONS_COUNTED_TO } from '@okaeri/contract/scenarios/scenario'
import type { HeldStep } from '@okaeri/contract/scenarios/step-circuit-breaker'
import { systemMessage } from '../../integrations/mail/system-message.ts'
import { conflict } from '../../kernel/errors.ts'
import type { Facts } from '../../kernel/facts.ts'
import { job } from '../../kernel/work/jobs.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { listHeldSteps, releaseStep } from '../deliveries/index.ts'
import { countWaitingAtSteps, wakeStep } from '../executions/index.ts'
import { getScenarioForUpdate, getScenarioRow } from '../flows/index.ts'
import { getOwner } from '../merchants/index.ts'

/** The steps of each scenario whose emails are held back. */
export async function heldStepsOf(scope: MerchantScope, ids: readonly string[]): Promise<Map<string, HeldStep[]>> {
  const rows = await listHeldSteps(scope, ids)
  const steps = rows.map(({ scenario_id, node_id }) => ({ scenarioId: scenario_id, nodeId: node_id }))
  const waiting = await countWaitingAtSteps(scope, steps, EXECUTIONS_COUNTED_TO)
  const found = new Map<string, HeldStep[]>()
  rows.forEach(({ scenario_id, node_id, held_since, result, pending }, at) => {
    const step = { node_id, since: held_since.toISOString(), result, waiting: pending + (waiting[at] ?? 0) }
    found.set(scenario_id, [...(found.get(scenario_id) ?? []), step])
  })
  return found
}

/** A member looked and lets the step go on: who waits there gets its email. Returns how many continue. */
export const releaseHeldStep = (scope: MerchantScope, scenarioId: string, nodeId: string): Promise<number> =>
  scope.transaction(async (scope) => {
    const { status } = await getScenarioForUpdate(scope, scenarioId)
    const step = { scenarioId, nodeId }
    const terms = { wantedFrom: lateBefore('scenario', scope.now), held: status !== 'active' }
    const [held] = (await listHeldSteps(scope, [scenarioId])).filter(({ node_id }) => node_id === nodeId)
    if (!(await releaseStep(scope, step, terms))) throw conflict('step_not_held', 'its emails are not held back')
    return (await wakeStep(scope, step)) + (held?.pending ?? 0)
  })

/** Reaction to `step.held`. */
export const warnOfHeldStep = (scope: MerchantScope, { scenarioId, nodeId }: Facts['step.held']): Promise<void> =>
  scope.context.jobs.later(scope, mailStepWarning, { scenarioId, nodeId, at: scope.now.toISOString() })

/** A mail to the owner, in their language. After a failure between sending and recording it, it comes twice. */
export const mailStepWarning = job<{ scenarioId: string; nodeId: string; at: string }>(
  'scenarios.mail_step_warning',
  ({ scenarioId, nodeId, at }) => `${scenarioId} ${nodeId} ${at}`,
  async (scope, { scenarioId, nodeId }) => {
    const { name } = await getScenarioRow(scope, scenarioId)
    const step = (await listHeldSteps(scope, [scenarioId])).find(({ node_id }) => node_id === nodeId)
    // A member decided already how it continues.
    if (!step) return
    const owner = await getOwner(scope)
    if (!owner.email_confirmed_at) return
    const link = `${scope.context.settings.publicUrl}/_app/actions/view/${scenarioId}`
    await scope.context.integrations.systemMail.send({
      to: owner.email,
      ...warningMail(owner.language, { name, result: step.result, link }),
    })
  },
)

function warningMail(
  language: Locale,
  { name, result, link }: { name: string; result: HeldStep['result']; link: string },
): ReturnType<typeof systemMessage> {
  const { subject, found, problem, advice, button } = wordsIn(mailWords(name, result.tried), language)
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  return systemMessage({
    language,
    subject,
    paragraphs: [
      [found],
      problemsOf(result).map((one) => `${problem[one]}: ${result[one]} (${percent.format(canaryLimit(one))})`),
      [advice],
    ],
    button: { text: button, link },
  })
}

const mailWords = (name: string, tried: number) => ({
  subject: {
    ja: `【Okaeri】シナリオ「${name}」のメールの配信を止めています`,
    en: `[Okaeri] Emails of the scenario “${name}” are held back`,
  },
  found: {
    ja: `シナリオ「${name}」のメールの直近の${tried}件で、次の数が目安（かっこ内）を超えました。このメールの配信を止めています。`,
    en: `Of the last ${tried} emails of a step of the scenario “${name}”, more than usual (in brackets) went wrong. This email is held back.`,
  },
  problem: {
    hard: { ja: '宛先不明', en: 'Address does not exist' },
    blocked: { ja: '受信側による拒否', en: 'Refused by the receiver' },
    complaints: { ja: '迷惑メールの報告', en: 'Complaints' },
    failed: { ja: '配信エラー', en: 'Failed' },
  },
  advice: {
    ja: '顧客はこのステップで待っています。参加条件や本文をご確認のうえ、配信を再開するか、シナリオを停止するかを、シナリオのページでお選びください。',
    en: 'Customers wait at this step. Please check who enters and what the email says. On the scenario’s page you choose whether to resume or to stop the scenario.',
  },
  button: { ja: 'シナリオを開く', en: 'Open the scenario' },
})
