import { always, triggerKind } from './trigger-kind.ts'

export const consentGiven = triggerKind(
  'consent_given',
  {},
  { ja: 'メール配信の許可', en: 'consent given' },
  {
    words: {
      name_ja: '配信許可',
      name_en: 'Consent given',
      description_ja: '顧客がメールの受け取りに同意したとき',
      description_en: 'When a customer subscribes to emails',
    },
    initial: {},
    sentence: always({
      ja: '顧客がメールの受け取りに同意すると始まります。',
      en: 'Starts when a customer subscribes to emails.',
    }),
  },
)
