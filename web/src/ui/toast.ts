import { notifications } from '@mantine/notifications'
import { word } from '../app/i18n.ts'
import { errorText } from '../app/reasons.ts'

/** A short message at the bottom center for 5 seconds (spec §9). */
const show = (message: string, tone: 'done' | 'failed') =>
  notifications.show({
    message,
    color: tone === 'done' ? 'teal' : 'red',
    role: tone === 'done' ? 'status' : 'alert',
    closeButtonProps: { 'aria-label': word('ui', 'close') },
  })

export const toast = {
  saved: () => show(word('ui', 'toast.saved'), 'done'),
  duplicated: () => show(word('ui', 'toast.duplicated'), 'done'),
  deleted: () => show(word('ui', 'toast.deleted'), 'done'),
  done: (message: string) => show(message, 'done'),
  /** Spec §8: 'Error: {error}'. */
  failed: (error: unknown): undefined => void show(word('ui', 'toast.error', { error: errorText(error) }), 'failed'),
  error: (message: string) => show(message, 'failed'),
}
