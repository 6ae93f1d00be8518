import { List, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { RichMenuPeriod, type RichMenuOverlap } from '@okaeri/contract/rich-menus/menu'
import { listRichMenuOverlaps } from '@okaeri/contract/rich-menus/routes'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queryClient, queryOf } from '../../api/queries.ts'
import { type Formats, useFormat } from '../../app/format.ts'
import { useWords, type Words } from '../../app/i18n.ts'
import { useErrorText } from '../../app/reasons.ts'
import { Notice } from '../../ui/notice.tsx'

const ASK_DELAY_MS = 300
/** Of more it is said how many there are. */
const NAMED = 5

interface Planned extends RichMenuPeriod {
  id?: string | undefined
  segment_id: string | null
}
interface Overlaps {
  overlaps: readonly RichMenuOverlap[]
  total: number
  of_other_segments: number
}

const queryOfOverlaps = ({ id, segment_id, starts_at, ends_at }: Planned) =>
  queryOf(listRichMenuOverlaps, {
    query: {
      ...(id && { id }),
      ...(segment_id && { segment_id }),
      ...(starts_at && { starts_at }),
      ...(ends_at && { ends_at }),
    },
  })

/** Which menus people would see instead of this one, or this one instead of them; asked again as the period changes. Nothing is kept from being saved. */
export function OverlapNotice({ planned, ofSegment }: { planned: Planned; ofSegment: boolean }) {
  const t = useWords('richMenus')
  const format = useFormat()
  const errorText = useErrorText()
  const [key] = useDebouncedValue(JSON.stringify(planned), ASK_DELAY_MS)
  const settled = JSON.parse(key) as Planned
  const { starts_at, ends_at } = settled
  const isAskable =
    (!ofSegment || settled.segment_id !== null) && RichMenuPeriod.safeParse({ starts_at, ends_at }).success
  const query = useQuery({ ...queryOfOverlaps(settled), enabled: isAskable, placeholderData: keepPreviousData })
  if (!isAskable) return null
  if (query.error && !query.data)
    return <Notice tone="info">{t('overlap.failed', { error: errorText(query.error) })}</Notice>
  const lines = query.data ? overlapLines(query.data, { t, format, isOfSegment: settled.segment_id !== null }) : []
  if (lines.length === 0) return null
  return (
    <Notice title={t('overlap.title')}>
      <List size="sm" spacing={4}>
        {lines.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
      {query.error && (
        <Text size="sm" c="dimmed">
          {t('overlap.failed', { error: errorText(query.error) })}
        </Text>
      )}
    </Notice>
  )
}

/** For the question before activating; nothing where none overlap. */
export async function fetchOverlapText(
  planned: Planned,
  words: { t: Words<'richMenus'>; format: Formats },
): Promise<string[]> {
  const found = await queryClient.fetchQuery(queryOfOverlaps(planned))
  const lines = overlapLines(found, { ...words, isOfSegment: planned.segment_id !== null })
  if (lines.length === 0) return []
  return ['', words.t('overlap.title'), ...lines.map((line) => words.t('overlap.item', { line })), '']
}

function overlapLines(
  { overlaps, total, of_other_segments }: Overlaps,
  { t, format, isOfSegment }: { t: Words<'richMenus'>; format: Formats; isOfSegment: boolean },
): string[] {
  const named = overlaps.slice(0, NAMED)
  return [
    ...named.map(({ title, segment, from, to, comes_first }) => {
      const start = from ? format.dateTime(from) : t('overlap.now')
      const period = t('periodOf', { start, end: to ? format.dateTime(to) : t('noEnd') })
      if (isOfSegment && !segment) return t('overlap.hidesForAll', { title, period })
      if (!isOfSegment && segment)
        return t('overlap.ofSegment', { title, period, segment: segment.name ?? t('segmentDeleted') })
      return t(comes_first ? 'overlap.hidden' : 'overlap.hides', { title, period })
    }),
    ...(total > named.length
      ? [t('overlap.more', { count: total - named.length, n: format.number(total - named.length) })]
      : []),
    ...(of_other_segments > 0
      ? [t('overlap.otherSegments', { count: of_other_segments, n: format.number(of_other_segments) })]
      : []),
  ]
}
