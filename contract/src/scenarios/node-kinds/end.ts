import { alike, doing } from '../flow/phrases.ts'
import { nodeKind } from './node-kind.ts'

export const end = nodeKind('end', {}, [], {
  icon: 'flag',
  words: {
    name: { ja: '終了', en: 'End' },
    description: { ja: 'シナリオをここで終わります。', en: 'The scenario ends here.' },
  },
  initial: {},
  summary: () => alike(''),
  clause: () => ({ ja: doing('シナリオを', '終わり', '終わります'), en: 'ends the scenario' }),
})
