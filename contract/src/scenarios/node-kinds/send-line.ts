import { TrackingParameters } from '../../campaigns/campaign.ts'
import { Id } from '../../fields.ts'
import { doing, orElse, quoted } from '../flow/phrases.ts'
import { nodeKind } from './node-kind.ts'

export const sendLine = nodeKind(
  'send_line',
  { line_message_id: Id.nullable(), tracking_parameters: TrackingParameters.nullable().default(null) },
  ['next'],
  {
    icon: 'line',
    words: {
      name: { ja: 'LINEを配信する', en: 'Send LINE message' },
      description: {
        ja: '選んだLINEメッセージを顧客に配信します。',
        en: 'Sends the selected LINE message to the customer.',
      },
    },
    initial: { line_message_id: null, tracking_parameters: null },
    check: ({ line_message_id }) =>
      line_message_id === null ? [['line_message_missing', 'settings.line_message_id']] : [],
    summary: ({ line_message_id: id }, { names }) =>
      id === null
        ? { ja: 'LINEメッセージが未選択です', en: 'No LINE message selected' }
        : orElse(names?.contentName?.(id), { ja: '選んだLINEメッセージ', en: 'The selected LINE message' }),
    clause({ line_message_id: id }, { language, names }) {
      if (id === null)
        return {
          ja: doing('LINEメッセージ（未選択）を', '配信し', '配信します'),
          en: 'sends a LINE message (none selected yet)',
        }
      const name = names?.contentName?.(id)
      if (!name)
        return {
          ja: doing('選んだLINEメッセージを', '配信し', '配信します'),
          en: 'sends the selected LINE message',
        }
      const message = quoted(name, language)
      return {
        ja: doing(`LINEメッセージ${message}を`, '配信し', '配信します'),
        en: `sends the LINE message ${message}`,
      }
    },
  },
)
