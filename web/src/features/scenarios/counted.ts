import { EXECUTIONS_COUNTED_TO } from '@okaeri/contract/scenarios/scenario'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'

/** Numbers of executions as text: above a limit they are not counted exactly. */
export function useCounted(short?: 'short') {
  const t = useWords('scenarios')
  const format = useFormat()
  const atLeast = t('atLeast', { n: format.number(EXECUTIONS_COUNTED_TO) })
  return {
    /** Alone, as in a table. */
    counted: (count: number): string =>
      count < EXECUTIONS_COUNTED_TO ? (short ? format.compact : format.number)(count) : atLeast,
    /** Values for a sentence with `{{n}}`, which includes the Japanese counter. */
    inWords: (count: number) => ({
      count,
      n: count < EXECUTIONS_COUNTED_TO ? t('pieces', { n: format.number(count) }) : atLeast,
    }),
  }
}
