import { sql } from 'kysely'
import { anyOf, not } from './comparison-sql.ts'
import type { CheckedComparison, ConditionTypeSql } from './field-sql.ts'
import { readTexts } from './read-value-sql.ts'

const idsOf = ({ value }: CheckedComparison): string[] => (value as string[]).map((id) => id.toLowerCase())

export const segment: ConditionTypeSql<'segment'> = {
  fields: {
    member: {
      effort: 1,
      compile(comparison) {
        const inAny = anyOf(idsOf(comparison).map(comparison.isMember))
        return comparison.operator === 'is_not_member' ? not(inAny) : inAny
      },
      read(comparison) {
        const { segments } = comparison.context
        const names = idsOf(comparison).map(
          (id) => sql`case when ${comparison.isMember(id)} then ${segments.get(id)?.name ?? id}::text end`,
        )
        return readTexts(sql`array_remove(array[${sql.join(names)}], null)`)
      },
    },
  },
}
