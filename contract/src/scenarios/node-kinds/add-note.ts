import { z } from 'zod'
import { doing, quoted, same } from '../phrases.ts'
import { nodeKind } from './node-kind.ts'

const SHOWN = 40
const short = (text: string): string => ([...text].length > SHOWN ? `${[...text].slice(0, SHOWN).join('')}…` : text)

export const addNote = nodeKind('add_note', { text: z.string().max(1000, 'too_long') }, ['next'], {
  words: {
    name_ja: 'メモを残す',
    name_en: 'Add note',
    description_ja: '顧客のメモに書き加えます。',
    description_en: 'Adds a line to the customer’s note.',
  },
  initial: { text: '' },
  check: ({ text }) => (text.trim() === '' ? [['note_empty', 'settings.text']] : []),
  summary: ({ text }, { language }) => text.trim() || (language === 'ja' ? 'メモが未入力です' : 'No text entered'),
  told: { ja: 'シナリオのメモ：', en: 'Scenario note: ' },
  clause({ text }, { language }) {
    const ja = language === 'ja'
    const trimmed = text.trim()
    if (trimmed === '') return ja ? doing('メモ（未入力）を', '残し', '残します') : same('adds a note (no text yet)')
    const note = quoted(short(trimmed.replace(/\s+/g, ' ')), language)
    return ja ? doing(`メモ${note}を`, '残し', '残します') : same(`adds the note ${note}`)
  },
})
