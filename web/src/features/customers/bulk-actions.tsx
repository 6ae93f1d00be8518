import { Button, Group, Radio, Stack, TagsInput, Text } from '@mantine/core'
import { suppressCustomers } from '@okaeri/contract/consent/routes'
import type { Customer } from '@okaeri/contract/customers/customer'
import { changeTags, exportCustomers, listTagChanges } from '@okaeri/contract/customers/routes'
import { type CustomerSelection, MAX_SELECTED, MAX_TICKED, type TagChange } from '@okaeri/contract/customers/selection'
import type { CustomerFilter } from '@okaeri/contract/customers/view'
import { IconDownload, IconMailOff, IconTag } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { download } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'

interface BulkActionsProps {
  ticked: Customer[]
  clear: () => void
  /** The list's filter. */
  filter: CustomerFilter
  /** The number of matches; null while only a lower bound is known. */
  total: number | null
}

/** Actions for the ticked customers, or for all that match the filter. A viewer may export them. */
export function BulkActions({ ticked, clear, filter, total }: BulkActionsProps) {
  const t = useWords('customers')
  const ui = useWords('ui')
  const language = useLanguage()
  const format = useFormat()
  const { mayChange } = useMerchant()
  const [all, setAll] = useState<{ filter: string; ticked: Customer[] } | null>(null)
  const [tagging, setTagging] = useState(false)
  const now = JSON.stringify(filter)
  // With another filter or tick it is no longer "all".
  const isAll = all !== null && total !== null && all.filter === now && all.ticked === ticked
  const count = isAll ? total : ticked.length
  const selection: CustomerSelection = isAll ? { filter } : { ids: ticked.map(({ id }) => id) }
  const people = t('bulk.people', { count, total: format.number(count) })
  const tooMany = count > MAX_SELECTED || (!isAll && count > MAX_TICKED)
  const suppress = useAction(suppressCustomers, {
    areas: ['customers', 'segments'],
    onDone: (reply) => {
      toast.done(
        t('bulk.suppressed', {
          count: reply.suppressed,
          total: format.number(reply.suppressed),
          already: format.number(reply.already_suppressed),
          without: format.number(reply.without_email),
        }),
      )
      clear()
    },
  })

  const askAndSuppress = async () => {
    const sure = await confirm({
      title: t('bulk.suppressTitle', { people }),
      body: t('bulk.suppressBody'),
      confirmLabel: t('bulk.suppressConfirm', { people }),
      danger: true,
    })
    if (sure) suppress.mutate({ body: { selection, expected_count: count } })
  }
  const askAndExport = async () => {
    const sure = await confirm({
      title: t('bulk.exportTitle', { people }),
      body: t('bulk.exportBody'),
      confirmLabel: t('bulk.export'),
    })
    if (sure)
      await download(exportCustomers, { body: { selection, lang: language } }, 'customers.csv').catch(toast.failed)
  }
  return (
    <Group gap="xs">
      <Text size="sm">{isAll ? t('bulk.allSelected', { people }) : ui('list.selected', { count: ticked.length })}</Text>
      {!isAll && total !== null && total > ticked.length && (
        <Button size="compact-sm" variant="subtle" onClick={() => setAll({ filter: now, ticked })}>
          {t('bulk.selectAll', { count: total, total: format.number(total) })}
        </Button>
      )}
      {mayChange && (
        <>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconTag size={15} aria-hidden />}
            disabled={tooMany}
            onClick={() => setTagging(true)}
          >
            {t('bulk.tag')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconMailOff size={15} aria-hidden />}
            disabled={tooMany}
            loading={suppress.isPending}
            onClick={() => void askAndSuppress()}
          >
            {t('bulk.suppress')}
          </Button>
        </>
      )}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconDownload size={15} aria-hidden />}
        disabled={!isAll && count > MAX_TICKED}
        onClick={() => void askAndExport()}
      >
        {t('bulk.export')}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={clear}>
        {t('bulk.clear')}
      </Button>
      {mayChange && tooMany && (
        <Text size="sm" c="dimmed">
          {t('bulk.tooMany', { total: format.number(isAll ? MAX_SELECTED : MAX_TICKED) })}
        </Text>
      )}
      {tagging && (
        <TagDialog
          selection={selection}
          count={count}
          people={people}
          onClose={() => setTagging(false)}
          onBegun={() => {
            setTagging(false)
            clear()
          }}
        />
      )}
    </Group>
  )
}

function TagDialog(props: {
  selection: CustomerSelection
  count: number
  people: string
  onClose: () => void
  onBegun: () => void
}) {
  const { selection, count, people, onClose, onBegun } = props
  const t = useWords('customers')
  // The same id makes a second click, or a retry after a lost answer, the same change.
  const [id] = useState(() => crypto.randomUUID())
  const [way, setWay] = useState<'add' | 'remove'>('add')
  const [tags, setTags] = useState<string[]>([])
  const begin = useAction(changeTags, {
    areas: ['segments'],
    onDone: () => {
      toast.done(t('bulk.tagBegun', { people }))
      onBegun()
    },
  })
  const submit = () =>
    begin.mutate({
      body: { id, selection, expected_count: count, add: way === 'add' ? tags : [], remove: way === 'add' ? [] : tags },
    })
  return (
    <Dialog opened onClose={onClose} title={t('bulk.tagTitle', { people })}>
      <Stack gap="md">
        <Radio.Group label={t('bulk.tagWay')} value={way} onChange={(value) => setWay(value as 'add' | 'remove')}>
          <Group mt={4}>
            <Radio value="add" label={t('bulk.tagAdd')} />
            <Radio value="remove" label={t('bulk.tagRemove')} />
          </Group>
        </Radio.Group>
        <TagsInput
          label={t('tags')}
          description={t('bulk.tagHelp')}
          value={tags}
          maxTags={20}
          acceptValueOnBlur
          data-autofocus
          onChange={(next) => setTags(next.map((tag) => tag.trim().slice(0, 255)).filter(Boolean))}
        />
        <Text size="sm">{t(way === 'add' ? 'bulk.tagAddBody' : 'bulk.tagRemoveBody', { people })}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('bulk.cancel')}
          </Button>
          <Button disabled={tags.length === 0} loading={begin.isPending} onClick={submit}>
            {t(way === 'add' ? 'bulk.tagAddConfirm' : 'bulk.tagRemoveConfirm', { people })}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

const LOOKED_MS = 2000

/** The progress of tag changes, and what the store refused. */
export function TagChanges() {
  const t = useWords('customers')
  const format = useFormat()
  const { data } = useQuery({
    ...queryOf(listTagChanges, {}),
    refetchInterval: (query) =>
      query.state.data?.tag_changes.some(({ status }) => status === 'running') ? LOOKED_MS : 30_000,
  })
  const shown = (data?.tag_changes ?? []).filter((change) => change.status !== 'done' || change.refused_count > 0)
  if (shown.length === 0) return null
  const text = (change: TagChange) => {
    const values = {
      tags: format.list([...change.add, ...change.remove]),
      done: format.number(change.done_count),
      total: format.number(change.total),
      refused: format.number(change.refused_count),
    }
    if (change.status === 'running') return t(change.add.length > 0 ? 'bulk.adding' : 'bulk.removing', values)
    return t(change.status === 'failed' ? 'bulk.gaveUp' : 'bulk.refused', values)
  }
  return (
    <Stack gap="xs">
      {shown.map((change) => (
        <Notice key={change.id} tone={change.status === 'running' ? 'info' : 'warning'}>
          {text(change)}
        </Notice>
      ))}
    </Stack>
  )
}
