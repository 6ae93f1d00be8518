import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { getRestockSettings } from '@okaeri/contract/restocks/wave-routes'
import type { OpenReturn } from '@okaeri/contract/restocks/waves'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { Facts } from '../../ui/pages/detail-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx'
import { type HoldsAll, heldByOf, waitsForAPerson } from './held-by.ts'
import { variantName } from './variant-name.ts'

const tones: Record<OpenReturn['held_by'], Tone> = {
  settling: 'info',
  interval: 'progress',
  hours: 'info',
  test_mode: 'neutral',
  no_scenario: 'warning',
  reading: 'info',
  stopped: 'warning',
  many: 'warning',
}

/** What the next waves will do, before anything reaches people. `named`: on a page of many products. */
export function OpenReturns({
  title,
  open,
  total = open.length,
  named = false,
  holdsAll,
}: {
  title: string
  open: readonly OpenReturn[]
  total?: number
  named?: boolean
  /** What keeps every wave back now: a plan made before is not promised. */
  holdsAll: HoldsAll
}) {
  const t = useWords('restocks')
  const format = useFormat()
  const settings = useQuery(queryOf(getRestockSettings, {})).data?.restock_settings
  return (
    <Paper withBorder p="lg" component="section" aria-label={title}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        {open.length === 0 && <Text c="dimmed">{t('next.none')}</Text>}
        {open.map((one) => (
          <OpenOne key={one.id} one={one} named={named} heldBy={heldByOf(one, holdsAll)} />
        ))}
        {total > open.length && (
          <Text size="sm" c="dimmed">
            {t('next.more', { total: format.number(total - open.length) })}
          </Text>
        )}
        {settings && open.length > 0 && (
          <Text size="xs" c="dimmed">
            {t('next.rule', {
              each: format.number(settings.people_per_unit),
              minutes: format.number(settings.wave_minutes),
            })}
          </Text>
        )}
      </Stack>
    </Paper>
  )
}

function OpenOne({ one, named, heldBy }: { one: OpenReturn; named: boolean; heldBy: OpenReturn['held_by'] }) {
  const t = useWords('restocks')
  const format = useFormat()
  const variant = one.store_variant_id === null ? t('wholeProduct') : variantName(one.store_variant_id, one.variant)
  const product = one.product_name ?? t('unknownProduct', { id: one.store_product_id })
  const isSilent = one.unanswered_since !== null
  const isComing = !isSilent && one.due_at !== null && one.next_people > 0 && !waitsForAPerson.includes(heldBy)
  const isOver = !isSilent && one.waiting === 0 && !waitsForAPerson.includes(heldBy)
  return (
    <Paper withBorder p="md">
      <Stack gap={6}>
        <Group justify="space-between" gap="xs">
          <Text fw={600}>
            {named ? (
              <TextLink to={paths.restockProduct(one.store_product_id)}>
                {variant !== null ? `${product} / ${variant}` : product}
              </TextLink>
            ) : (
              (variant ?? product)
            )}
          </Text>
          <StatusBadge tone={isSilent ? 'warning' : isOver ? 'neutral' : tones[heldBy]}>
            {t(isSilent ? 'silent.badge' : isOver ? 'next.noOneLeft' : `hold.${heldBy}`)}
          </StatusBadge>
        </Group>
        {!isOver && (
          <Text>
            {isComing && one.due_at
              ? t('next.atTime', {
                  time: format.scheduled(one.due_at),
                  people: format.number(one.next_people),
                  count: one.next_people,
                })
              : t(one.waiting === 0 ? 'next.noOneLeft' : 'next.noOneYet')}
          </Text>
        )}
        {one.unanswered_since !== null && one.due_at !== null && (
          <Text size="sm">
            {t('silent.since', {
              since: format.dateTime(one.unanswered_since),
              again: format.scheduled(one.due_at),
            })}
          </Text>
        )}
        <Facts
          items={[
            { label: t('next.stock'), value: <Stock one={one} /> },
            {
              label: t('next.waiting'),
              value: t('people', { total: format.number(one.waiting), count: one.waiting }),
            },
          ]}
        />
      </Stack>
    </Paper>
  )
}

function Stock({ one }: { one: OpenReturn }) {
  const t = useWords('restocks')
  const format = useFormat()
  if (one.sells_without_stock) return t('next.stockAlways')
  if (one.stock === null || one.stock_read_at === null) return t('next.stockUnknown')
  return t('next.stockRead', { count: format.number(one.stock), time: format.dateTime(one.stock_read_at) })
}
