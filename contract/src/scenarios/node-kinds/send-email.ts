import { TrackingParameters } from '../../campaigns/campaign.ts'
import { Id } from '../../fields.ts'
import { doing, quoted, same } from '../phrases.ts'
import { nodeKind } from './node-kind.ts'

export const sendEmail = nodeKind(
  'send_email',
  { email_id: Id.nullable(), tracking_parameters: TrackingParameters.nullable() },
  ['next'],
  {
    words: {
      name_ja: 'メールを配信する',
      name_en: 'Send email',
      description_ja: '選んだメールを顧客に配信します。',
      description_en: 'Sends the chosen email to the customer.',
    },
    initial: { email_id: null, tracking_parameters: null },
    check: ({ email_id }) => (email_id === null ? [['email_missing', 'settings.email_id']] : []),
    summary({ email_id }, { language, names }) {
      const ja = language === 'ja'
      if (email_id === null) return ja ? 'メールが未選択です' : 'No email selected'
      return names?.emailName?.(email_id) || (ja ? '選んだメール' : 'The selected email')
    },
    clause({ email_id }, { language, names }) {
      const name = email_id === null ? null : names?.emailName?.(email_id)
      if (language === 'ja') {
        const what = email_id === null ? 'メール（未選択）' : name ? `メール${quoted(name, language)}` : '選んだメール'
        return doing(`${what}を`, '配信し', '配信します')
      }
      if (email_id === null) return same('sends an email (none chosen yet)')
      return same(name ? `sends the email ${quoted(name, language)}` : 'sends the chosen email')
    },
  },
)
