import { Id } from '../../fields.ts'
import { doing } from '../phrases.ts'
import { nodeKind } from './node-kind.ts'

/** LINE is not built yet: the node can be drawn but not enabled. */
export const sendLine = nodeKind('send_line', { line_message_id: Id.nullable() }, ['next'], {
  words: {
    name: { ja: 'LINEを配信する', en: 'Send LINE message' },
    description: {
      ja: '選んだLINEメッセージを顧客に配信します。',
      en: 'Sends the selected LINE message to the customer.',
    },
  },
  initial: { line_message_id: null },
  check: () => [['line_not_connected', 'settings.line_message_id']],
  summary: () => ({ ja: 'LINEは未連携です', en: 'LINE is not connected' }),
  clause: () => ({ ja: doing('LINEメッセージを', '配信し', '配信します'), en: 'sends a LINE message' }),
})
