import { Id } from '../../fields.ts'
import { doing, same } from '../phrases.ts'
import { nodeKind } from './node-kind.ts'

/** The channel comes later: the node can be drawn, not enabled. */
export const sendLine = nodeKind('send_line', { line_message_id: Id.nullable() }, ['next'], {
  words: {
    name_ja: 'LINEを配信する',
    name_en: 'Send LINE',
    description_ja: '選んだLINEメッセージを顧客に配信します。',
    description_en: 'Sends the chosen LINE message to the customer.',
  },
  initial: { line_message_id: null },
  check: () => [['line_not_connected', 'settings.line_message_id']],
  summary: (_, { language }) => (language === 'ja' ? 'LINEは未連携です' : 'LINE is not connected'),
  clause: (_, { language }) =>
    language === 'ja' ? doing('LINEメッセージを', '配信し', '配信します') : same('sends a LINE message'),
})
