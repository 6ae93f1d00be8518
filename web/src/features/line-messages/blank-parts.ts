import type { LineAction, LineColumn, LineMessagePart, LinePartType } from '@okaeri/contract/line-messages/message'
import type { Locale } from '@okaeri/contract/locale'
import { flexSample } from './flex/flex-samples.ts'

export const partTypes = [
  'text',
  'image',
  'buttons',
  'confirm',
  'carousel',
  'image_carousel',
  'flex',
] as const satisfies readonly LinePartType[]

export const blankAction = (type: LineAction['type'] = 'uri', label = ''): LineAction => {
  if (type === 'uri') return { type, label, uri: '' }
  return type === 'message' ? { type, label, text: '' } : { type, label, data: '', display_text: '' }
}
export const blankColumn = (buttons: number): LineColumn => ({
  image_url: '',
  title: '',
  text: '',
  link_url: '',
  actions: Array.from({ length: buttons }, () => blankAction()),
})
const shape = { image_ratio: 'rectangle', image_fit: 'cover' } as const

/** What a new message of the type begins as. */
export function blankPart(type: LinePartType, language: Locale): LineMessagePart {
  switch (type) {
    case 'text':
      return { type, text: '' }
    case 'image':
      return { type, image_url: '', preview_url: '', link_url: '', ratio: '1:1', alt_text: '' }
    case 'buttons':
      return { type, alt_text: '', ...shape, ...blankColumn(1) }
    case 'confirm':
      return { type, alt_text: '', text: '', actions: [blankAction('message'), blankAction('message')] }
    case 'carousel':
      return { type, alt_text: '', ...shape, columns: [blankColumn(1), blankColumn(1)] }
    case 'image_carousel':
      return {
        type,
        alt_text: '',
        columns: [
          { image_url: '', action: blankAction() },
          { image_url: '', action: blankAction() },
        ],
      }
    case 'flex':
      return { type, alt_text: '', json: flexSample('product', language) }
  }
}
