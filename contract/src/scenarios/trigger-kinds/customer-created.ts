import { always, triggerKind } from './trigger-kind.ts'

export const customerCreated = triggerKind(
  'customer_created',
  {},
  { ja: '顧客の登録', en: 'customer created' },
  {
    words: {
      name_ja: '顧客登録',
      name_en: 'Customer created',
      description_ja: '新しい顧客が登録されたとき',
      description_en: 'When a new customer is created',
    },
    initial: {},
    onlyStarts: true,
    sentence: always({ ja: '新しい顧客が登録されると始まります。', en: 'Starts when a new customer is created.' }),
  },
)
