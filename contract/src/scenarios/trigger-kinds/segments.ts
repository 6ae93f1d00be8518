import { Id } from '../../fields.ts'
import { segmentText, triggerKind } from './trigger-kind.ts'

export const segmentEntered = triggerKind(
  'segment_entered',
  { segment_id: Id.nullable() },
  { ja: 'セグメントへの追加', en: 'segment entered' },
  {
    icon: 'filter',
    words: {
      name: { ja: 'セグメントに入る', en: 'Segment entered' },
      description: { ja: '顧客がセグメントに入ったとき', en: 'When a customer enters a segment' },
    },
    initial: { segment_id: null },
    missing: ({ segment_id }) => (segment_id === null ? 'segment_id' : null),
    sentence({ segment_id }, saying) {
      const segment = segmentText(segment_id, saying)
      return {
        ja: `顧客がセグメント${segment}に入ると始まります。`,
        en: `Starts when a customer enters the segment ${segment}.`,
      }
    },
  },
)

export const segmentLeft = triggerKind(
  'segment_left',
  { segment_id: Id.nullable() },
  { ja: 'セグメントからの除外', en: 'segment left' },
  {
    icon: 'filter_off',
    words: {
      name: { ja: 'セグメントから外れる', en: 'Segment left' },
      description: { ja: '顧客がセグメントから外れたとき', en: 'When a customer leaves a segment' },
    },
    initial: { segment_id: null },
    missing: ({ segment_id }) => (segment_id === null ? 'segment_id' : null),
    sentence({ segment_id }, saying) {
      const segment = segmentText(segment_id, saying)
      return {
        ja: `顧客がセグメント${segment}から外れると始まります。`,
        en: `Starts when a customer leaves the segment ${segment}.`,
      }
    },
  },
)
