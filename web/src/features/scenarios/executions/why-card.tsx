import { Group, Stack, Text } from '@mantine/core'
import { getCustomer } from '@okaeri/contract/customers/routes'
import { whyInScenario } from '@okaeri/contract/scenarios/entering-routes'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { describeReentry, describeTrigger } from '@okaeri/contract/scenarios/words'
import type { Condition } from '@okaeri/contract/segments/condition'
import { Explanation } from '@okaeri/contract/segments/condition-routes'
import { IconCircleCheckFilled, IconCircleX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { z } from 'zod'
import { queryOf } from '../../../api/queries.ts'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { paths } from '../../../app/paths.ts'
import { useErrorText } from '../../../app/reasons.ts'
import { Card } from '../../../ui/pages/detail-page.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { useCategories, useNames } from '../../segments/editor/condition-names.ts'
import { Outline } from '../../segments/editor/outline.tsx'
import { CustomerPicker } from '../../emails/customer-picker.tsx'
import { ScenarioPageSearch } from '../search.ts'
import page from '../scenario-page.module.css'
import classes from './why-card.module.css'

/** Why a customer is or is not in a scenario. The customer is in the address, because their own page links here. */
export function WhyCard({ scenarioId, flow }: { scenarioId: string; flow: Flow }) {
  const t = useWords('scenarios')
  const format = useFormat()
  const errorText = useErrorText()
  const navigate = useNavigate()
  const search = ScenarioPageSearch.parse(useSearch({ strict: false }))
  const customerId = search.customer ?? null
  const card = useRef<HTMLDivElement>(null)
  const cameFor = useRef(customerId)
  useEffect(() => {
    // From a customer's page, members come for this answer, which is further down.
    if (cameFor.current !== null) card.current?.scrollIntoView({ block: 'center' })
  }, [])
  const chosen = { enabled: customerId !== null, retry: false } as const
  const customer = useQuery({ ...queryOf(getCustomer, { params: { id: customerId ?? '' } }), ...chosen })
  const query = useQuery({
    ...queryOf(whyInScenario, { params: { id: scenarioId }, query: { customer_id: customerId ?? '' } }),
    ...chosen,
  })
  const why = customerId === null ? undefined : query.data?.why
  const one = customer.data?.customer
  return (
    <Card title={t('why.title')}>
      <Stack gap="sm" ref={card}>
        <div className={page.asked}>
          <CustomerPicker
            label={t('history.customer')}
            description={t('why.intro')}
            placeholder={t('why.placeholder')}
            value={customerId}
            valueLabel={one && (one.name || one.email)}
            onChange={(id) =>
              void navigate({
                to: '.',
                search: { ...search, tab: 'people', customer: id ?? undefined },
                replace: true,
                resetScroll: false,
              })
            }
          />
        </div>
        {customerId !== null && query.error && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {errorText(query.error)}
          </Text>
        )}
        {why && (
          <div role="status">
            <Group gap="sm" mb="sm">
              <StatusBadge tone={why.in ? 'success' : 'neutral'}>{t(why.in ? 'why.in' : 'why.out')}</StatusBadge>
              {one && (
                <Text size="sm">
                  <TextLink to={paths.customer(one.id)}>{one.name || one.email}</TextLink>
                </Text>
              )}
            </Group>
            <ul className={classes.rules}>
              {why.rules.map(({ rule, admits, at, detail }, place) => {
                const Icon = admits ? IconCircleCheckFilled : IconCircleX
                return (
                  <li key={`${place} ${rule}`} data-admits={admits}>
                    <Icon size={18} aria-hidden />
                    <div>
                      <Text size="sm">
                        <b>{t(`why.rule.${rule}`)}</b> {t(admits ? `why.admits.${rule}` : `why.keepsOut.${rule}`)}
                      </Text>
                      <Detail rule={rule} detail={detail} flow={flow} />
                      {at && (!admits || rule === 'event') && (
                        <Text size="xs" c="dimmed">
                          {t('why.at', { time: format.dateTime(at) })}
                        </Text>
                      )}
                    </div>
                  </li>
                )
              })}
            </ul>
            {why.execution_ids.length > 0 && (
              <Group gap="sm" mt="sm" fz="sm">
                {why.execution_ids.slice(0, 3).map((id, place) => (
                  <TextLink key={id} to={paths.execution(id)} underline="always">
                    {t('why.execution', { n: place + 1 })}
                  </TextLink>
                ))}
              </Group>
            )}
          </div>
        )}
      </Stack>
    </Card>
  )
}

interface DetailProps {
  rule: string
  detail: Record<string, unknown> | null
  flow: Flow
}

/** The value a rule compared, if there is more to say than yes or no. */
function Detail({ rule, detail, flow }: DetailProps) {
  const t = useWords('scenarios')
  const format = useFormat()
  if (!detail) return null
  if (rule === 'condition') {
    const parts = Explanation.shape.parts.safeParse(detail.parts)
    return flow.condition && parts.success ? <Explained condition={flow.condition} parts={parts.data} /> : null
  }
  if (rule === 'event' && typeof detail.nth === 'number' && flow.trigger.kind === 'order_paid' && flow.trigger.nth)
    return (
      <Text size="sm" c="dimmed">
        {describeTrigger(flow.trigger, { language: format.language })} {t('why.nth', { n: format.number(detail.nth) })}
      </Text>
    )
  if (rule === 'reentry') {
    const last = typeof detail.last_entered_at === 'string' ? detail.last_entered_at : null
    return (
      <Text size="sm" c="dimmed">
        {[
          describeReentry(flow.reentry, format.language),
          last && t('why.lastEntered', { time: format.dateTime(last) }),
          detail.is_running === true && t('why.stillRuns'),
        ]
          .filter(Boolean)
          .join(' ')}
      </Text>
    )
  }
  if (rule === 'registered' && typeof detail.favorites === 'number' && typeof detail.registered === 'number')
    return detail.registered === 0 ? null : (
      <Text size="sm" c="dimmed">
        {t('why.favoritesRegistered', {
          all: format.number(detail.favorites),
          n: format.number(detail.registered),
        })}
      </Text>
    )
  if (rule === 'brake' && typeof detail.entries_per_hour === 'number')
    return (
      <Text size="sm" c="dimmed">
        {t('why.perHour', { n: format.number(detail.entries_per_hour) })}
      </Text>
    )
  return null
}

function Explained({ condition, parts }: { condition: Condition; parts: z.output<typeof Explanation>['parts'] }) {
  const { categories } = useCategories()
  const names = useNames(condition)
  const included = parts.find(({ path }) => path === 'conditions')?.holds ?? false
  return <Outline conditions={condition} categories={categories} names={names} explanation={{ included, parts }} />
}
