import { Text } from '@mantine/core'
import { getLineQuota } from '@okaeri/contract/line-quota/routes'
import type { Rehearsal } from '@okaeri/contract/scenarios/rehearsal'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/queries.ts'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { Notice } from '../../../ui/notice.tsx'

const DAY_MS = 86_400_000
/** As the quota counts. */
const MONTH_DAYS = 30

/** How many LINE messages a month it would send, beside those of the plan. Nothing where it sends none, or LINE does not say. */
export function LinePace({ rehearsal }: { rehearsal: Rehearsal }) {
  const t = useWords('rehearsal')
  const format = useFormat()
  const isAsked = rehearsal.line_messages > 0
  const { data } = useQuery({ ...queryOf(getLineQuota, {}), enabled: isAsked, refetchInterval: false, retry: false })
  const quota = data?.line_quota
  if (!isAsked || !quota) return null
  const { limit, left } = quota
  const days = (Date.parse(rehearsal.to) - Date.parse(rehearsal.from)) / DAY_MS
  const monthly = Math.round((rehearsal.line_messages / days) * MONTH_DAYS)
  const pace = t('linePace', { count: monthly, n: format.number(monthly) })
  if (limit === null || left === null)
    return (
      <Text size="sm">
        {pace} {t('lineUnlimited')}
      </Text>
    )
  const rest = t('lineLeft', { left: format.number(left), limit: format.number(limit) })
  if (monthly <= left)
    return (
      <Text size="sm">
        {pace} {rest}
      </Text>
    )
  return (
    <Notice tone="warning" title={t('lineShort')}>
      {pace} {rest}
    </Notice>
  )
}
