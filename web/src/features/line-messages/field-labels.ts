import { useCallback } from 'react'
import { useWords } from '../../app/i18n.ts'

const named = [
  'text',
  'image_url',
  'preview_url',
  'link_url',
  'ratio',
  'alt_text',
  'title',
  'actions',
  'columns',
  'json',
  'label',
  'uri',
  'data',
  'display_text',
  'type',
] as const
type Named = (typeof named)[number]
const isNamed = (key: string): key is Named => (named as readonly string[]).includes(key)

/** What a field is called among all of a message: `messages.0.columns.1.title` is “1. カード2 タイトル”. */
export function useFieldLabels(): (path: string) => string {
  const t = useWords('lineMessages')
  return useCallback(
    (path: string) => {
      const keys = path.split('.')
      if (keys[0] === 'name') return t('name')
      const words: string[] = []
      for (const [at, key] of keys.entries()) {
        const number = Number(keys[at + 1]) + 1
        const isList = Number.isInteger(number)
        if (key === 'messages') words.push(isList ? `${number}.` : t('editor.parts'))
        else if (key === 'quick_replies') words.push(isList ? t('quick.number', { number }) : t('field.quick_replies'))
        else if (key === 'columns' && isList) words.push(t('column.number', { number }))
        else if (key === 'actions' && isList) words.push(t('action.number', { number }))
        else if (isNamed(key)) words.push(t(`field.${key}`))
      }
      return words.join(' ')
    },
    [t],
  )
}
