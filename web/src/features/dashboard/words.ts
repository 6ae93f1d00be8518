import { defineWords } from '../../app/define-words.ts'

export const words = defineWords({
  ja: { title: 'ダッシュボード' },
  en: { title: 'Dashboard' },
})
