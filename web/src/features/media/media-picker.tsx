import { Stack, Text } from '@mantine/core'
import type { UserMedia } from '@okaeri/contract/media/media'
import { useState } from 'react'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type BrowserState, MediaBrowser, useMediaPage } from './media-browser.tsx'
import { DropAnywhere, UploadButton } from './upload-button.tsx'
import { UploadList } from './upload-list.tsx'

interface MediaPickerProps {
  onClose: () => void
  onPick: (media: UserMedia) => void
  /** Only what can be shown there. */
  only?: 'line'
}

/** Chooses one picture, or brings a new one first. It is there only while it is open. */
export function MediaPicker({ onClose, onPick, only }: MediaPickerProps) {
  const t = useWords('media')
  const { mayChange } = useMerchant()
  const [place, setPlace] = useState<Omit<BrowserState, 'set'>>({ q: '', folder: null, order: 'newest', page: 1 })
  const state: BrowserState = { ...place, set: (change) => setPlace((present) => ({ ...present, ...change })) }
  const query = useMediaPage(state, only)
  const folder = state.folder?.trim() ?? ''
  const isUnsafe = only === 'line' && query.data?.data.some(({ url }) => !url.startsWith('https:'))
  return (
    <Dialog opened onClose={onClose} title={t('picker.title')} size="xl">
      <Stack gap="sm">
        {isUnsafe ? (
          <Notice tone="warning">{t('picker.needsHttps')}</Notice>
        ) : (
          only === 'line' && (
            <Text size="sm" c="dimmed">
              {t('picker.lineOnly')}
            </Text>
          )
        )}
        <div>
          <UploadButton folder={folder} />
        </div>
        <UploadList />
        <MediaBrowser
          state={state}
          query={query}
          labelOf={({ name }) => t('choose', { name })}
          onPress={(media) => {
            if (media.state !== 'ready') return
            onPick(media)
            onClose()
          }}
          emptyAction={null}
        />
      </Stack>
      {mayChange && <DropAnywhere folder={folder} />}
    </Dialog>
  )
}
