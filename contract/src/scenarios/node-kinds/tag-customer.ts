import { z } from 'zod'
import { line } from '../../fields.ts'
import { doing, orElse, quoted } from '../flow/phrases.ts'
import { nodeKind } from './node-kind.ts'

const Tags = z.array(line(1, 255)).max(20, 'too_long')

export const tagCustomer = nodeKind('tag_customer', { add: Tags, remove: Tags }, ['next'], {
  icon: 'tag',
  words: {
    name: { ja: 'タグを追加・削除する', en: 'Tag customer' },
    description: { ja: '顧客のタグを追加・削除します。', en: 'Adds or removes customer tags.' },
  },
  initial: { add: [], remove: [] },
  check: ({ add, remove }) => (add.length + remove.length === 0 ? [['no_tags', 'settings.add']] : []),
  summary({ add, remove }) {
    const tags = [...add.map((tag) => `＋${tag}`), ...remove.map((tag) => `−${tag}`)]
    return orElse(tags.join(' '), { ja: 'タグが未入力です', en: 'No tags entered' })
  },
  timelineLabel: { ja: 'シナリオがタグを変更：', en: 'Tags changed by scenario: ' },
  clause({ add, remove }, { language }) {
    if (add.length + remove.length === 0)
      return { ja: doing('タグ（未入力）を', '付け', '付けます'), en: 'tags the customer (no tags entered yet)' }
    const list = (tags: readonly string[]) =>
      tags.map((tag) => quoted(tag, language)).join({ ja: '', en: ', ' }[language])
    const adding = { ja: `タグ${list(add)}を`, en: `adds the tag${add.length > 1 ? 's' : ''} ${list(add)}` }
    const removing = {
      ja: `タグ${list(remove)}を`,
      en: `removes the tag${remove.length > 1 ? 's' : ''} ${list(remove)}`,
    }
    if (remove.length === 0) return { ja: doing(adding.ja, '付け', '付けます'), en: adding.en }
    if (add.length === 0) return { ja: doing(removing.ja, '外し', '外します'), en: removing.en }
    return {
      ja: doing(`${adding.ja}付け、${removing.ja}`, '外し', '外します'),
      en: `${adding.en} and ${removing.en}`,
    }
  },
})
