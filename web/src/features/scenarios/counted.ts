import { EXECUTIONS_COUNTED_TO } from '@okaeri/contract/scenarios/scenario'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'

/** Numbers of executions in words: more than so many are not counted one by one. */
export function useCounted(short?: 'short') {
  const t = useWords('scenarios')
  const format = useFormat()
  const atLeast = t('atLeast', { n: format.number(EXECUTIONS_COUNTED_TO) })
  return {
    /** By itself, as in a table. */
    counted: (count: number): string =>
      count < EXECUTIONS_COUNTED_TO ? (short ? format.compact : format.number)(count) : atLeast,
    /** The values of a sentence about so many: `{{n}}` comes with what Japanese counts them by. */
    inWords: (count: number) => ({
      count,
      n: count < EXECUTIONS_COUNTED_TO ? t('pieces', { n: format.number(count) }) : atLeast,
    }),
  }
}
