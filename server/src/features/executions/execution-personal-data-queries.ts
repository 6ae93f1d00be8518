import { sql } from 'kysely'
import { redact, type PersonalDataEntry, type Person } from '../../kernel/personal-data.ts'

const theirExecutions = ({ customerIds, guestIds }: Person, merchantId: string) => sql`t.execution_id in (
  select e.id from executions e where e.merchant_id = ${merchantId}
    and (e.customer_id = any(${customerIds}::uuid[]) or e.guest_id = any(${guestIds}::uuid[])))`

/** Found through the executions before them. These rows stay without a customer, for the scenario's figures. */
export const executionPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'execution_effects',
    title: { ja: 'シナリオのWebhook', en: 'Scenario webhooks' },
    about: (person, { merchantId }) => theirExecutions(person, merchantId),
    omittedColumns: ['lease_expires_at', 'next_attempt_at', 'attempts'],
    forget: 'delete',
  },
  {
    table: 'execution_steps',
    title: { ja: 'シナリオの経過', en: 'Scenario steps' },
    about: (person, { merchantId }) => theirExecutions(person, merchantId),
    forget: 'delete',
  },
  {
    table: 'executions',
    title: { ja: 'シナリオの実行', en: 'Scenario executions' },
    about: ({ customerIds, guestIds }) =>
      sql`t.customer_id = any(${customerIds}::uuid[]) or t.guest_id = any(${guestIds}::uuid[])`,
    omittedColumns: ['asleep', 'awaits', 'woken_by', 'held', 'attempts', 'steps', 'late_accepted'],
    forget: {
      set: (
        _person,
        { now },
      ) => sql`customer_id = null, guest_id = null, event_id = null, kept_event = null, coupon_id = null,
        last_error_detail = null, asleep = false, wake_at = null, awaits = null, woken_by = null, held = false,
        end_reason = case when ended_at is null then 'customer_gone' else end_reason end,
        status = case when ended_at is null then 'done' else status end, ended_at = coalesce(ended_at, ${now}::timestamptz)`,
    },
  },
  {
    table: 'scenario_versions',
    title: { ja: 'シナリオの条件での指定', en: 'Named in scenario conditions' },
    // A condition or note with this address is the merchant's own text; only the address is personal data.
    about: () => sql`false`,
    forget: {
      async run(scope, { addresses, phones }) {
        const marks = [...addresses, ...phones]
        // A form makes its flow again each time it is saved, so its conditions are redacted too.
        const inForms = await redact(scope, { table: 'scenarios', column: 'conditions', type: 'jsonb' }, marks)
        return inForms + (await redact(scope, { table: 'scenario_versions', column: 'flow', type: 'jsonb' }, marks))
      },
    },
  },
]
