import { Button } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { useState } from 'react'
import { useWords } from '../../app/i18n.ts'
import { imageTag } from './image-tag.ts'
import { MediaPicker } from './media-picker.tsx'

/** Puts a picture into the code of an email, at the cursor. */
export function InsertPicture({ insert }: { insert: (html: string) => void }) {
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
        {t('picker.insert')}
      </Button>
      {isOpen && <MediaPicker onClose={() => setIsOpen(false)} onPick={(media) => insert(imageTag(media))} />}
    </>
  )
}
