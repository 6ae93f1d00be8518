import { defineWords } from '../../app/define-words.ts'

export const words = defineWords({
  ja: { title: 'セグメント' },
  en: { title: 'Segments' },
})
