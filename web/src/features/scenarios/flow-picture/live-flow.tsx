import { Text } from '@mantine/core'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { getFlow } from '@okaeri/contract/scenarios/routes'
import type { Scenario } from '@okaeri/contract/scenarios/scenario'
import { IconSitemap } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/queries.ts'
import { useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { paths } from '../../../app/paths.ts'
import { useErrorText } from '../../../app/reasons.ts'
import { ActionButton } from '../../../ui/actions.tsx'
import { Card } from '../../../ui/pages/detail-page.tsx'
import { FlowDrawing } from './flow-drawing.tsx'

/** While it runs, the figures are refreshed. */
const LIVE_INTERVAL_MS = 5000
const CALM_INTERVAL_MS = 30_000

/** The flow with the figures of each node. The graph itself is in the flow editor. */
export function LiveFlow({ scenario, flow }: { scenario: Scenario; flow: Flow }) {
  const t = useWords('scenarios')
  const { mayChange } = useMerchant()
  const ui = useWords('ui')
  const errorText = useErrorText()
  const { data, error } = useQuery({
    ...queryOf(getFlow, { params: { id: scenario.id } }),
    refetchInterval: scenario.status === 'active' ? LIVE_INTERVAL_MS : CALM_INTERVAL_MS,
  })
  const shown = data?.flow ?? flow
  const problems = data?.problems ?? scenario.problems
  const wrong = new Set(problems.flatMap(({ node_id }) => (node_id === null ? [] : [node_id])))
  const counts = scenario.execution_count > 0 ? (data?.counts ?? []) : []
  return (
    <Card
      title={t(scenario.execution_count > 0 ? 'view.flow' : 'view.flowOnly')}
      action={
        mayChange &&
        scenario.status !== 'deleted' &&
        scenario.mode === 'flow' && (
          <ActionButton
            action={{
              label: t('do.editFlow'),
              icon: <IconSitemap size={17} aria-hidden />,
              to: paths.scenarioEdit(scenario.id),
              search: { mode: 'flow' },
            }}
          />
        )
      }
    >
      {scenario.execution_count > 0 &&
        // The flow itself came with the scenario.
        (error && !data ? (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {ui('list.loadFailed')} {errorText(error)}
          </Text>
        ) : (
          <Text size="sm" c="dimmed">
            {t('view.flowHelp')}
          </Text>
        ))}
      <FlowDrawing flow={shown} counts={counts} wrong={wrong} />
    </Card>
  )
}
