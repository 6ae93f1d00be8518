import { Anchor, Group, Stack } from '@mantine/core'
import { planIncludes } from '@okaeri/contract/merchants/plan-features'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import type { FlowProblem } from '@okaeri/contract/scenarios/flow/flow-problem'
import type { Scenario } from '@okaeri/contract/scenarios/scenario'
import { type ReactNode, useState } from 'react'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { reasonText } from '../../app/reasons.ts'
import { type Action, ActionButton } from '../../ui/actions.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { CouponFailures } from './executions/coupon-failures.tsx'
import { useCounted } from './counted.ts'
import { FailedEntries } from './executions/failed-entries.tsx'
import { FailedReasons } from './executions/failed-reasons.tsx'
import { HeldSteps } from './executions/held-steps.tsx'
import { FlowProblems } from './flow-picture/flow-problems.tsx'
import type { useScenarioActions } from './scenario-actions.tsx'
import type { ScenarioTab } from './scenario-tabs.ts'

/** Until an address is confirmed. The mails then continue automatically. */
const waiting: readonly FlowProblem['problem'][] = ['sender_unconfirmed', 'account_unconfirmed']

interface ScenarioNoticesProps {
  /** The overview shows all notices, the other tabs only their own. */
  tab: ScenarioTab
  scenario: Scenario
  flow: Flow
  actions: ReturnType<ReturnType<typeof useScenarioActions>>
  /** Someone tried to enable it, but it is incomplete. */
  refused: boolean
}

/** What needs an answer or a correction, the most urgent first. */
export function ScenarioNotices({ tab, scenario, flow, actions, refused }: ScenarioNoticesProps) {
  const t = useWords('scenarios')
  const language = useLanguage()
  const format = useFormat()
  const { inWords } = useCounted()
  const { mayChange, plan } = useMerchant()
  const { braked, late_count: late, failed_count: failed, failed_entries: entries, status, mode, id } = scenario
  const held = scenario.held_steps.length
  const shownProblems = tab === 'overview' ? scenario.problems : []
  // In a draft they are among the first things to do. In an active scenario they make nothing fail.
  const waits = status === 'active' ? shownProblems.filter(({ problem }) => waiting.includes(problem)) : []
  const problems = shownProblems.filter((each) => !waits.includes(each))
  // A flow that ran may run on under any plan (decision 51). For one that never ran this is among its problems.
  const kept =
    tab === 'overview' &&
    mode === 'flow' &&
    (status === 'active' || status === 'stopped') &&
    !planIncludes(plan, 'flow_editor') &&
    !shownProblems.some(({ problem }) => problem === 'plan_forbids')
  const isHere = tab === 'overview' || tab === 'people'
  if (
    !isHere ||
    status === 'deleted' ||
    (shownProblems.length + late + failed + held === 0 && !braked && !entries && !kept)
  )
    return null
  const buttons = (...actions: Action[]) =>
    mayChange && (
      <Group gap="xs">
        {actions.map((action) => (
          <ActionButton key={action.label} action={action} />
        ))}
      </Group>
    )
  const look = (label: string, search: Record<string, string>) => (
    <TextLink to="." search={{ tab: 'people', ...search }} hash="history" underline="always">
      {label}
    </TextLink>
  )
  return (
    <Stack gap="sm">
      {problems.length > 0 && (
        <Notice
          tone={status === 'active' || refused ? 'danger' : 'warning'}
          title={
            refused
              ? reasonText('scenario_incomplete', language)
              : t(status === 'active' ? 'problemsTitle.active' : 'problemsTitle.draft')
          }
        >
          <FlowProblems problems={problems} flow={flow} {...(mayChange && { scenario: { id, mode } })} />
        </Notice>
      )}
      {waits.length > 0 && (
        <Notice tone="warning" title={t('unconfirmed.title')}>
          <FlowProblems problems={waits} flow={flow} />
        </Notice>
      )}
      {held > 0 && <HeldSteps scenario={scenario} flow={flow} stop={actions.stop} />}
      {braked && (
        <Notice tone="warning" title={t('entryLimit.title')} action={buttons(actions.drop, actions.release)}>
          {t('entryLimit.text', {
            count: braked.waiting,
            n: format.number(braked.waiting),
            since: format.dateTime(braked.since),
          })}
        </Notice>
      )}
      {late > 0 && (
        <Notice
          tone="warning"
          title={t('late.title', inWords(late))}
          action={buttons(actions.skipLate, actions.sendLate)}
        >
          {t('late.text')} {look(t('late.look'), { status: 'late' })}
        </Notice>
      )}
      {failed > 0 && (
        <CouponFailures
          scenarioId={id}
          flow={flow}
          look={look(t('failed.look'), { status: 'failed', test: 'false' })}
        />
      )}
      {failed > 0 && (
        <Notice
          tone="danger"
          title={t('failed.title', inWords(failed))}
          action={buttons(actions.resolveFailed, actions.playFailed)}
        >
          <FailedReasons scenarioId={id} total={failed} />
          {t('failed.text')} {look(t('failed.look'), { status: 'failed', test: 'false' })}
        </Notice>
      )}
      {entries && (
        <EntriesNotice scenarioId={id} entries={entries} action={buttons(actions.dropEntries, actions.retryEntries)} />
      )}
      {kept && (
        <Notice
          title={t('plan.title')}
          action={
            <TextLink to={paths.support()} underline="always">
              {t('plan.upgrade')}
            </TextLink>
          }
        >
          {t(status === 'active' ? 'plan.active' : 'plan.stopped')}
        </Notice>
      )}
    </Stack>
  )
}

/** Events that failed before they became an execution. */
function EntriesNotice({
  scenarioId,
  entries,
  action,
}: {
  scenarioId: string
  entries: NonNullable<Scenario['failed_entries']>
  action: ReactNode
}) {
  const t = useWords('scenarios')
  const format = useFormat()
  const [showsEntries, setShowsEntries] = useState(false)
  return (
    <Notice
      tone="danger"
      title={t('failedEntries.title', { count: entries.count, n: format.number(entries.count) })}
      action={action}
    >
      {t('failedEntries.text', { since: format.dateTime(entries.since) })}{' '}
      <Anchor component="button" type="button" size="sm" underline="always" onClick={() => setShowsEntries(true)}>
        {t('failedEntries.look')}
      </Anchor>
      <FailedEntries scenarioId={scenarioId} opened={showsEntries} onClose={() => setShowsEntries(false)} />
    </Notice>
  )
}
