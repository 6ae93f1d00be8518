import { Modal, type ModalProps } from '@mantine/core'
import { useWords } from '../app/i18n.ts'

/** A window over the page, in its middle, with a button to close it that says so. */
export function Dialog(props: Pick<ModalProps, 'opened' | 'onClose' | 'title' | 'size' | 'children'>) {
  const t = useWords('ui')
  return <Modal {...props} centered closeButtonProps={{ 'aria-label': t('close') }} />
}
