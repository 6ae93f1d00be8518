import { z } from 'zod'
import { line } from '../../fields.ts'
import { doing, quoted, same } from '../phrases.ts'
import { nodeKind } from './node-kind.ts'

const Tags = z.array(line(1, 255)).max(20, 'too_long')

export const tagCustomer = nodeKind('tag_customer', { add: Tags, remove: Tags }, ['next'], {
  words: {
    name_ja: 'タグを追加・削除する',
    name_en: 'Tag customer',
    description_ja: '顧客のタグを追加・削除します。',
    description_en: 'Adds or removes customer tags.',
  },
  initial: { add: [], remove: [] },
  check: ({ add, remove }) => (add.length + remove.length === 0 ? [['no_tags', 'settings.add']] : []),
  summary({ add, remove }, { language }) {
    const tags = [...add.map((tag) => `＋${tag}`), ...remove.map((tag) => `−${tag}`)]
    return tags.join(' ') || (language === 'ja' ? 'タグが未入力です' : 'No tags entered')
  },
  told: { ja: 'シナリオがタグを変更：', en: 'Tags changed by scenario: ' },
  clause({ add, remove }, { language }) {
    const ja = language === 'ja'
    const list = (tags: readonly string[]) => tags.map((tag) => quoted(tag, language)).join(ja ? '' : ', ')
    if (add.length + remove.length === 0)
      return ja ? doing('タグ（未入力）を', '付け', '付けます') : same('tags the customer (no tags given yet)')
    if (ja) {
      if (remove.length === 0) return doing(`タグ${list(add)}を`, '付け', '付けます')
      const before = add.length > 0 ? `タグ${list(add)}を付け、` : ''
      return doing(`${before}タグ${list(remove)}を`, '外し', '外します')
    }
    const parts = [
      ...(add.length > 0 ? [`adds the tag${add.length > 1 ? 's' : ''} ${list(add)}`] : []),
      ...(remove.length > 0 ? [`removes the tag${remove.length > 1 ? 's' : ''} ${list(remove)}`] : []),
    ]
    return same(parts.join(' and '))
  },
})
