import { Button, Group, Loader, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type Campaign, channelsOf, DEFAULT_TRACKING_SOURCE, goesBy } from '@okaeri/contract/campaigns/campaign'
import { canaryLimit, type CanaryResult, problemsOf } from '@okaeri/contract/campaigns/canary'
import { AbGroup } from '@okaeri/contract/campaigns/ab-test'
import { getCampaign, listCampaignDeliveries } from '@okaeri/contract/campaigns/routes'
import { type ChannelName, DeliveryStatus, retriable } from '@okaeri/contract/deliveries/delivery'
import { couponText } from '@okaeri/contract/scenarios/flow/phrases'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { SendConfirmation } from '../../app/send-confirmation.tsx'
import type { Action } from '../../ui/actions.tsx'
import { Card, DetailPage, Facts } from '../../ui/pages/detail-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { usePages } from '../../ui/pages/pages.ts'
import { ChannelFilter } from '../deliveries/channel-filter.tsx'
import { DeliveryTable } from '../deliveries/delivery-table.tsx'
import { ReceiverPaces } from '../deliveries/receiver-paces.tsx'
import { AbTestCard } from './ab-test/ab-test-groups.tsx'
import { AbNotice, isRunningTest, useAbState } from './ab-test/ab-test-notice.tsx'
import { BalanceView } from './balance-view.tsx'
import { type CampaignAction, hasBegun, useCampaignActions } from './campaign-actions.tsx'
import {
  CALM_INTERVAL_MS,
  CampaignBadge,
  followInterval,
  isOnItsWay,
  LIVE_INTERVAL_MS,
  TestBadge,
} from './campaign-badge.tsx'
import { CampaignCouponsCard } from './coupon-card.tsx'
import { UndoNotice } from './undo-notice.tsx'

const SEARCH_DELAY_MS = 250

export function CampaignPage() {
  const t = useWords('campaigns')
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const navigate = useNavigate()
  const query = useQuery({
    ...queryOf(getCampaign, { params: { id } }),
    refetchInterval: ({ state }) => followInterval(state.data && [state.data.campaign]),
  })
  const actionsOf = useCampaignActions({ onDeleted: () => void navigate({ to: paths.campaigns() }) })
  const campaign = query.data?.campaign
  const actions = campaign && actionsOf(campaign)
  const shown = campaign ? buttonsOf(campaign) : []
  const stateOfTest = useAbState()
  // While it runs the notice says more.
  const abState = campaign && !isRunningTest(campaign) && stateOfTest(campaign)

  return (
    <DetailPage
      back={{ to: paths.campaigns(), label: t('back') }}
      title={campaign?.name ?? t('title')}
      badge={
        campaign && (
          <Group gap={6}>
            <CampaignBadge
              status={campaign.status}
              sendType={campaign.send_type}
              balance={campaign.balance}
              waitReason={campaign.wait_reason}
            />
            {campaign.test_mode && <TestBadge />}
            {abState && <Text size="sm">{abState}</Text>}
          </Group>
        )
      }
      query={query}
      actions={
        actions
          ? shown.map(
              (action, at): Action => ({
                ...actions[action],
                primary: at === shown.length - 1 && !actions[action].danger,
              }),
            )
          : []
      }
      moreActions={
        actions
          ? order.filter((action) => !shown.includes(action) && action !== 'resend').map((action) => actions[action])
          : []
      }
      notice={
        campaign &&
        actions && (
          <>
            <ContentFailed campaign={campaign} />
            <UndoNotice campaign={campaign} at={query.dataUpdatedAt} />
            <Waiting campaign={campaign} actions={actions} />
            {campaign.status === 'sending' && campaign.balance?.pending !== 0 && <ReceiverPaces />}
            <AbNotice campaign={campaign} actions={actions} />
          </>
        )
      }
      history={campaign?.balance && !isBeingChosen(campaign) && <Deliveries campaign={campaign} />}
    >
      {campaign && actions && <Cards campaign={campaign} actions={actions} />}
    </DetailPage>
  )
}

/** What the content kept from people is not tried again; what helps is said where the failures are. */
function ContentFailed({ campaign: { status, balance } }: { campaign: Campaign }) {
  const t = useWords('campaigns')
  const format = useFormat()
  const count = balance?.failed_by_class.content ?? 0
  if (count === 0 || (status !== 'send_failure' && status !== 'sent')) return null
  return (
    <Notice tone="warning" title={t('contentFailed.title', { count, n: format.number(count) })}>
      {t('contentFailed.text')}
    </Notice>
  )
}

/** All of them, so that what is not possible says why; in the menu where it is not among the buttons. */
const order: readonly CampaignAction[] = [
  'review',
  'edit',
  'report',
  'resync',
  'resolve',
  'duplicate',
  'cancel',
  'stop',
  'delete',
]

/** What one comes to the page for in each status; the last is the filled button. */
function buttonsOf({ status, balance, send_type }: Campaign): CampaignAction[] {
  switch (status) {
    case 'draft':
      return ['edit', 'review']
    case 'collecting':
    case 'reserving':
    case 'reserved':
      // What is sent at once is undone, not cancelled.
      return send_type === 'immediate' ? ['duplicate'] : ['duplicate', 'cancel']
    case 'waiting':
      return hasBegun(balance) ? ['report', 'stop'] : ['duplicate', 'cancel']
    case 'sending':
      return ['stop', 'report']
    case 'send_failure':
      return balance && retriable(balance) > 0 ? ['resolve', 'report', 'resync'] : ['resolve', 'report', 'duplicate']
    case 'sent':
    case 'resolved':
      return balance && retriable(balance) > 0 && status === 'sent'
        ? ['duplicate', 'resync', 'report']
        : ['duplicate', 'report']
    case 'cancelled':
      return hasBegun(balance) ? ['duplicate', 'report'] : ['duplicate']
    case 'deleted':
      return ['duplicate']
  }
}

/** What a campaign waits for, in words, with what can be done. */
function Waiting({ campaign, actions }: { campaign: Campaign; actions: Record<CampaignAction, Action> }) {
  const t = useWords('campaigns')
  const format = useFormat()
  if (campaign.status !== 'waiting' || campaign.wait_reason === null) return null
  // A running test says it itself.
  if (campaign.wait_reason === 'ab_test' || campaign.wait_reason === 'ab_undecided') return null
  const late = campaign.wait_reason === 'found_late'
  const isBraked = campaign.wait_reason === 'braked'
  const isStopped = isBraked || campaign.wait_reason === 'canary_stopped'
  const result = isBraked ? campaign.brake_result : campaign.canary_result
  const { cancel, stop, sendLate } = actions
  const begun = hasBegun(campaign.balance)
  // The rest of a test may get either of the two.
  const either = begun && campaign.ab_phase === 'asks' ? [actions.chooseA, actions.chooseB] : []
  const choices = late
    ? [begun ? stop : cancel, ...either, sendLate]
    : isStopped
      ? [stop, ...either, actions.continue]
      : campaign.wait_reason === 'canary'
        ? [actions.continue]
        : campaign.wait_reason === 'coupons_failed'
          ? [begun ? stop : cancel, actions.retryCoupons]
          : campaign.wait_reason === 'coupons_ended'
            ? [begun ? stop : cancel]
            : []
  const filled = [sendLate, actions.continue, actions.retryCoupons]
  const pending = campaign.balance?.pending ?? 0
  const sender = campaign.wait_reason === 'sender_unconfirmed' && campaign.sender
  return (
    <Notice
      tone="warning"
      title={
        late
          ? t('lateTitle')
          : isStopped
            ? t(isBraked ? 'canary.brakedTitle' : 'canary.stoppedTitle')
            : t('status.waiting')
      }
      action={
        sender ? (
          <SendConfirmation purpose="sender" email={sender.email} />
        ) : campaign.wait_reason === 'test_mode' ? (
          <TextLink to={paths.settings()} hash="test-mode">
            {t('openTestMode')}
          </TextLink>
        ) : campaign.wait_reason === 'line_quota' ? (
          <TextLink to={paths.settings()} search={{ tab: 'line' }}>
            {t('openLineSettings')}
          </TextLink>
        ) : (
          choices.length > 0 && (
            <Group gap="xs">
              {choices.map((action) => (
                <Button
                  key={action.label}
                  size="xs"
                  variant={filled.includes(action) ? 'filled' : 'default'}
                  loading={action.busy ?? false}
                  disabled={Boolean(action.disabledReason)}
                  onClick={action.onClick}
                >
                  {action.label}
                </Button>
              ))}
            </Group>
          )
        )
      }
    >
      {t(`wait.${campaign.wait_reason}`, {
        sender: campaign.sender?.email ?? '',
        people: campaign.test_mode
          ? t('testAddresses')
          : t('review.people', { count: pending, n: format.number(pending) }),
      })}
      {isStopped && result && <CanaryProblems result={result} isBraked={isBraked} />}
      {campaign.waits_until && ` ${t('waitsUntil', { time: format.scheduled(campaign.waits_until) })}`}
    </Notice>
  )
}

function CanaryProblems({ result, isBraked }: { result: CanaryResult; isBraked: boolean }) {
  const t = useWords('campaigns')
  const format = useFormat()
  return (
    <div>
      {t(isBraked ? 'canary.brakedResult' : 'canary.result', { n: format.number(result.tried) })}
      <ul>
        {problemsOf(result).map((problem) => (
          <li key={problem}>
            {t(`canary.problem.${problem}`, {
              n: format.number(result[problem]),
              limit: format.percent(canaryLimit(problem) * 100),
            })}
          </li>
        ))}
      </ul>
    </div>
  )
}

const isOver = ({ status }: Campaign): boolean =>
  status === 'cancelled' || status === 'sent' || status === 'send_failure' || status === 'resolved'

/** The audience is being written down; a table of zeros would say that no one was chosen. */
const isBeingChosen = ({ status, balance }: Campaign): boolean =>
  (status === 'collecting' || status === 'reserving') && balance?.audience === 0

const Cards = ({ campaign, actions }: { campaign: Campaign; actions: Record<CampaignAction, Action> }) => (
  <>
    <Stack gap="md">
      <BalanceCard campaign={campaign} resend={actions.resend} />
      {campaign.ab_phase !== null && campaign.ab_phase !== 'planned' && <AbTestCard campaign={campaign} />}
      {campaign.coupon !== null && campaign.reserved_at !== null && (
        <CampaignCouponsCard campaign={campaign} retry={actions.retryCoupons} />
      )}
    </Stack>
    <Stack gap="md">
      <FactsCard campaign={campaign} />
      <ResultsCard campaign={campaign} />
    </Stack>
  </>
)

function BalanceCard({ campaign, resend }: { campaign: Campaign; resend: Action }) {
  const t = useWords('campaigns')
  const format = useFormat()
  const { balance } = campaign
  return (
    <Card title={t('balance.title')}>
      {balance && isBeingChosen(campaign) ? (
        <Group gap="sm" role="status">
          <Loader size="sm" aria-hidden />
          <Text size="sm" c="dimmed">
            {t('balance.choosing')}
          </Text>
        </Group>
      ) : balance ? (
        <BalanceView
          balance={balance}
          status={campaign.status}
          uncertainAction={
            <Stack gap={6} align="flex-start">
              {t('balance.uncertain', { count: balance.uncertain, n: format.number(balance.uncertain) })}
              {!isOnItsWay(campaign.status) && (
                <Button
                  size="compact-sm"
                  variant="default"
                  leftSection={resend.icon}
                  loading={resend.busy ?? false}
                  disabled={Boolean(resend.disabledReason)}
                  onClick={resend.onClick}
                >
                  {resend.label}
                </Button>
              )}
            </Stack>
          }
        />
      ) : (
        <Text size="sm" c="dimmed">
          {t('balance.before')}
        </Text>
      )}
    </Card>
  )
}

function FactsCard({ campaign }: { campaign: Campaign }) {
  const t = useWords('campaigns')
  const format = useFormat()
  const language = useLanguage()
  const { currency } = useMerchant()
  const { tracking_parameters: utm } = campaign
  const parameters = [
    `utm_source=${utm.source ?? DEFAULT_TRACKING_SOURCE}`,
    `utm_medium=${utm.medium ?? channelsOf(campaign.channels).join(' / ')}`,
    ...(utm.campaign ? [`utm_campaign=${utm.campaign}`] : []),
  ]
  return (
    <Card title={t('facts.title')}>
      <Facts
        items={[
          {
            label: t('segment'),
            value:
              campaign.segment_type === 'all' ? (
                t('allCustomers')
              ) : campaign.customer_segment_id ? (
                <TextLink to={paths.segment(campaign.customer_segment_id)}>
                  {campaign.customer_segment?.name ?? t('segment')}
                </TextLink>
              ) : (
                t('notChosen')
              ),
          },
          { label: t('facts.channels'), value: t(`channels.${campaign.channels}`) },
          goesBy(campaign.channels, 'line') && {
            label: t('lineMessage'),
            value: campaign.line_message ? (
              <TextLink to={paths.lineMessage(campaign.line_message.id)}>{campaign.line_message.name}</TextLink>
            ) : (
              t('notChosen')
            ),
          },
          goesBy(campaign.channels, 'email') && {
            label: t('email'),
            value: campaign.email ? (
              <TextLink to={paths.email(campaign.email.id)}>{campaign.email.name}</TextLink>
            ) : (
              t('notChosen')
            ),
          },
          campaign.ab_test !== null &&
            goesBy(campaign.channels, 'email') &&
            campaign.ab_phase !== null && {
              label: t('ab.title'),
              value: t('ab.facts.value', {
                differs: t(`ab.form.${campaign.ab_test.differs}`),
                share: campaign.ab_test.share,
                count: campaign.ab_test.hours,
                hours: format.number(campaign.ab_test.hours),
                measure: t(`ab.form.measure.${campaign.ab_test.decides_by}`),
              }),
            },
          campaign.coupon !== null &&
            campaign.reserved_at === null && {
              label: t('coupon.title'),
              value: couponText(campaign.coupon, { language, names: { currency } }),
            },
          campaign.sender !== null && {
            label: t('facts.sender'),
            value: [campaign.sender.name, `<${campaign.sender.email}>`].filter(Boolean).join(' '),
          },
          { label: t('facts.sendType'), value: t(`facts.${campaign.send_type}`) },
          campaign.send_type === 'scheduled' && {
            label: t('facts.scheduledAt'),
            value: campaign.scheduled_at ? format.scheduled(campaign.scheduled_at) : t('notChosen'),
          },
          campaign.reserved_at !== null && {
            label: t(campaign.send_type === 'immediate' ? 'facts.confirmedAt' : 'facts.reservedAt'),
            value: format.dateTime(campaign.reserved_at),
          },
          campaign.sent_at !== null && { label: t('facts.sentAt'), value: format.dateTime(campaign.sent_at) },
          goesBy(campaign.channels, 'email') && {
            label: t('facts.consent'),
            value: campaign.send_to_all ? t('facts.consentSent') : t('facts.consentNotSent'),
          },
          { label: t('facts.tracking'), value: campaign.tracking_enabled ? t('facts.on') : t('facts.off') },
          campaign.tracking_enabled && { label: t('facts.utm'), value: parameters.join(' ') },
          { label: t('createdAt'), value: format.dateTime(campaign.created_at) },
        ]}
      />
    </Card>
  )
}

function ResultsCard({ campaign }: { campaign: Campaign }) {
  const t = useWords('campaigns')
  const format = useFormat()
  const { balance } = campaign
  const counted = (count: number, rate: number) =>
    t('facts.countAndRate', { n: format.number(count), rate: format.percent(rate) })
  return (
    <Card title={t('facts.results')}>
      {campaign.test_mode && balance ? (
        <Text size="sm" c="dimmed">
          {t('facts.testNotCounted')}
        </Text>
      ) : balance && balance.sent > 0 && !campaign.tracking_enabled ? (
        <Text size="sm" c="dimmed">
          {t('report.untracked')}
        </Text>
      ) : balance && balance.sent > 0 ? (
        <Facts
          items={[
            goesBy(campaign.channels, 'email') && {
              label: t('facts.opens'),
              value: counted(campaign.open_count, campaign.open_rate),
            },
            { label: t('facts.clicks'), value: counted(campaign.click_count, campaign.click_rate) },
            { label: t('facts.orders'), value: format.number(campaign.order_count) },
            { label: t('sales'), value: format.money(campaign.sales) },
          ]}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {t(isOver(campaign) ? 'facts.nothingSent' : 'facts.noResultsYet')}
        </Text>
      )}
    </Card>
  )
}

function Deliveries({ campaign }: { campaign: Campaign }) {
  const t = useWords('campaigns')
  const d = useWords('deliveries')
  const pages = usePages()
  const [status, setStatus] = useState<DeliveryStatus | null>(null)
  const [channel, setChannel] = useState<ChannelName | undefined>()
  const [group, setGroup] = useState<AbGroup | null>(null)
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), SEARCH_DELAY_MS)
  const query = useQuery({
    ...queryOf(listCampaignDeliveries, {
      params: { id: campaign.id },
      query: {
        ...pages.query,
        ...(status && { status }),
        ...(channel && { channel }),
        ...(group && { group }),
        ...(q && { q }),
      },
    }),
    placeholderData: keepPreviousData,
    // The campaign may be seen to be done before the last of its messages is.
    refetchInterval: ({ state }) =>
      isOnItsWay(campaign.status) ||
      state.data?.data.some((one) => one.status === 'pending' || one.status === 'sending')
        ? LIVE_INTERVAL_MS
        : CALM_INTERVAL_MS,
  })
  // What the balance says has changed is read at once, not at the next of its own turns.
  const counted = JSON.stringify(campaign.balance)
  const { refetch } = query
  const search = d(goesBy(campaign.channels, 'line') ? 'searchByLine' : 'search')
  useEffect(() => {
    if (counted) void refetch()
  }, [counted, refetch])
  return (
    <Card title={t('deliveries.title')}>
      <Group gap="sm">
        <TextInput
          type="search"
          flex="1 1 220px"
          maw={360}
          aria-label={search}
          placeholder={search}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            pages.toFirst()
          }}
        />
        <Select
          aria-label={d('filterStatus')}
          placeholder={d('allStatuses')}
          clearable
          value={status}
          onChange={(value) => {
            setStatus(DeliveryStatus.safeParse(value).data ?? null)
            pages.toFirst()
          }}
          data={DeliveryStatus.options.map((value) => ({ value, label: d(`status.${value}`) }))}
        />
        {campaign.ab_phase !== null && (
          <Select
            aria-label={t('ab.filter')}
            placeholder={t('ab.allGroups')}
            clearable
            w={{ base: '100%', xs: 180 }}
            value={group}
            onChange={(value) => {
              setGroup(AbGroup.safeParse(value).data ?? null)
              pages.toFirst()
            }}
            data={AbGroup.options.map((value) => ({ value, label: t(`ab.group.${value}`) }))}
          />
        )}
        {channelsOf(campaign.channels).length > 1 && (
          <ChannelFilter
            value={channel}
            onChange={(value) => {
              setChannel(value)
              pages.toFirst()
            }}
          />
        )}
      </Group>
      <DeliveryTable
        query={query}
        columns={['person', 'status', 'reason', 'sent_at', 'reaction']}
        {...pages.paging}
        narrowed={status !== null || channel !== undefined || group !== null || q !== ''}
      />
    </Card>
  )
}
