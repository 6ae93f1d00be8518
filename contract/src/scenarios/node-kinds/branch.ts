import { checkCondition, Condition } from '../../segments/condition.ts'
import { describeRule } from '../../segments/condition-words.ts'
import { doing, same } from '../phrases.ts'
import { nodeKind } from './node-kind.ts'

export const branch = nodeKind('branch', { condition: Condition.nullable() }, ['yes', 'no'], {
  words: {
    name_ja: '条件で分ける',
    name_en: 'Branch',
    description_ja: '顧客が条件に当てはまるかどうかで分かれます。',
    description_en: 'Splits by whether the customer meets a condition.',
  },
  initial: { condition: null },
  way(port, _, language) {
    if (port === 'yes')
      return language === 'ja' ? { name: 'はい', label: '当てはまる場合' } : { name: 'Yes', label: 'If so' }
    return language === 'ja' ? { name: 'いいえ', label: '当てはまらない場合' } : { name: 'No', label: 'If not' }
  },
  check: ({ condition }, categories) =>
    condition === null || Object.keys(checkCondition(condition, 'condition', categories)).length > 0
      ? [['condition_invalid', 'settings.condition']]
      : [],
  summary({ condition }, { language, names }) {
    if (condition) return describeRule(condition, language, names)
    return language === 'ja' ? '条件が未設定です' : 'No condition set'
  },
  clause({ condition }, { language, names }) {
    const ja = language === 'ja'
    if (!condition)
      return ja
        ? doing('条件（未設定）に当てはまるかどうかで', '分かれ', '分かれます')
        : same('splits by a condition (not set yet)')
    const rule = describeRule(condition, language, names)
    return ja ? doing(`${rule}かどうかで`, '分かれ', '分かれます') : same(`splits by whether ${rule}`)
  },
})
