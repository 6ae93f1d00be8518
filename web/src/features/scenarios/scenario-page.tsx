import { Group, Stack, Text } from '@mantine/core'
import type { Flow } from '@okaeri/contract/scenarios/flow'
import { endsOnWords, triggerKindWords } from '@okaeri/contract/scenarios/kind-words'
import { getNodes, getScenario } from '@okaeri/contract/scenarios/routes'
import type { Scenario } from '@okaeri/contract/scenarios/scenario'
import { describeReentry } from '@okaeri/contract/scenarios/words'
import { IconFlask, IconPencil, IconSitemap } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { reasonText } from '../../app/reasons.ts'
import { type Action, ActionButton } from '../../ui/actions.tsx'
import { Card, DetailPage, Facts } from '../../ui/detail-page.tsx'
import { Figure } from '../../ui/figure.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useCounted } from './counted.ts'
import { ExecutionHistory } from './execution-history.tsx'
import { FlowDescription } from './flow-description.tsx'
import { FlowDrawing } from './flow-drawing.tsx'
import { kindName } from './flow-names.ts'
import { FlowProblems } from './flow-problems.tsx'
import { useScenarioActions } from './scenario-actions.tsx'
import classes from './scenario-page.module.css'
import { HoldoutCard } from './holdout-card.tsx'
import { RehearsalCard } from './rehearsal-card.tsx'
import { ScenarioBadge } from './scenario-badge.tsx'
import { ScenarioMails } from './scenario-mails.tsx'
import { TestRun } from './test-run.tsx'
import { WhyCard } from './why-card.tsx'

/** While it runs, what passes its nodes is followed. */
const LIVE_INTERVAL_MS = 5000
const CALM_INTERVAL_MS = 30_000
const icon = { size: 17, 'aria-hidden': true } as const

export function ScenarioPage() {
  const t = useWords('scenarios')
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const navigate = useNavigate()
  const { mayChange } = useMerchant()
  const [testing, setTesting] = useState(false)
  const [refused, setRefused] = useState(false)
  const query = useQuery({
    ...queryOf(getScenario, { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.action.status === 'active' ? LIVE_INTERVAL_MS : CALM_INTERVAL_MS),
  })
  const actionsOf = useScenarioActions({
    onDeleted: () => void navigate({ to: paths.scenarios() }),
    onIncomplete: () => setRefused(true),
    onEnabled: () => setRefused(false),
  })
  const scenario = query.data?.action
  const deeds = scenario && actionsOf(scenario)
  const gone = scenario?.status === 'deleted'
  const test: Action = {
    label: t('do.test'),
    icon: <IconFlask {...icon} />,
    onClick: () => setTesting(true),
    disabledReason: mayChange ? (gone ? t('forbidden.deleted') : null) : t('readOnly'),
  }
  const settings: Action = {
    label: t('do.settings'),
    icon: <IconPencil {...icon} />,
    to: paths.scenarioEdit(id),
    disabledReason: deeds?.edit.disabledReason ?? null,
  }

  return (
    <DetailPage
      back={{ to: paths.scenarios(), label: t('back') }}
      title={scenario?.name ?? t('title')}
      badge={scenario && <ScenarioBadge status={scenario.status} />}
      query={query}
      actions={
        deeds && scenario && !gone
          ? [
              ...(scenario.trigger.kind === 'manual' ? [deeds.enterSegment] : []),
              test,
              deeds.edit,
              scenario.status === 'active' ? deeds.stop : { ...deeds.enable, primary: true },
            ]
          : []
      }
      moreActions={
        deeds && scenario ? [...(scenario.mode === 'flow' ? [settings] : []), deeds.duplicate, deeds.delete] : []
      }
      notice={scenario && deeds && <Notices scenario={scenario} flow={scenario.flow} deeds={deeds} refused={refused} />}
      history={
        scenario && (
          <Stack gap="md">
            <ExecutionHistory scenarioId={id} flow={scenario.flow} />
            <ScenarioMails scenarioId={id} flow={scenario.flow} />
          </Stack>
        )
      }
    >
      {scenario && (
        <>
          <Results scenario={scenario} />
          <Stack gap="md">
            <Card title={t('view.description')}>
              <FlowDescription flow={scenario.flow} />
            </Card>
            <WhyCard scenarioId={id} flow={scenario.flow} />
          </Stack>
          <SettingsCard scenario={scenario} flow={scenario.flow} />
          <LiveFlow scenario={scenario} flow={scenario.flow} editable={!gone && mayChange} />
          {scenario.holdout_percent > 0 && <HoldoutCard scenarioId={id} />}
          {!gone && <RehearsalCard scenario={scenario} flow={scenario.flow} />}
          <TestRun scenario={scenario} opened={testing} onClose={() => setTesting(false)} />
        </>
      )}
    </DetailPage>
  )
}

interface NoticesProps {
  scenario: Scenario
  flow: Flow
  deeds: ReturnType<ReturnType<typeof useScenarioActions>>
  /** It was tried to be enabled and is incomplete. */
  refused: boolean
}

/** What wants an answer or a mending, the most urgent first. */
function Notices({ scenario, flow, deeds, refused }: NoticesProps) {
  const t = useWords('scenarios')
  const language = useLanguage()
  const format = useFormat()
  const { braked, late_count: late, failed_count: failed, problems, status, mode, id } = scenario
  const counted = (count: number) => ({ count, n: format.number(count) })
  if (status === 'deleted' || (problems.length + late + failed === 0 && !braked)) return null
  const buttons = (...actions: Action[]) => (
    <Group gap="xs">
      {actions.map((action) => (
        <ActionButton key={action.label} action={action} />
      ))}
    </Group>
  )
  const look = (label: string, search: Record<string, string>) => (
    <TextLink to="." search={search} hash="history" underline="always">
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
          <FlowProblems problems={problems} flow={flow} scenario={{ id, mode }} />
        </Notice>
      )}
      {braked && (
        <Notice tone="warning" title={t('brake.title')} action={buttons(deeds.drop, deeds.release)}>
          {t('brake.text', { ...counted(braked.waiting), since: format.dateTime(braked.since) })}
        </Notice>
      )}
      {late > 0 && (
        <Notice tone="warning" title={t('late.title', counted(late))} action={buttons(deeds.skipLate, deeds.sendLate)}>
          {t('late.text')} {look(t('late.look'), { status: 'late' })}
        </Notice>
      )}
      {failed > 0 && (
        <Notice tone="danger" title={t('failed.title', counted(failed))}>
          {t('failed.text')} {look(t('failed.look'), { status: 'failed' })}
        </Notice>
      )}
    </Stack>
  )
}

function Results({ scenario }: { scenario: Scenario }) {
  const t = useWords('scenarios')
  const format = useFormat()
  const counted = useCounted()
  const { execution_count, running_count, sent_count, open_rate, click_rate, order_count, revenue } = scenario
  const rate = (value: number) => (sent_count === 0 ? '—' : format.percent(value))
  return (
    <Card title={t('view.results')} wide>
      {execution_count === 0 ? (
        <Text size="sm" c="dimmed">
          {t('view.noResults')}
        </Text>
      ) : (
        <>
          <div className={classes.figures}>
            <Figure label={t('executionCount')} value={counted(execution_count)} />
            <Figure label={t('view.running')} value={counted(running_count)} />
            <Figure label={t('view.sentCount')} value={format.number(sent_count)} />
            <Figure label={t('view.openRate')} value={rate(open_rate)} />
            <Figure label={t('view.clickRate')} value={rate(click_rate)} />
            <Figure label={t('view.orders')} value={format.number(order_count)} />
            <Figure label={t('view.revenue')} value={format.money(revenue)} />
          </div>
          <Text size="xs" c="dimmed">
            {t('view.howCounted')}
          </Text>
        </>
      )}
    </Card>
  )
}

function SettingsCard({ scenario, flow }: { scenario: Scenario; flow: Flow }) {
  const t = useWords('scenarios')
  const format = useFormat()
  const language = useLanguage()
  return (
    <Card title={t('view.settings')}>
      <Facts
        items={[
          { label: t('view.trigger'), value: kindName(triggerKindWords[flow.trigger.kind], language) },
          {
            label: t('view.condition'),
            value:
              flow.condition === null || (flow.condition.type === 'group' && flow.condition.children.length === 0)
                ? t('view.everyone')
                : t('view.narrowed'),
          },
          { label: t('view.reentry'), value: describeReentry(flow.reentry, language) },
          {
            label: t('view.endsOn'),
            value:
              flow.ends_on.length === 0
                ? t('view.never')
                : flow.ends_on.map((each) => endsOnWords[each][language]).join(language === 'ja' ? '・' : '; '),
          },
          {
            label: t('view.consent'),
            value: t(scenario.include_all_customers ? 'view.sent' : 'view.notSent'),
          },
          {
            label: t('view.priority'),
            value: t(scenario.priority === 'always' ? 'form.priorityAlways' : 'form.priorityNormal'),
          },
          scenario.holdout_percent > 0 && {
            label: t('view.holdout'),
            value: `${format.number(scenario.holdout_percent)}${t('form.holdoutSuffix')}`,
          },
          { label: t('view.mode'), value: t(scenario.mode === 'flow' ? 'view.modeFlow' : 'view.modeForm') },
          { label: t('view.version'), value: t('view.versionOf', { n: scenario.version }) },
          scenario.enabled_at !== null && {
            label: t('view.enabledAt'),
            value: format.dateTime(scenario.enabled_at),
          },
          { label: t('createdAt'), value: format.dateTime(scenario.created_at) },
        ]}
      />
    </Card>
  )
}

/** The flow with what passed each node; the graph itself is opened in the flow editor. */
function LiveFlow({ scenario, flow, editable }: { scenario: Scenario; flow: Flow; editable: boolean }) {
  const t = useWords('scenarios')
  const { data } = useQuery({
    ...queryOf(getNodes, { params: { id: scenario.id } }),
    refetchInterval: scenario.status === 'active' ? LIVE_INTERVAL_MS : CALM_INTERVAL_MS,
  })
  const shown = data?.flow ?? flow
  const problems = data?.problems ?? scenario.problems
  const wrong = new Set(problems.flatMap(({ node_id }) => (node_id === null ? [] : [node_id])))
  return (
    <Card
      title={t('view.flow')}
      wide
      action={
        editable &&
        scenario.mode === 'flow' && (
          <ActionButton
            action={{
              label: t('do.editFlow'),
              icon: <IconSitemap {...icon} />,
              to: paths.scenarioEdit(scenario.id),
              search: { mode: 'flow' },
            }}
          />
        )
      }
    >
      <Text size="sm" c="dimmed">
        {t('view.flowHelp')}
      </Text>
      <FlowDrawing flow={shown} counts={scenario.execution_count > 0 ? (data?.counts ?? []) : []} wrong={wrong} />
    </Card>
  )
}
