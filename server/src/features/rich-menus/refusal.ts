import { LineError } from '../../integrations/line/index.ts'

const MAX_WORDS = 500
/** The account may not use this call at all, whatever the menu (reference, limits.json). */
const ACCOUNT_MAY_NOT = 403

/** The platform's words where it refuses what was asked as it is; null for all else, which may pass or is the account's. */
export function refusalOf(error: unknown): string | null {
  if (!(error instanceof LineError)) return null
  const { outcome } = error
  if (outcome.kind !== 'bad_request' && outcome.kind !== 'refused') return null
  if (outcome.kind === 'refused' && outcome.status === ACCOUNT_MAY_NOT) return null
  const problems = outcome.kind === 'bad_request' ? outcome.problems : []
  const details = problems.map(({ message, property }) => (property ? `${property}: ${message}` : message))
  return [outcome.message, ...details].join(' / ').slice(0, MAX_WORDS).toWellFormed()
}
