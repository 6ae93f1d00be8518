import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { getOutlook, type Outlook, PEOPLE_COUNTED_TO } from '@okaeri/contract/scenarios/outlook'
import { channelOfKind } from '@okaeri/contract/scenarios/flow/flow'
import { couponText } from '@okaeri/contract/scenarios/flow/phrases'
import { getRehearsal, type Rehearsal, rehearseScenario } from '@okaeri/contract/scenarios/rehearsal'
import { getScenario } from '@okaeri/contract/scenarios/routes'
import type { Scenario } from '@okaeri/contract/scenarios/scenario'
import { isPostPurchase } from '@okaeri/contract/scenarios/trigger'
import { describeTrigger } from '@okaeri/contract/scenarios/words'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../../api/call.ts'
import { queryClient, queryOf } from '../../../api/queries.ts'
import { useFormat } from '../../../app/format.ts'
import { useWords, word } from '../../../app/i18n.ts'
import { MerchantProvider, useMerchant } from '../../../app/merchant.tsx'
import { Facts } from '../../../ui/pages/detail-page.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useCounted } from '../counted.ts'
import { useFlowSaying } from '../flow-picture/flow-names.ts'
import { LinePace } from '../rehearsals/line-pace.tsx'

/** Asks before a scenario is enabled: `if (await askToEnable(scenario)) enable()`. */
export function askToEnable(scenario: Scenario): Promise<boolean> {
  return new Promise((resolve) => {
    const id = `enable ${scenario.id}`
    const answer = (sure: boolean) => {
      resolve(sure)
      modals.close(id)
    }
    modals.open({
      modalId: id,
      title: word('scenarios', 'ask.enableTitle', { name: scenario.name }),
      centered: true,
      size: 'lg',
      closeButtonProps: { 'aria-label': word('ui', 'close') },
      onClose: () => resolve(false),
      // Dialogs hang above the shell, which already provides the merchant.
      children: (
        <MerchantProvider loading={null} failed={() => null}>
          <EnableQuestion scenario={scenario} answer={answer} />
        </MerchantProvider>
      ),
    })
  })
}

function EnableQuestion({ scenario, answer }: { scenario: Scenario; answer: (sure: boolean) => void }) {
  const t = useWords('scenarios')
  const ui = useWords('ui')
  const format = useFormat()
  const { setting } = useMerchant()
  const params = { id: scenario.id }
  const seldom = { refetchInterval: false } as const
  const { data: detail } = useQuery({ ...queryOf(getScenario, { params }), ...seldom })
  const { data, error } = useQuery({ ...queryOf(getOutlook, { params }), ...seldom, retry: false })
  const flow = detail?.action.flow ?? null
  const saying = useFlowSaying(flow)
  const outlook = data?.outlook
  const hours = setting.sending_hours
  const waitsForHours =
    hours.enabled &&
    flow?.nodes.some(({ kind }) => channelOfKind(kind) !== null) === true &&
    !(hours.exclude_post_purchase && isPostPurchase(flow.trigger.kind))
  const row = (value: (outlook: Outlook) => React.ReactNode) =>
    outlook ? value(outlook) : error ? t('enabling.unknown') : <Skeleton h={14} my={4} w="60%" />
  return (
    <Stack gap="md">
      {setting.test_mode && <Notice tone="warning">{t('ask.enableTestMode')}</Notice>}
      <Facts
        items={[
          {
            label: t('view.trigger'),
            value: flow ? describeTrigger(flow.trigger, saying) : <Skeleton h={14} my={4} />,
          },
          {
            label: t('view.condition'),
            value: flow ? t(flow.condition ? 'view.narrowed' : 'view.everyone') : <Skeleton h={14} my={4} w="40%" />,
          },
          { label: t('enabling.expected'), value: <Expected scenario={scenario} /> },
          { label: t('enabling.atOnce'), value: row((known) => <AtOnce outlook={known} />) },
          {
            label: t('enabling.channel'),
            value: row(({ emails, line_messages: onLine }) => (
              <>
                {emails > 0 && <div>{t('enabling.emails', { count: emails, n: format.number(emails) })}</div>}
                {onLine > 0 && <div>{t('enabling.lineMessages', { count: onLine, n: format.number(onLine) })}</div>}
                {emails + onLine === 0 && t('enabling.noMessages')}
              </>
            )),
          },
          waitsForHours && {
            label: t('enabling.hours'),
            value: t('enabling.hoursText', { start: hours.start, end: hours.end }),
          },
          {
            label: t('enabling.sender'),
            value: row(({ senders }) =>
              senders.length === 0
                ? null
                : senders.map(({ name, email }) => (
                    <div key={`${name} ${email}`} style={{ overflowWrap: 'anywhere' }}>
                      {t('enabling.from', { name, email })}
                    </div>
                  )),
            ),
          },
          {
            label: t('enabling.coupon'),
            value: row(({ coupons }) =>
              coupons.length === 0
                ? t('enabling.noCoupon')
                : coupons.map((terms, at) => <div key={at}>{couponText(terms, saying)}</div>),
            ),
          },
          scenario.include_all_customers && { label: t('view.consent'), value: t('form.includeAllOn') },
          scenario.holdout_percent > 0 && {
            label: t('view.holdout'),
            value: t('enabling.holdout', { n: format.number(scenario.holdout_percent) }),
          },
        ]}
      />
      {outlook && outlook.without_cancel_link > 0 && (
        <Notice tone="warning">
          {t('enabling.noCancelLink', {
            count: outlook.without_cancel_link,
            n: format.number(outlook.without_cancel_link),
          })}
        </Notice>
      )}
      {outlook && outlook.also_active.length > 0 && (
        <Notice tone="info">
          {t('enabling.alsoActive', { names: format.list(outlook.also_active.map(({ name }) => name)) })}
        </Notice>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={() => answer(false)}>
          {ui('cancel')}
        </Button>
        <Button leftSection={<IconPlayerPlay size={18} aria-hidden />} onClick={() => answer(true)}>
          {t('do.enable')}
        </Button>
      </Group>
    </Stack>
  )
}

function AtOnce({ outlook }: { outlook: Outlook }) {
  const t = useWords('scenarios')
  const format = useFormat()
  const { inWords } = useCounted()
  const { held, held_late: late, waiting, next_day: next } = outlook
  const goesOn = held - late
  return (
    <>
      {goesOn > 0 && <div>{t('ask.enableHeld', inWords(goesOn))}</div>}
      {late > 0 && <div>{t('enabling.late', inWords(late))}</div>}
      {waiting > 0 && <div>{t('enabling.waiting', inWords(waiting))}</div>}
      {next && (
        <div>
          {t(nextDayKey(next.people), {
            count: next.people,
            n: format.number(next.people),
            time: format.dateTime(next.at),
          })}
        </div>
      )}
      {held === 0 && waiting === 0 && !next && t('enabling.nobodyAtOnce')}
    </>
  )
}

const nextDayKey = (people: number) =>
  people === 0
    ? ('enabling.nextDayNone' as const)
    : people < PEOPLE_COUNTED_TO
      ? ('enabling.nextDay' as const)
      : ('enabling.nextDayAtLeast' as const)

const ASK_AGAIN_MS = 1000
/** After this time the page stops waiting for the number; the rehearsal continues. */
const PATIENCE_MS = 20_000
/** An older rehearsal is run again. */
const FRESH_MS = 24 * 3_600_000

/** What the last 90 days would have brought. Starts a rehearsal if there is none of the saved flow; enabling never waits for it. */
function Expected({ scenario }: { scenario: Scenario }) {
  const t = useWords('scenarios')
  const params = { id: scenario.id }
  const manual = scenario.trigger.kind === 'manual'
  const [begun, setBegun] = useState<'no' | 'yes' | 'failed'>('no')
  const [waited, setWaited] = useState(false)
  const { data, error } = useQuery({
    ...queryOf(getRehearsal, { params }),
    enabled: !manual,
    refetchInterval: ({ state }) => (state.data?.rehearsal?.status === 'running' && !waited ? ASK_AGAIN_MS : false),
  })
  const last = data?.rehearsal ?? null
  const isFresh = last !== null && !last.outdated && Date.now() - Date.parse(last.to) < FRESH_MS
  const needed = data !== undefined && (!isFresh || last.status === 'failed')
  useEffect(() => {
    if (!needed || begun !== 'no') return
    setBegun('yes')
    call(rehearseScenario, { params: { id: scenario.id }, body: {} }).then(
      (reply) => queryClient.setQueryData(queryOf(getRehearsal, { params: { id: scenario.id } }).queryKey, reply),
      () => setBegun('failed'),
    )
  }, [needed, begun, scenario.id])
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  if (manual) return t('enabling.manual')
  if (error || begun === 'failed' || (last?.status === 'failed' && begun === 'yes')) return t('enabling.unknown')
  if (isFresh && last.status === 'done')
    return (
      <>
        <Volume rehearsal={last} />
        <LinePace rehearsal={last} />
      </>
    )
  if (waited) return t('enabling.takesLonger')
  return (
    <>
      <Skeleton h={14} my={4} w="70%" />
      <Text size="xs" c="dimmed">
        {t('enabling.counting')}
      </Text>
    </>
  )
}

/** With fewer, a rate means nothing. */
const ENOUGH = 10

function Volume({ rehearsal }: { rehearsal: Rehearsal }) {
  const t = useWords('scenarios')
  const format = useFormat()
  const { from, to, entered, people, per_day: days, busiest_day: busiest } = rehearsal
  const messages = rehearsal.mails + rehearsal.line_messages
  const span = (Date.parse(to) - Date.parse(from)) / DAY_MS
  const n = format.number
  if (entered === 0) return t('enabling.none')
  if (people === 0) return t('enabling.nobodyMailable', { count: entered, n: n(entered) })
  if (people < ENOUGH) return t('enabling.tooFew', { count: people, n: n(people) })
  // A customer reached twice within 90 days counts in both weeks; several messages of one entry count once.
  const weekly = (Math.min(entered, messages) * 7) / span
  const first = days[0]?.day
  const quiet = first ? (Date.parse(first) - Date.parse(from)) / DAY_MS : 0
  return (
    <>
      <Text size="sm" fw={600}>
        {weekly >= 14
          ? t('enabling.perDay', { week: n(weekly), day: n(weekly / 7) })
          : weekly >= 1
            ? t('enabling.perWeek', { week: n(weekly) })
            : t('enabling.perMonth', { month: n((Math.min(entered, messages) * 30) / span) })}
      </Text>
      <Text size="xs" c="dimmed">
        {t('enabling.basis', {
          people: n(people),
          messages: n(messages),
          busiest: n((busiest?.mails ?? 0) + (busiest?.line_messages ?? 0)),
        })}
        {first && quiet > span / 3 && ` ${t('enabling.young', { day: format.calendarDay(first) })}`}
      </Text>
    </>
  )
}
const DAY_MS = 86_400_000
