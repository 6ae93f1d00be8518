import { invalid } from '../../kernel/errors.ts'
import { COMMON_PASSWORDS } from './common-passwords.ts'

const folded = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, '')
/** Fewer letters than this beside one's own name are guessed with it. */
const MIN_REST = 4
const MIN_OWN = 3

/**
 * Refuses what is tried first (NIST SP 800-63B §3.1.1.2): passwords many people have, also with a year or a sign behind, one thing over and
 * over, and the account's own address or names. `own`: those. Passwords chosen before stay good.
 */
export function refuseGuessablePassword(password: string, own: readonly string[]): void {
  const chosen = folded(password)
  const core = chosen.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  if (COMMON_PASSWORDS.has(chosen) || COMMON_PASSWORDS.has(core) || core === '' || /^(.{1,5}?)\1+$/u.test(chosen))
    throw invalid({ password: 'too_common' }, 'password_guessable')
  const parts = own.flatMap((text) => [folded(text), folded(text.split('@')[0] ?? '')])
  for (const part of parts)
    if (part.length >= MIN_OWN && chosen.replaceAll(part, '').length < MIN_REST)
      throw invalid({ password: 'own_name' }, 'password_guessable')
}
