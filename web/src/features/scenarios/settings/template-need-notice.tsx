import { Text } from '@mantine/core'
import { getActionTemplate } from '@okaeri/contract/scenarios/routes'
import type { Scenario } from '@okaeri/contract/scenarios/scenario'
import { NEED_COUNTED_TO, type TemplateNeed } from '@okaeri/contract/scenarios/template'
import type { TriggerKind } from '@okaeri/contract/scenarios/trigger-kinds/index'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/queries.ts'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { paths } from '../../../app/paths.ts'
import { TextLink } from '../../../ui/links.tsx'
import { Notice } from '../../../ui/notice.tsx'

/** How much of the data a template depends on is known: without any, no one would ever enter. */
export function TemplateNeedNotice({ need, known_count: known }: TemplateNeed) {
  const t = useWords('scenarios')
  const format = useFormat()
  if (known > 0)
    return (
      <Text size="sm" c="dimmed">
        {t(known < NEED_COUNTED_TO ? `form.need.${need}` : `form.need.${need}AtLeast`, { n: format.number(known) })}
      </Text>
    )
  if (need === 'product_intervals')
    return <Notice title={t('form.need.product_intervalsNone')}>{t('form.need.product_intervalsHelp')}</Notice>
  return (
    <Notice
      tone="warning"
      title={t(`form.need.${need}None`)}
      action={
        <TextLink to={paths.settings()} search={{ tab: 'customer' }} fz="sm">
          {t('form.need.settingsDo')}
        </TextLink>
      }
    >
      {t(`form.need.${need}Help`)}
    </Notice>
  )
}

const templateOf: Partial<Record<TriggerKind, string>> = {
  birthday: 'BirthdayAction',
  browse_abandoned: 'BrowseAbandonmentAction',
  viewed_price_dropped: 'ViewedPriceAction',
}

/** On the page of a scenario whose trigger depends on data. For an active one, only shown if nothing is known. */
export function KnownOfTrigger({ scenario: { trigger, status } }: { scenario: Pick<Scenario, 'trigger' | 'status'> }) {
  const slug = templateOf[trigger.kind]
  const asks = slug !== undefined && status !== 'deleted'
  const { data } = useQuery({
    ...queryOf(getActionTemplate, { params: { slug: slug ?? '' } }),
    enabled: asks,
  })
  if (!asks || !data?.need || (status === 'active' && data.need.known_count > 0)) return null
  return <TemplateNeedNotice {...data.need} />
}
