import { Modal, type ModalProps } from '@mantine/core'
import { useWords } from '../app/i18n.ts'

/** A dialog in the middle of the page, with a labelled close button. */
export function Dialog(
  props: Pick<ModalProps, 'opened' | 'onClose' | 'title' | 'size' | 'children' | 'onExitTransitionEnd'>,
) {
  const t = useWords('ui')
  return <Modal {...props} centered closeButtonProps={{ 'aria-label': t('close') }} />
}
