import { Id } from '../../fields.ts'
import { segmentText, triggerKind } from './trigger-kind.ts'

/** Started by a person for everyone in a segment. */
export const manual = triggerKind(
  'manual',
  { segment_id: Id.nullable() },
  { ja: '手動での開始', en: 'manual start' },
  {
    words: {
      name_ja: '手動',
      name_en: 'Manual',
      description_ja: '担当者がセグメントの顧客に対して開始したとき',
      description_en: 'When a member starts it for everyone in a segment',
    },
    initial: { segment_id: null },
    onlyStarts: true,
    missing: ({ segment_id }) => (segment_id === null ? 'segment_id' : null),
    sentence({ segment_id }, saying) {
      const segment = segmentText(segment_id, saying)
      return saying.language === 'ja'
        ? `担当者が開始すると、セグメント${segment}の顧客全員に始まります。`
        : `Starts for everyone in the segment ${segment} when a person starts it.`
    },
  },
)
