import { defineWords } from '../../app/define-words.ts'

export const words = defineWords({
  ja: { title: '顧客' },
  en: { title: 'Customers' },
})
