import { Button, CloseButton, Group, Pagination, Select, Skeleton, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import type { UserMedia } from '@okaeri/contract/media/media'
import { listMedia } from '@okaeri/contract/media/routes'
import { IconPhoto, IconPhotoOff, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { Empty, LoadFailed } from '../../ui/states.tsx'
import classes from './media.module.css'

const SEARCH_DELAY_MS = 250
const SKELETON_TILES = 12
/** What stands in the address for the pictures in no folder: a folder's name is never only a blank. */
export const NO_FOLDER = ' '

export const orders = {
  newest: { sort: 'created_at', direction: 'desc' },
  oldest: { sort: 'created_at', direction: 'asc' },
  name: { sort: 'name', direction: 'asc' },
  largest: { sort: 'size_bytes', direction: 'desc' },
} as const
export type Order = keyof typeof orders

export interface BrowserState {
  q: string
  /** Null: all. */
  folder: string | null
  order: Order
  page: number
  set: (change: Partial<Omit<BrowserState, 'set'>>) => void
}

export const PAGE_SIZE = 50

export const useMediaPage = ({ q, folder, order, page }: BrowserState, only?: 'line') =>
  useQuery({
    ...queryOf(listMedia, {
      query: {
        limit: PAGE_SIZE,
        offset: (page - 1) * PAGE_SIZE,
        ...orders[order],
        ...(q && { q }),
        ...(folder !== null && { folder: folder.trim() }),
        ...(only && { for: only }),
      },
    }),
    placeholderData: keepPreviousData,
  })

interface MediaBrowserProps {
  state: BrowserState
  query: ReturnType<typeof useMediaPage>
  /** What a press on a picture does, as its label says. */
  labelOf: (media: UserMedia) => string
  onPress: (media: UserMedia) => void
  /** Where there is nothing at all. */
  emptyAction: ReactNode
}

/** The pictures as a grid, with search, folders and order; on the page of pictures and wherever one is chosen. */
export function MediaBrowser({ state, query, labelOf, onPress, emptyAction }: MediaBrowserProps) {
  const t = useWords('media')
  const ui = useWords('ui')
  const page = query.data
  const isNarrowed = state.q !== '' || state.folder !== null
  return (
    <>
      <Filters state={state} folders={page?.folders ?? []} />
      {query.error && !page ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : !page ? (
        <div className={classes.grid} role="status" aria-label={ui('loading')}>
          {Array.from({ length: SKELETON_TILES }, (_, at) => (
            <Skeleton key={at} height={170} />
          ))}
        </div>
      ) : page.total === 0 ? (
        <Empty
          icon={isNarrowed ? IconSearch : IconPhoto}
          title={isNarrowed ? ui('list.noMatch') : t('empty.title')}
          text={isNarrowed ? ui('list.noMatchHint') : t('empty.text')}
          action={
            isNarrowed ? (
              <Button variant="default" onClick={() => state.set({ q: '', folder: null, page: 1 })}>
                {ui('clear')}
              </Button>
            ) : (
              emptyAction
            )
          }
        />
      ) : (
        <>
          <ul className={classes.grid} data-refreshing={query.isPlaceholderData || undefined}>
            {page.data.map((media) => (
              <li key={media.id}>
                <Tile media={media} label={labelOf(media)} onPress={() => onPress(media)} />
              </li>
            ))}
          </ul>
          {page.total > PAGE_SIZE && (
            <Group justify="center" pb="md">
              <Pagination
                size="sm"
                total={Math.ceil(page.total / PAGE_SIZE)}
                value={state.page}
                onChange={(to) => state.set({ page: to })}
                getItemProps={(number) => ({ 'aria-label': ui('list.page', { page: number }) })}
                getControlProps={(control) => ({ 'aria-label': ui(`list.${control}`) })}
              />
            </Group>
          )}
        </>
      )}
    </>
  )
}

function Filters({ state, folders }: { state: BrowserState; folders: readonly { name: string; count: number }[] }) {
  const t = useWords('media')
  const ui = useWords('ui')
  const format = useFormat()
  const [typed, setTyped] = useState(state.q)
  const apply = useDebouncedCallback((q: string) => state.set({ q, page: 1 }), SEARCH_DELAY_MS)
  useEffect(() => setTyped(state.q), [state.q])
  const type = (q: string) => {
    setTyped(q)
    apply(q)
  }
  return (
    <Group p="sm" gap="sm" className={classes.filters}>
      <TextInput
        type="search"
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
        placeholder={t('search')}
        aria-label={t('search')}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={typed && <CloseButton size="sm" aria-label={ui('clear')} onClick={() => type('')} />}
      />
      <Select
        aria-label={t('folder')}
        value={state.folder ?? ''}
        data={[
          { value: '', label: t('allFolders') },
          { value: NO_FOLDER, label: t('noFolder') },
          ...folders.map(({ name, count }) => ({
            value: name,
            label: t('folderWithCount', { name, n: format.number(count) }),
          })),
        ]}
        onChange={(folder) => state.set({ folder: folder || null, page: 1 })}
        allowDeselect={false}
      />
      <Select
        aria-label={t('sort.label')}
        value={state.order}
        data={Object.keys(orders).map((order) => ({ value: order, label: t(`sort.${order as Order}`) }))}
        onChange={(order) => order && state.set({ order: order as Order, page: 1 })}
        allowDeselect={false}
      />
    </Group>
  )
}

function Tile({ media, label, onPress }: { media: UserMedia; label: string; onPress: () => void }) {
  const t = useWords('media')
  const format = useFormat()
  return (
    <button type="button" className={classes.tile} aria-label={label} onClick={onPress}>
      <span className={classes.frame}>
        {media.state === 'ready' ? (
          <img src={media.small_url} alt="" loading="lazy" decoding="async" />
        ) : (
          <IconPhotoOff size={28} stroke={1.5} aria-hidden />
        )}
      </span>
      <span className={classes.caption}>
        <span className={classes.name}>{media.name}</span>
        {media.state === 'missing' ? (
          <Text component="span" size="xs" c="var(--mantine-color-error)">
            {t('missing')}
          </Text>
        ) : (
          <span className={classes.facts}>
            {t('size', { width: media.width ?? 0, height: media.height ?? 0, bytes: format.bytes(media.size_bytes) })}
          </span>
        )}
      </span>
    </button>
  )
}
