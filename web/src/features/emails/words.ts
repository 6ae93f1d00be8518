import { defineWords } from '../../app/define-words.ts'

export const words = defineWords({
  ja: { title: 'メール' },
  en: { title: 'Emails' },
})
