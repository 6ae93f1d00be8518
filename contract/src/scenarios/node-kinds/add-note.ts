import { z } from 'zod'
import { doing, orElse, quoted } from '../flow/phrases.ts'
import { nodeKind } from './node-kind.ts'

const SHOWN = 40
const short = (text: string): string => ([...text].length > SHOWN ? `${[...text].slice(0, SHOWN).join('')}…` : text)

export const addNote = nodeKind('add_note', { text: z.string().max(1000, 'too_long') }, ['next'], {
  icon: 'note',
  words: {
    name: { ja: 'メモを残す', en: 'Add note' },
    description: { ja: '顧客のメモに書き加えます。', en: 'Adds a line to the customer’s note.' },
  },
  initial: { text: '' },
  check: ({ text }) => (text.trim() === '' ? [['note_empty', 'settings.text']] : []),
  summary: ({ text }) => orElse(text.trim(), { ja: 'メモが未入力です', en: 'No text entered' }),
  timelineLabel: { ja: 'シナリオのメモ：', en: 'Scenario note: ' },
  clause({ text }, { language }) {
    const trimmed = text.trim()
    if (trimmed === '') return { ja: doing('メモ（未入力）を', '残し', '残します'), en: 'adds a note (no text yet)' }
    const note = quoted(short(trimmed.replace(/\s+/g, ' ')), language)
    return { ja: doing(`メモ${note}を`, '残し', '残します'), en: `adds the note ${note}` }
  },
})
