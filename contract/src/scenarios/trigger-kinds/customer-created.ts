import { triggerKind } from './trigger-kind.ts'

export const customerCreated = triggerKind(
  'customer_created',
  {},
  { ja: '顧客の登録', en: 'customer created' },
  {
    icon: 'person_added',
    words: {
      name: { ja: '顧客登録', en: 'Customer created' },
      description: { ja: '新しい顧客が登録されたとき', en: 'When a new customer is created' },
    },
    initial: {},
    onlyStarts: true,
    sentence: () => ({ ja: '新しい顧客が登録されると始まります。', en: 'Starts when a new customer is created.' }),
  },
)
