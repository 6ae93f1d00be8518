import { checkCondition, Condition } from '../../segments/condition.ts'
import { describeRule } from '../../segments/condition-words.ts'
import { alike, doing } from '../flow/phrases.ts'
import { nodeKind } from './node-kind.ts'

export const branch = nodeKind('branch', { condition: Condition.nullable() }, ['yes', 'no'], {
  icon: 'branch',
  words: {
    name: { ja: '条件で分ける', en: 'Branch' },
    description: {
      ja: '顧客が条件に当てはまるかどうかで分かれます。',
      en: 'Splits by whether the customer meets a condition.',
    },
  },
  initial: { condition: null },
  way: (port) =>
    port === 'yes'
      ? { name: { ja: 'はい', en: 'Yes' }, label: { ja: '当てはまる場合', en: 'If so' } }
      : { name: { ja: 'いいえ', en: 'No' }, label: { ja: '当てはまらない場合', en: 'If not' } },
  check: ({ condition }, { categories }) =>
    condition === null || Object.keys(checkCondition(condition, 'condition', categories)).length > 0
      ? [['condition_invalid', 'settings.condition']]
      : [],
  summary: ({ condition }, { language, names }) =>
    condition ? alike(describeRule(condition, language, names)) : { ja: '条件が未設定です', en: 'No condition set' },
  clause({ condition }, { language, names }) {
    if (!condition)
      return {
        ja: doing('条件（未設定）に当てはまるかどうかで', '分かれ', '分かれます'),
        en: 'splits by a condition (not set yet)',
      }
    const rule = describeRule(condition, language, names)
    return { ja: doing(`${rule}かどうかで`, '分かれ', '分かれます'), en: `splits by whether ${rule}` }
  },
})
