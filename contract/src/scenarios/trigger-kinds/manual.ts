import { Id } from '../../fields.ts'
import { segmentText, triggerKind } from './trigger-kind.ts'

/** Started by a member for everyone in a segment. */
export const manual = triggerKind(
  'manual',
  { segment_id: Id.nullable() },
  { ja: '手動での開始', en: 'manual start' },
  {
    icon: 'hand',
    words: {
      name: { ja: '手動', en: 'Manual' },
      description: {
        ja: '担当者がセグメントの顧客に対して開始したとき',
        en: 'When a member starts it for everyone in a segment',
      },
    },
    initial: { segment_id: null },
    onlyStarts: true,
    missing: ({ segment_id }) => (segment_id === null ? 'segment_id' : null),
    sentence({ segment_id }, saying) {
      const segment = segmentText(segment_id, saying)
      return {
        ja: `担当者が開始すると、セグメント${segment}の顧客全員が参加します。`,
        en: `Starts for everyone in the segment ${segment} when a member starts it.`,
      }
    },
  },
)
