import { TrackingParameters } from '../../campaigns/campaign.ts'
import { Id } from '../../fields.ts'
import { doing, orElse, quoted } from '../flow/phrases.ts'
import { nodeKind } from './node-kind.ts'

export const sendEmail = nodeKind(
  'send_email',
  { email_id: Id.nullable(), tracking_parameters: TrackingParameters.nullable() },
  ['next'],
  {
    icon: 'mail',
    words: {
      name: { ja: 'メールを配信する', en: 'Send email' },
      description: { ja: '選んだメールを顧客に配信します。', en: 'Sends the selected email to the customer.' },
    },
    initial: { email_id: null, tracking_parameters: null },
    check: ({ email_id }) => (email_id === null ? [['email_missing', 'settings.email_id']] : []),
    summary: ({ email_id }, { names }) =>
      email_id === null
        ? { ja: 'メールが未選択です', en: 'No email selected' }
        : orElse(names?.contentName?.(email_id), { ja: '選んだメール', en: 'The selected email' }),
    clause({ email_id }, { language, names }) {
      if (email_id === null)
        return { ja: doing('メール（未選択）を', '配信し', '配信します'), en: 'sends an email (none selected yet)' }
      const name = names?.contentName?.(email_id)
      if (!name) return { ja: doing('選んだメールを', '配信し', '配信します'), en: 'sends the selected email' }
      const email = quoted(name, language)
      return { ja: doing(`メール${email}を`, '配信し', '配信します'), en: `sends the email ${email}` }
    },
  },
)
