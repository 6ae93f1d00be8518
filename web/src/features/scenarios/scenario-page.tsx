import { Stack } from '@mantine/core'
import { getScenario } from '@okaeri/contract/scenarios/routes'
import type { Scenario, ScenarioUse } from '@okaeri/contract/scenarios/scenario'
import { IconFlask, IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import type { Action } from '../../ui/actions.tsx'
import { Card, DetailPage } from '../../ui/pages/detail-page.tsx'
import { CouponCard } from '../coupons/coupon-card.tsx'
import { ExecutionHistory } from './executions/execution-history.tsx'
import { FlowDescription } from './flow-picture/flow-description.tsx'
import { HoldoutCard } from './holdout-card.tsx'
import { KnownOfTrigger } from './settings/template-need-notice.tsx'
import { LiveFlow } from './flow-picture/live-flow.tsx'
import { RehearsalCard } from './rehearsals/rehearsal-card.tsx'
import { ScenarioPageSearch } from './search.ts'
import { useScenarioActions } from './scenario-actions.tsx'
import { ScenarioBadge } from './scenario-badge.tsx'
import type { ScenarioWithFlow } from './settings/scenario-form.tsx'
import { ScenarioClicks, ScenarioMails, useUncertainCount } from './scenario-mails.tsx'
import { RestockAlert } from '../restocks/restock-alert.tsx'
import { ScenarioNotices } from './scenario-notices.tsx'
import classes from './scenario-page.module.css'
import { ScenarioResults } from './scenario-results.tsx'
import { ScenarioSettings } from './settings/scenario-settings.tsx'
import { scenarioTabs, tabOf } from './scenario-tabs.ts'
import { TestRun } from './executions/test-run.tsx'
import { WhyCard } from './executions/why-card.tsx'

/** While it runs, the figures are refreshed. */
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
  const open = (tab: string) =>
    void navigate({ to: '.', search: tab === 'overview' ? {} : { tab }, resetScroll: false })
  const actionsOf = useScenarioActions({
    onDeleted: () => void navigate({ to: paths.scenarios() }),
    onIncomplete: () => {
      setRefused(true)
      // The problems are shown there.
      open('overview')
    },
    onEnabled: () => setRefused(false),
  })
  const scenario = query.data?.action
  const actions = scenario && actionsOf(scenario)
  const gone = scenario?.status === 'deleted'
  const tabs = useTabs(id, scenario)
  const test: Action = { label: t('do.test'), icon: <IconFlask {...icon} />, onClick: () => setTesting(true) }
  const settings: Action = { label: t('do.settings'), icon: <IconPencil {...icon} />, to: paths.scenarioEdit(id) }
  const offers = actions && scenario && mayChange && !gone

  return (
    <DetailPage
      back={{ to: paths.scenarios(), label: t('back') }}
      title={scenario?.name ?? t('title')}
      badge={scenario && <ScenarioBadge status={scenario.status} />}
      description={!mayChange && t('readOnly')}
      query={query}
      actions={
        offers
          ? [
              ...(scenario.trigger.kind === 'manual' ? [actions.enterSegment] : []),
              test,
              actions.edit,
              scenario.status === 'active' ? actions.stop : { ...actions.enable, primary: true },
            ]
          : []
      }
      moreActions={offers ? [...(scenario.mode === 'flow' ? [settings] : []), actions.duplicate, actions.delete] : []}
      tabs={{ ...tabs, onOpen: open }}
      notice={
        scenario &&
        actions && (
          <>
            <ScenarioNotices
              tab={tabs.open}
              scenario={scenario}
              flow={scenario.flow}
              actions={actions}
              refused={refused}
            />
            {tabs.open === 'overview' && <KnownOfTrigger scenario={scenario} />}
            {scenario.flow.trigger.kind === 'product_restocked' && <RestockAlert />}
          </>
        )
      }
    >
      {scenario && (
        <>
          <Part tab={tabs.open} scenario={scenario} uses={query.data?.used_by ?? []} />
          <TestRun scenario={scenario} opened={testing} onClose={() => setTesting(false)} />
        </>
      )}
    </DetailPage>
  )
}

/** The tabs, each with a mark if something in it needs a member. */
function useTabs(id: string, scenario: Scenario | undefined) {
  const t = useWords('scenarios')
  const asked = tabOf(ScenarioPageSearch.parse(useSearch({ strict: false })))
  const uncertain = useUncertainCount(id)
  const gone = scenario?.status === 'deleted'
  const people =
    scenario &&
    !gone &&
    (scenario.failed_count + scenario.late_count > 0 || scenario.braked !== null || scenario.failed_entries !== null)
  const marks: Partial<Record<(typeof scenarioTabs)[number], boolean | undefined>> = {
    // In a draft this is normal.
    overview: scenario?.status === 'active' && scenario.problems.length > 0,
    people,
    messages: uncertain > 0,
  }
  const shown = scenarioTabs.filter((tab) => !(gone && tab === 'rehearsal'))
  return {
    label: t('tabs.label'),
    items: shown.map((value) => ({ value, label: t(`tabs.${value}`), mark: marks[value] && t('tabs.mark') })),
    open: shown.includes(asked) ? asked : ('overview' as const),
  }
}

interface PartProps {
  tab: (typeof scenarioTabs)[number]
  scenario: ScenarioWithFlow
  uses: readonly ScenarioUse[]
}

function Part({ tab, scenario, uses }: PartProps) {
  const t = useWords('scenarios')
  const { id, flow } = scenario
  switch (tab) {
    case 'overview':
      return (
        <>
          <ScenarioResults scenario={scenario} />
          {scenario.holdout_percent > 0 && <HoldoutCard scenarioId={id} />}
          <div className={classes.flow}>
            <LiveFlow scenario={scenario} flow={flow} />
            <Card title={t('view.description')}>
              <FlowDescription flow={flow} />
            </Card>
          </div>
        </>
      )
    case 'people':
      return (
        <Stack className={classes.wide} gap="md">
          <WhyCard scenarioId={id} flow={flow} />
          <ExecutionHistory scenarioId={id} flow={flow} />
        </Stack>
      )
    case 'messages':
      return (
        <Stack className={classes.wide} gap="md">
          <ScenarioMails scenarioId={id} flow={flow} />
          <ScenarioClicks scenarioId={id} flow={flow} />
          <CouponCard of={{ scenario: id }} expected={flow.nodes.some(({ kind }) => kind === 'issue_coupon')} />
        </Stack>
      )
    case 'rehearsal':
      return <RehearsalCard scenario={scenario} flow={flow} />
    case 'settings':
      return <ScenarioSettings scenario={scenario} flow={flow} uses={uses} />
  }
}
