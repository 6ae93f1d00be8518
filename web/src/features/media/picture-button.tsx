import { Button } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { type ComponentProps, useState } from 'react'
import { MediaPicker } from './media-picker.tsx'

interface PictureButtonProps extends Omit<ComponentProps<typeof MediaPicker>, 'onClose'> {
  label: string
}

/** Opens the library, to choose a picture from. */
export function PictureButton({ label, ...picker }: PictureButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPhoto size={16} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {label}
      </Button>
      {isOpen && <MediaPicker {...picker} onClose={() => setIsOpen(false)} />}
    </>
  )
}
