import { defineWords } from '../../app/define-words.ts'

export const words = defineWords({
  ja: { title: '設定' },
  en: { title: 'Settings' },
})
