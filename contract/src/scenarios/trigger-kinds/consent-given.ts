import { triggerKind } from './trigger-kind.ts'

export const consentGiven = triggerKind(
  'consent_given',
  {},
  { ja: 'マーケティング許可', en: 'marketing permission given' },
  {
    icon: 'mail_check',
    words: {
      name: { ja: 'マーケティング許可', en: 'Marketing permission given' },
      description: { ja: '顧客がメールの受け取りに同意したとき', en: 'When a customer subscribes to emails' },
    },
    initial: {},
    sentence: () => ({
      ja: '顧客がメールの受け取りに同意すると始まります。',
      en: 'Starts when a customer subscribes to emails.',
    }),
  },
)
