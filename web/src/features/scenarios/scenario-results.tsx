import { Text } from '@mantine/core'
import type { Scenario } from '@okaeri/contract/scenarios/scenario'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { Card } from '../../ui/detail-page.tsx'
import { Figure } from '../../ui/figure.tsx'
import { TextLink } from '../../ui/links.tsx'
import { useCounted } from './counted.ts'
import classes from './scenario-page.module.css'

/** What it has brought so far. */
export function ScenarioResults({ scenario }: { scenario: Scenario }) {
  const t = useWords('scenarios')
  const format = useFormat()
  const { counted } = useCounted()
  const { setting } = useMerchant()
  const { execution_count, running_count, sent_count, open_rate, click_rate, order_count, revenue } = scenario
  const rate = (value: number) => (sent_count === 0 ? '—' : format.percent(value))
  return (
    <Card title={t('view.results')} wide>
      {execution_count === 0 ? (
        <Text size="sm" c="dimmed">
          {t(scenario.enabled_at === null ? 'view.noResults' : 'view.noResultsYet')}{' '}
          {scenario.status !== 'deleted' && (
            <TextLink to="." search={{ tab: 'rehearsal' }} underline="always">
              {t('view.rehearse')}
            </TextLink>
          )}
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
            {t(setting.attribution_counts_opens ? 'view.howCountedOpens' : 'view.howCounted', {
              n: format.number(setting.attribution_days),
            })}
          </Text>
        </>
      )}
    </Card>
  )
}
