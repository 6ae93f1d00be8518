import { SegmentedControl } from '@mantine/core'
import { DeliveryKind } from '@okaeri/contract/deliveries/delivery'
import { type ComponentProps, useState } from 'react'
import { useWords } from '../../app/i18n.ts'
import { Card } from '../../ui/pages/detail-page.tsx'
import { usePages } from '../../ui/pages/pages.ts'
import { DeliveryTable } from './delivery-table.tsx'

/** What is written by people is no receipt. */
const Kinds = DeliveryKind.exclude(['receipt'])
type Kind = (typeof Kinds.options)[number]

/** Which part of a history is shown, and what its endpoint is asked for. */
export function useHistory() {
  const pages = usePages()
  const [kind, setKind] = useState<Kind | 'all'>('all')
  return {
    asked: { ...pages.query, ...(kind !== 'all' && { kind }) },
    kind,
    choose: (value: string) => {
      setKind(Kinds.safeParse(value).data ?? 'all')
      pages.toFirst()
    },
    paging: pages.paging,
  }
}

type Table = Pick<ComponentProps<typeof DeliveryTable>, 'query' | 'columns' | 'empty' | 'countedTo'>

/** What was sent of something, on its page. */
export function HistoryCard({ history, ...table }: Table & { history: ReturnType<typeof useHistory> }) {
  const t = useWords('deliveries')
  const { kind, choose, paging } = history
  return (
    <Card
      title={t('history.title')}
      action={
        <SegmentedControl
          size="xs"
          aria-label={t('history.kindLabel')}
          value={kind}
          onChange={choose}
          data={[
            { value: 'all', label: t('history.all') },
            ...Kinds.options.map((value) => ({ value, label: t(`kind.${value}`) })),
          ]}
        />
      }
    >
      <DeliveryTable {...table} {...paging} narrowed={kind !== 'all'} />
    </Card>
  )
}
