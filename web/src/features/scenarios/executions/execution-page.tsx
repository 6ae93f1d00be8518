import { Button, Group, Text } from '@mantine/core'
import { changeExecution, type Execution, type ExecutionStep, getExecution } from '@okaeri/contract/scenarios/execution'
import { executionAllows } from '@okaeri/contract/scenarios/execution-status'
import { IconClockEdit } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { queryOf } from '../../../api/queries.ts'
import { useFormat } from '../../../app/format.ts'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { paths } from '../../../app/paths.ts'
import type { Action } from '../../../ui/actions.tsx'
import { Card, DetailPage, Facts } from '../../../ui/pages/detail-page.tsx'
import { DateTimeField } from '../../../ui/date-time-field.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { Back } from '../../../ui/pages/page-frame.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { instantOf, wallOf } from '../../campaigns/schedule.ts'
import { useExecutionActions } from './execution-actions.tsx'
import { ExecutionBadge } from './execution-badge.tsx'
import { usePersonName } from './execution-table.tsx'
import { eventName, isAsleep, stepTitle, subjectText } from './execution-words.ts'
import { StepHistory } from './step-history.tsx'

const LIVE_INTERVAL_MS = 2000
const CALM_INTERVAL_MS = 30_000

export function ExecutionPage() {
  const t = useWords('scenarios')
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const navigate = useNavigate()
  const { mayChange } = useMerchant()
  const person = usePersonName()
  const [changing, setChanging] = useState(false)
  const query = useQuery({
    ...queryOf(getExecution, { params: { id } }),
    // Only a running one changes by itself; a sleeping one does not.
    refetchInterval: ({ state }) => {
      const found = state.data?.execution
      return found?.status === 'running' && !isAsleep(found) ? LIVE_INTERVAL_MS : CALM_INTERVAL_MS
    },
  })
  const execution = query.data?.execution
  const scenario = execution?.scenario
  const back: Back = scenario
    ? { to: paths.scenario(scenario.id), search: { tab: 'people' }, label: t('backToScenario') }
    : { to: paths.scenarios(), label: t('back') }
  const actionsOf = useExecutionActions({
    onDeleted: () => void navigate({ to: back.to, ...(back.search && { search: back.search }) }),
  })
  const actions = execution && actionsOf(execution)
  const wake: Action | undefined = execution && {
    label: t('execution.do.wake'),
    icon: <IconClockEdit size={17} aria-hidden />,
    onClick: () => setChanging(true),
    disabledReason: !executionAllows('update', execution.status)
      ? t('execution.forbidden.update')
      : execution.wake_at === null
        ? t('execution.forbidden.notAsleep')
        : null,
  }

  return (
    <DetailPage
      back={back}
      title={execution ? t('execution.title', { name: person(execution) }) : t('execution.titlePlain')}
      badge={execution && <ExecutionBadge execution={execution} />}
      query={query}
      description={!mayChange && t('readOnly')}
      actions={actions && execution && mayChange ? buttonsOf(execution).map((action) => actions[action]) : []}
      moreActions={actions && wake && mayChange ? [wake, actions.restart, actions.delete] : []}
      notice={execution && <Notices execution={execution} />}
    >
      {execution && (
        <>
          <Overview execution={execution} />
          <Card title={t('execution.steps')}>
            <StepHistory execution={execution} />
          </Card>
          {changing && execution.wake_at && (
            <WakeChange id={id} wakeAt={execution.wake_at} onClose={() => setChanging(false)} />
          )}
        </>
      )}
    </DetailPage>
  )
}

/** The most likely actions for each status. */
function buttonsOf({ status }: Execution) {
  switch (status) {
    case 'running':
      return ['pause'] as const
    case 'paused':
      return ['play'] as const
    case 'failed':
    case 'late':
      return ['resolve', 'play'] as const
    case 'done':
    case 'resolved':
      return [] as const
  }
}

function Notices({ execution }: { execution: Execution }) {
  const t = useWords('scenarios')
  const { status, last_error, held_out, test } = execution
  return (
    <>
      {status === 'failed' && last_error && (
        <Notice tone="danger" title={t('execution.failedTitle')}>
          {t(`execution.error.${last_error.error}`)}
          {last_error.detail && (
            <Text size="sm" c="dimmed" mt={4}>
              <code lang="en">{last_error.detail}</code>
            </Text>
          )}
        </Notice>
      )}
      {status === 'late' && (
        <Notice tone="warning" title={t('execution.lateTitle')}>
          {t('execution.lateText')}
        </Notice>
      )}
      {test && <Notice>{t('execution.testText')}</Notice>}
      {held_out && <Notice>{t('execution.heldOutText')}</Notice>}
    </>
  )
}

function Overview({ execution }: { execution: Execution & { steps: readonly ExecutionStep[] } }) {
  const t = useWords('scenarios')
  const format = useFormat()
  const language = useLanguage()
  const person = usePersonName()
  const { customer, event, node, wake_at, status, scenario } = execution
  const over = status === 'done' || status === 'resolved'
  return (
    <Card title={t('execution.facts')}>
      <Facts
        items={[
          {
            label: t('execution.scenario'),
            value: <TextLink to={paths.scenario(scenario.id)}>{scenario.name}</TextLink>,
          },
          {
            label: t('execution.customer'),
            value: customer ? (
              <TextLink to={paths.customer(customer.id)}>{person(execution)}</TextLink>
            ) : (
              person(execution)
            ),
          },
          {
            label: t('execution.event'),
            value: event && (
              <>
                {eventName(event.kind, language)}
                <Text size="xs" c="dimmed">
                  {[subjectText(event.subject), format.dateTime(event.occurred_at)].filter(Boolean).join(' · ')}
                </Text>
              </>
            ),
          },
          { label: t('execution.startedAt'), value: format.dateTime(execution.created_at) },
          !over && { label: t('execution.place'), value: node && stepTitle(node, language) },
          !over && wake_at !== null && { label: t('execution.wakeAt'), value: format.scheduled(wake_at) },
          { label: t('execution.sent'), value: execution.sent_content },
          !over && { label: t('execution.next'), value: execution.next_content },
          execution.ended_at !== null && {
            label: t('execution.endedAt'),
            value: (
              <>
                {format.dateTime(execution.ended_at)}
                {execution.end_reason && (
                  <Text size="xs" c="dimmed">
                    {t(`execution.end.${execution.end_reason}`)}
                  </Text>
                )}
              </>
            ),
          },
          { label: t('execution.version'), value: t('view.versionOf', { n: execution.version }) },
          execution.round > 1 && {
            label: t('execution.round'),
            value: t('execution.roundOf', { n: execution.round }),
          },
        ]}
      />
    </Card>
  )
}

function WakeChange({ id, wakeAt, onClose }: { id: string; wakeAt: string; onClose: () => void }) {
  const t = useWords('scenarios')
  const ui = useWords('ui')
  const format = useFormat()
  const { setting } = useMerchant()
  const [wall, setWall] = useState(wallOf(wakeAt, setting.timezone))
  const change = useAction(changeExecution, { done: 'saved', onDone: onClose })
  const at = instantOf(wall, setting.timezone)
  return (
    <Dialog opened onClose={onClose} title={t('execution.ask.wakeTitle')}>
      <DateTimeField
        label={t('execution.ask.wakeLabel')}
        description={t('execution.ask.wakeHelp', { zone: `${format.zoneName} (${setting.timezone})` })}
        value={wall}
        onChange={setWall}
      />
      <Text size="sm" c="dimmed" mt="xs">
        {t('execution.ask.wakePast')}
      </Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose}>
          {ui('cancel')}
        </Button>
        <Button
          loading={change.isPending}
          disabled={at === null}
          onClick={() => at && change.mutate({ params: { id }, body: { wake_at: at } })}
        >
          {ui('save')}
        </Button>
      </Group>
    </Dialog>
  )
}
