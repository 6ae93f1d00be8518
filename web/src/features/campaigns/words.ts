import { defineWords } from '../../app/define-words.ts'

export const words = defineWords({
  ja: { title: 'キャンペーン' },
  en: { title: 'Campaigns' },
})
