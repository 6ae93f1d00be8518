import { Group, Text } from '@mantine/core'
import type { DeliveryView } from '@okaeri/contract/deliveries/delivery'
import type { Execution, ExecutionStep } from '@okaeri/contract/scenarios/execution'
import { EndReason, StepError } from '@okaeri/contract/scenarios/execution-status'
import { amountOf } from '@okaeri/contract/scenarios/flow/phrases'
import { nodeKindNames, nodeRules } from '@okaeri/contract/scenarios/node-kinds/index'
import { IconAlertTriangle, IconUser } from '@tabler/icons-react'
import { useFormat } from '../../../app/format.ts'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { paths } from '../../../app/paths.ts'
import { TextLink } from '../../../ui/links.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { deliveryTones, useReasonText } from '../../deliveries/delivery-words.ts'
import { stepTitle, takenPortText } from './execution-words.ts'
import { StepIcon } from '../flow-picture/step-icon.tsx'
import classes from './step-history.module.css'

/** The history of an execution, newest first; each run from the beginning separately. */
export function StepHistory({ execution }: { execution: Execution & { steps: readonly ExecutionStep[] } }) {
  const t = useWords('scenarios')
  const format = useFormat()
  const { steps, event } = execution
  const rounds = [...new Set(steps.map(({ round }) => round))]
  return (
    <>
      {rounds.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('execution.noSteps')}
        </Text>
      )}
      {rounds.map((round) => (
        <section key={round} aria-label={t('execution.roundTitle', { n: round })}>
          {rounds.length > 1 && (
            <Text size="sm" fw={600} mb="xs">
              {t('execution.roundTitle', { n: round })}
            </Text>
          )}
          <ol className={classes.steps}>
            {event && round === rounds[0] && (
              <li>
                <StepIcon event={event.kind} />
                <div>
                  <Text size="sm">{t('execution.entered')}</Text>
                  <Text size="xs" c="dimmed">
                    {format.dateTime(execution.created_at)}
                  </Text>
                </div>
              </li>
            )}
            {steps
              .filter((step) => step.round === round)
              .map((step, at) => (
                <Step key={`${at} ${step.at} ${step.node_id}`} step={step} />
              ))}
          </ol>
        </section>
      ))}
    </>
  )
}

const acts = ['paused', 'played', 'restarted', 'resolved', 'moved', 'late', 'version', 'renewed'] as const
type Act = (typeof acts)[number]
const isAct = (outcome: string): outcome is Act => (acts as readonly string[]).includes(outcome)

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

function Step({ step }: { step: ExecutionStep }) {
  const t = useWords('scenarios')
  const format = useFormat()
  const language = useLanguage()
  const said = useSaid(step)
  const { outcome } = step
  const ended = outcome === 'ended' ? EndReason.safeParse(step.detail?.reason) : null
  const until = text(step.detail?.until)
  // Until it is made, it is not the customer's yet.
  const code = outcome === 'asleep' ? null : text(step.detail?.code)
  return (
    <li data-outcome={outcome}>
      <StepIcon
        kind={isAct(outcome) || ended ? undefined : step.node_kind}
        icon={outcome === 'failed' ? IconAlertTriangle : isAct(outcome) ? IconUser : undefined}
      />
      <div>
        <Text size="sm">
          {isAct(outcome)
            ? outcome === 'moved' && until
              ? t('execution.movedTo', { time: format.dateTime(until) })
              : t(`execution.outcome.${outcome}`, { version: format.number(Number(step.detail?.version ?? 0)) })
            : ended
              ? t(ended.success ? `execution.end.${ended.data}` : 'execution.outcome.ended')
              : stepTitle({ kind: step.node_kind, name: step.node_name }, language)}
        </Text>
        {said.map((line) => (
          <Text key={line} size="sm" c={outcome === 'failed' ? 'var(--mantine-color-error)' : 'dimmed'}>
            {line}
          </Text>
        ))}
        {code && (
          <Text size="sm">
            {step.detail?.done === false ? (
              t('execution.code', { code })
            ) : (
              <TextLink to={paths.coupons()} search={{ q: code }} underline="always">
                {t('execution.code', { code })}
              </TextLink>
            )}
          </Text>
        )}
        {step.delivery && <Message delivery={step.delivery} />}
        <Text size="xs" c="dimmed">
          {format.dateTime(step.at)}
        </Text>
      </div>
    </li>
  )
}

/** What happened to a step's message: whether it left, why not, and what the customer did with it. */
function Message({ delivery }: { delivery: DeliveryView }) {
  const t = useWords('deliveries')
  const format = useFormat()
  const reasonText = useReasonText()
  const {
    status,
    email_id,
    line_message_id,
    subject,
    recipient,
    test_mode,
    sent_at,
    opened_at,
    clicked_at,
    bounced_at,
  } = delivery
  const reason = reasonText(delivery) ?? (status === 'uncertain' ? t('cutOff') : null)
  const written = email_id ? paths.email(email_id) : line_message_id && paths.lineMessage(line_message_id)
  const times: [label: string, at: string | null][] = [
    [t('sentAt'), sent_at],
    [t('opened'), opened_at],
    [t('clicked'), clicked_at],
    [t('bounced'), bounced_at],
  ]
  return (
    <div className={classes.message}>
      <Group gap={6}>
        <StatusBadge tone={deliveryTones[status]}>{t(`status.${status}`)}</StatusBadge>
        {test_mode && <StatusBadge tone="warning">{t('test')}</StatusBadge>}
        <Text size="sm">
          {written ? (
            <TextLink to={written} underline="always">
              {subject || t('subject')}
            </TextLink>
          ) : (
            subject
          )}
        </Text>
      </Group>
      {reason && <Text size="sm">{reason}</Text>}
      {recipient && (
        <Text size="xs" c="dimmed">
          {t('address')}: {test_mode ? t('testAddress', { address: recipient }) : recipient}
        </Text>
      )}
      {times.map(
        ([label, at]) =>
          at && (
            <Text key={label} size="xs" c="dimmed">
              {label}: {format.dateTime(at)}
            </Text>
          ),
      )}
    </div>
  )
}

const takesTime = (name: string): boolean =>
  nodeKindNames.some((kind) => kind === name && nodeRules(kind).takesTime !== undefined)

const notDoneBecause = ['test', 'holdout', 'guest'] as const

/** What decided or was done, in sentences. */
function useSaid({ outcome, detail, node_kind, delivery }: ExecutionStep): string[] {
  const t = useWords('scenarios')
  const format = useFormat()
  const reasonText = useReasonText()
  const d = detail ?? {}
  /** Besides those of its own, why nothing could be sent to them. */
  const whyNotDone = (because: string): string => {
    const own = notDoneBecause.find((reason) => reason === because)
    if (own) return t(`execution.notDone.${own}`)
    return t('execution.notDone.unreachable', {
      reason: reasonText({ status: 'skipped', reason: because }) ?? because,
    })
  }
  const until = text(d.until)
  const port = takenPortText({ node_kind, outcome }, format.language)
  const said: (string | null)[] = []
  if (outcome === 'asleep' && d.usual_days !== undefined)
    said.push(
      typeof d.usual_days === 'number'
        ? t('execution.usualDays', { days: amountOf(d.usual_days, 'days', format.language) })
        : t('execution.usualUnknown'),
    )
  const begins = text(d.begins)
  if (begins) said.push(t('execution.begins', { time: format.dateTime(begins) }))
  if (outcome === 'asleep')
    said.push(
      until
        ? t('execution.until', { time: format.dateTime(until) })
        : t(takesTime(node_kind) ? 'execution.outcome.asleep' : 'execution.awaitsAnswer'),
    )
  else if (outcome === 'failed') {
    const error = StepError.safeParse(d.error)
    said.push(error.success ? t(`execution.error.${error.data}`) : t('execution.outcome.failed'))
  } else if (port !== null) said.push(t('execution.outcomePort', { port }))
  if (d.passed_over !== undefined) said.push(t('execution.passedOver'))
  // For a mail, its delivery says why.
  if (d.done === false && !delivery) said.push(whyNotDone(text(d.because) ?? 'test'))
  said.push(text(d.text))
  return said.filter((line) => line !== null)
}
