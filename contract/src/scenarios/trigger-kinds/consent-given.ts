import { triggerKind } from './trigger-kind.ts'

export const consentGiven = triggerKind(
  'consent_given',
  {},
  { ja: 'メール配信の許可', en: 'consent given' },
  {
    words: {
      name: { ja: '配信許可', en: 'Consent given' },
      description: { ja: '顧客がメールの受け取りに同意したとき', en: 'When a customer subscribes to emails' },
    },
    initial: {},
    sentence: () => ({
      ja: '顧客がメールの受け取りに同意すると始まります。',
      en: 'Starts when a customer subscribes to emails.',
    }),
  },
)
