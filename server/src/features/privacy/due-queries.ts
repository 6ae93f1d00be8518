import { sql } from 'kysely'
import type { DueWork } from '../../kernel/work/due-merchants.ts'

// Due work here, over all merchants.

export const duePrivacyRequests: DueWork = {
  name: 'privacy_requests',
  merchants: ({ clock }) => sql`
    select distinct merchant_id from privacy_requests where next_attempt_at <= ${clock.now()}`,
  next: () => sql`select min(next_attempt_at) as at from privacy_requests where next_attempt_at is not null`,
}

export const oldProofs: DueWork = {
  name: 'old_proofs',
  merchants: ({ clock }) => sql`
    select merchant_id from consent_changes where address_hash is not null and proof_until <= ${clock.now()}
    union select merchant_id from marketing_pauses where until <= ${clock.now()}`,
}
