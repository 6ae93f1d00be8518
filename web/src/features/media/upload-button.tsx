import { Button, FileButton } from '@mantine/core'
import { pictureTypes } from '@okaeri/contract/media/media'
import { IconUpload } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { ActionButton } from '../../ui/actions.tsx'
import classes from './media.module.css'
import { addUploads } from './uploads.ts'

/** Named one by one, a phone turns its own format into one of them. */
const ACCEPTED = pictureTypes.join(',')

const useTake = (folder: string): ((files: readonly File[]) => void) => {
  const t = useWords('media')
  const { member } = useMerchant()
  return (files) => {
    if (files.length > 0) addUploads(files, { memberId: member.id, folder, nameOfPasted: t('uploads.pasted') })
  }
}

export function UploadButton({ folder }: { folder: string }) {
  const t = useWords('media')
  const { mayChange } = useMerchant()
  const take = useTake(folder)
  const icon = <IconUpload size={18} aria-hidden />
  if (!mayChange)
    return <ActionButton action={{ label: t('upload'), icon, primary: true, disabledReason: t('viewerMayNot') }} />
  return (
    <FileButton onChange={take} accept={ACCEPTED} multiple>
      {(props) => (
        <Button {...props} leftSection={icon}>
          {t('upload')}
        </Button>
      )}
    </FileButton>
  )
}

const filesOf = (data: DataTransfer | null): File[] => [...(data?.files ?? [])]

/** While this is there, pictures may be dropped anywhere or pasted; the button is the way for a keyboard. */
export function DropAnywhere({ folder }: { folder: string }) {
  const t = useWords('media')
  const take = useTake(folder)
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    const listening = new AbortController()
    const options = { signal: listening.signal }
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false
    document.addEventListener(
      'dragover',
      (event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setIsOver(true)
      },
      options,
    )
    document.addEventListener(
      'dragleave',
      // Out of the window, not into another part of the page.
      (event) => event.relatedTarget === null && setIsOver(false),
      options,
    )
    document.addEventListener(
      'drop',
      (event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setIsOver(false)
        take(filesOf(event.dataTransfer))
      },
      options,
    )
    // Text goes into a field that has the focus, as ever.
    document.addEventListener('paste', (event) => take(filesOf(event.clipboardData)), options)
    return () => listening.abort()
  }, [take])
  return isOver ? <div className={classes.over}>{t('drop')}</div> : null
}
