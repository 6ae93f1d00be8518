import { EXECUTIONS_COUNTED_TO } from '@okaeri/contract/scenarios/scenario'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'

/** A number of executions in words: more than so many are not counted one by one. */
export function useCounted(): (count: number) => string {
  const t = useWords('scenarios')
  const format = useFormat()
  return (count) =>
    count < EXECUTIONS_COUNTED_TO ? format.number(count) : t('atLeast', { n: format.number(EXECUTIONS_COUNTED_TO) })
}
