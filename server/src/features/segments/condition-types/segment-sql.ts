import { sql } from 'kysely'
import { anyOf, not } from './comparing-sql.ts'
import type { CheckedCondition, ConditionTypeSql } from './field-sql.ts'
import { readTexts } from './reading-sql.ts'

const idsOf = ({ value }: CheckedCondition): string[] => (value as string[]).map((id) => id.toLowerCase())

export const segment: ConditionTypeSql<'segment'> = {
  fields: {
    member: {
      effort: 1,
      compile(asked) {
        const inAny = anyOf(idsOf(asked).map(asked.isMember))
        return asked.operator === 'is_not_member' ? not(inAny) : inAny
      },
      read(asked) {
        const { segments } = asked.context
        const those = idsOf(asked).map(
          (id) => sql`case when ${asked.isMember(id)} then ${segments.get(id)?.name ?? id}::text end`,
        )
        return readTexts(sql`array_remove(array[${sql.join(those)}], null)`)
      },
    },
  },
}
