import { doing, same } from '../phrases.ts'
import { nodeKind } from './node-kind.ts'

export const end = nodeKind('end', {}, [], {
  words: {
    name_ja: '終了',
    name_en: 'End',
    description_ja: 'シナリオをここで終わります。',
    description_en: 'The scenario ends here.',
  },
  initial: {},
  summary: () => '',
  clause: (_, { language }) =>
    language === 'ja' ? doing('シナリオを', '終わり', '終わります') : same('ends the scenario'),
})
