import { Text } from '@mantine/core'
import type { Execution, ExecutionStep } from '@okaeri/contract/scenarios/execution'
import type { NodeKindName } from '@okaeri/contract/scenarios/flow'
import { IconAlertTriangle, IconClock } from '@tabler/icons-react'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { isKnownPort, isShare, stepTitle } from './execution-words.ts'
import { eventIcons, nodeIcons } from './node-icon.tsx'
import classes from './step-history.module.css'

/** What an execution went through, the first step on top; each run from the beginning by itself. */
export function StepHistory({ execution }: { execution: Execution & { steps: readonly ExecutionStep[] } }) {
  const t = useWords('scenarios')
  const format = useFormat()
  const { steps, event } = execution
  const rounds = [...new Set(steps.map(({ round }) => round))]
  const EventIcon = event ? eventIcons[event.kind] : null
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
            {EventIcon && round === rounds[0] && (
              <li>
                <span className={classes.icon} data-trigger>
                  <EventIcon size={16} stroke={1.8} aria-hidden />
                </span>
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

function Step({ step }: { step: ExecutionStep }) {
  const t = useWords('scenarios')
  const format = useFormat()
  const language = useLanguage()
  const { outcome } = step
  const Kind = (nodeIcons as Partial<Record<string, (typeof nodeIcons)[NodeKindName]>>)[step.node_kind]
  const Icon = outcome === 'failed' ? IconAlertTriangle : (Kind ?? IconClock)
  const said = isKnownPort(outcome)
    ? t('execution.outcomePort', { port: t(`port.${outcome}`) })
    : outcome === 'next' || outcome === 'asleep' || outcome === 'failed' || outcome === 'ended'
      ? t(`execution.outcome.${outcome}`)
      : isShare(outcome)
        ? t('execution.outcomePort', { port: outcome.toUpperCase() })
        : ''
  return (
    <li data-outcome={outcome}>
      <span className={classes.icon} data-kind={step.node_kind}>
        <Icon size={16} stroke={1.8} aria-hidden />
      </span>
      <div>
        <Text size="sm">
          {stepTitle({ kind: step.node_kind, name: step.node_name }, language)}
          {said && <span className={classes.outcome}>{said}</span>}
        </Text>
        <Text size="xs" c="dimmed">
          {format.dateTime(step.at)}
        </Text>
      </div>
    </li>
  )
}
