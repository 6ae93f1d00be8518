import { Badge, Button, Group, Paper, Text, Title } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { checkScenarios } from '@okaeri/contract/scenarios/routes'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { isStoreLost, useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { Card } from '../../ui/pages/detail-page.tsx'
import { ButtonLink } from '../../ui/links.tsx'
import classes from './dashboard.module.css'
import { useRecentCampaigns } from './recent-campaigns.tsx'

/** Most urgent first. */
const order = [
  'uncertain_deliveries',
  'campaign_waiting',
  'scenario_held',
  'scenario_stuck',
  'complaints_over',
  'complaints_high',
  'store_not_connected',
  'line_webhook',
  'no_test_address',
  'test_mode',
  'sender_domain_failing',
  'no_postal_address',
  'sender_domain_not_custom',
  'sender_domain_unverified',
] as const
type Alert = (typeof order)[number]
const urgent = new Set<Alert>([
  'uncertain_deliveries',
  'campaign_waiting',
  'scenario_held',
  'scenario_stuck',
  'complaints_over',
  'no_test_address',
  'store_not_connected',
  'line_webhook',
  'sender_domain_failing',
])

/** Scenarios that are called by name. */
const NAMED = 3

/** The one there is, or all. */
const placeOf = (scenarios: readonly { id: string }[]): string =>
  scenarios.length === 1 && scenarios[0] ? paths.scenario(scenarios[0].id) : paths.scenarios()

/** Spec §2: these alerts can be hidden; for this merchant they stay so in this browser. */
const hideable = new Set<Alert>(['sender_domain_not_custom', 'sender_domain_unverified'])
const HIDDEN_KEY = 'sender-domain-alert-hidden'
/** These are about a week: hidden, they come back where they are still so a month later. The worse one is hidden for itself. */
const hideableForAMonth = ['complaints_high', 'complaints_over'] as const
type OfAWeek = (typeof hideableForAMonth)[number]
const MONTH_MS = 30 * 86_400_000

/** What the merchant should look at, each with the place where it is put right. */
export function Alerts({ alerts }: { alerts: readonly string[] }) {
  const t = useWords('dashboard')
  const { member, setting, store } = useMerchant()
  const [hidden, setHidden] = useLocalStorage({
    key: `${HIDDEN_KEY}-${member.merchant_id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const [hiddenAt, setHiddenAt] = useLocalStorage<Partial<Record<OfAWeek, number>>>({
    key: `complaint-alerts-hidden-${member.merchant_id}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  })
  const isHidden = (alert: Alert): boolean => {
    if (hideable.has(alert)) return hidden
    // The notice above all pages says more.
    if (alert === 'store_not_connected' && isStoreLost(store)) return true
    const ofAWeek = hideableForAMonth.find((one) => one === alert)
    return ofAWeek !== undefined && (hiddenAt[ofAWeek] ?? 0) > Date.now() - MONTH_MS
  }
  const format = useFormat()
  const campaigns = useRecentCampaigns()
  const uncertain = campaigns.data?.data.find(({ balance }) => balance !== null && balance.uncertain > 0)
  const all = useQuery(queryOf(checkScenarios, {})).data?.actions ?? []
  const held = all.filter(({ held_steps_count }) => held_steps_count > 0)
  // What is held back says so by itself.
  const stuck = all.filter(
    (one) => one.problems.length + one.failed_count + one.late_count + one.failed_entries_count > 0,
  )
  const reported = [
    ...alerts,
    ...(held.length > 0 ? ['scenario_held'] : []),
    ...(stuck.length > 0 ? ['scenario_stuck'] : []),
    // Otherwise the review of the first campaign would be the first to say it.
    ...(setting.postal_address === '' ? ['no_postal_address'] : []),
  ]
  const shown = order.filter((alert) => reported.includes(alert) && !isHidden(alert))
  if (shown.length === 0) return null

  // What is not there cannot be of the wrong domain.
  const textOf = (alert: Alert) =>
    alert === 'sender_domain_not_custom' && setting.sender_email === '' ? 'no_sender' : alert

  const button = (alert: Alert, to: string, more: { search?: Record<string, string>; hash?: string } = {}) => (
    <ButtonLink to={to} {...more} size="compact-sm" variant="default">
      {t(`alert.${textOf(alert)}Action`)}
    </ButtonLink>
  )
  const hiding = (action: ReactNode, hide = () => setHidden(true)) => (
    <Group gap="xs">
      {action}
      <Button size="compact-sm" variant="subtle" color="gray" c="dimmed" onClick={hide}>
        {t('hide')}
      </Button>
    </Group>
  )
  const actions: Record<Alert, ReactNode> = {
    test_mode: button('test_mode', paths.settings(), { hash: 'test-mode' }),
    no_test_address: button('no_test_address', paths.settings(), { hash: 'test-mode' }),
    store_not_connected: button('store_not_connected', paths.settings(), { search: { tab: 'store' } }),
    line_webhook: button('line_webhook', paths.settings(), { search: { tab: 'line' } }),
    campaign_waiting: button('campaign_waiting', paths.campaigns(), { search: { status: 'waiting' } }),
    scenario_held: button('scenario_held', placeOf(held)),
    scenario_stuck: button('scenario_stuck', placeOf(stuck)),
    uncertain_deliveries: button('uncertain_deliveries', uncertain ? paths.campaign(uncertain.id) : paths.campaigns()),
    complaints_high: hiding(button('complaints_high', paths.deliverability()), () =>
      setHiddenAt((all) => ({ ...all, complaints_high: Date.now() })),
    ),
    complaints_over: hiding(button('complaints_over', paths.deliverability()), () =>
      setHiddenAt((all) => ({ ...all, complaints_over: Date.now() })),
    ),
    sender_domain_failing: button('sender_domain_failing', paths.settings(), { search: { tab: 'mail' } }),
    no_postal_address: button('no_postal_address', paths.settings(), { hash: 'business-details' }),
    sender_domain_not_custom: hiding(button('sender_domain_not_custom', paths.settings())),
    sender_domain_unverified: hiding(button('sender_domain_unverified', paths.settings(), { search: { tab: 'mail' } })),
  }
  return (
    <Paper withBorder component="section" aria-label={t('alerts')} className={classes.alerts}>
      <Title order={2} size="h4" className={classes.alertsTitle}>
        {t('alerts')}
      </Title>
      <ul>
        {shown.map((alert) => {
          const Icon = urgent.has(alert) ? IconAlertTriangle : IconInfoCircle
          return (
            <li key={alert} data-urgent={urgent.has(alert) || undefined}>
              <Icon size={18} aria-hidden className={classes.alertIcon} />
              <span>
                {t(`alert.${textOf(alert)}`, {
                  names: format.list(
                    (alert === 'scenario_held' ? held : stuck).slice(0, NAMED).map(({ name }) => name),
                  ),
                })}
              </span>
              <div>{actions[alert]}</div>
            </li>
          )
        })}
      </ul>
    </Paper>
  )
}

/** Spec §2: what must be off in the store platform itself, which cannot be asked of it; and what had better be on. */
export function StoreAutomations() {
  const t = useWords('dashboard')
  return (
    <Card title={t('store.title')}>
      <ul className={classes.plain}>
        <li>
          <Badge className={classes.must} tt="none">
            {t('store.must')}
          </Badge>
          <Text size="sm">{t('store.checkout')}</Text>
        </li>
        <li>
          <Badge className={classes.must} tt="none">
            {t('store.must')}
          </Badge>
          <Text size="sm">{t('store.automation')}</Text>
        </li>
        <li>
          <Badge className={classes.advice} tt="none">
            {t('store.recommended')}
          </Badge>
          <Text size="sm">{t('store.recommend')}</Text>
        </li>
      </ul>
    </Card>
  )
}
