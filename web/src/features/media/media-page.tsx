import { Paper, Text } from '@mantine/core'
import type { UserMedia } from '@okaeri/contract/media/media'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { PageFrame } from '../../ui/pages/page-frame.tsx'
import { type BrowserState, MediaBrowser, useMediaPage } from './media-browser.tsx'
import { MediaDialog } from './media-dialog.tsx'
import { MediaSearch } from './search.ts'
import { DropAnywhere, UploadButton } from './upload-button.tsx'
import { UploadList } from './upload-list.tsx'

const MEGABYTE = 1024 * 1024

export function MediaPage() {
  const t = useWords('media')
  const format = useFormat()
  const { mayChange } = useMerchant()
  const state = useBrowserState()
  const query = useMediaPage(state)
  const [opened, setOpened] = useState<UserMedia | null>(null)
  const folder = state.folder?.trim() ?? ''
  const quota = query.data?.quota
  return (
    <>
      <PageFrame title={t('title')} description={t('description')} actions={<UploadButton folder={folder} />}>
        <UploadList />
        <Paper withBorder>
          <MediaBrowser
            state={state}
            query={query}
            labelOf={({ name }) => t('open', { name })}
            onPress={setOpened}
            emptyAction={<UploadButton folder={folder} />}
          />
        </Paper>
        <Text size="xs" c="dimmed">
          {mayChange && t('dropHint')}
          {quota &&
            ` ${t('quota', {
              count: format.number(quota.count),
              maxCount: format.number(quota.max_count),
              used: format.number(Math.round(quota.size_bytes / MEGABYTE)),
              max: format.number(Math.round(quota.max_bytes / MEGABYTE)),
            })}`}
        </Text>
      </PageFrame>
      {mayChange && opened === null && <DropAnywhere folder={folder} />}
      {opened && (
        <MediaDialog
          key={opened.id}
          media={opened}
          folders={(query.data?.folders ?? []).map(({ name }) => name)}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}

/** In the address, so that it can be shared and reloaded. */
function useBrowserState(): BrowserState {
  const search = MediaSearch.parse(useSearch({ strict: false }))
  const navigate = useNavigate()
  const { q = '', folder = null, order = 'newest', page = 1 } = search
  return {
    q,
    folder,
    order,
    page,
    set: (change) => {
      const next = { q, folder, order, page, ...change }
      void navigate({
        to: '.',
        replace: true,
        search: {
          q: next.q || undefined,
          folder: next.folder ?? undefined,
          order: next.order === 'newest' ? undefined : next.order,
          page: next.page === 1 ? undefined : next.page,
        } as never,
      })
    },
  }
}
