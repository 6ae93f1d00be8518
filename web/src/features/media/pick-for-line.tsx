import { Button } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { useState } from 'react'
import { useWords } from '../../app/i18n.ts'
import { MediaPicker } from './media-picker.tsx'

/** The address of a picture that LINE shows. `copy`: the picture itself, or as wide as cards take it. */
export function PickForLine({ copy, onPick }: { copy: 'full' | 'line'; onPick: (url: string) => void }) {
  const t = useWords('media')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPhoto size={16} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {t('picker.fromLibrary')}
      </Button>
      {isOpen && (
        <MediaPicker
          only="line"
          onClose={() => setIsOpen(false)}
          onPick={(media) => onPick(copy === 'full' ? media.url : media.line_url)}
        />
      )}
    </>
  )
}
