/** Escapes that stand for what PostgreSQL cannot keep: NUL, and either half of a surrogate pair (whole pairs are looked at too). */
const SUSPICIOUS = /\\u(?:0000|d[89a-f])/i

/**
 * JSON from outside with texts that can be stored: NUL is left out, half a character becomes U+FFFD. One odd name must not keep
 * the rest of a store's data out. Throws a SyntaxError as `JSON.parse` does, also where it is nested thousands deep.
 */
export function parseStorableJson(text: string): unknown {
  if (!SUSPICIOUS.test(text)) return JSON.parse(text)
  try {
    return JSON.parse(text, (_key, value: unknown) => {
      if (typeof value === 'string') return storable(value)
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storable(key), inner as unknown]))
    })
  } catch (error) {
    // Reading alone does not mind how deep it is nested.
    throw error instanceof RangeError ? new SyntaxError('nested too deep', { cause: error }) : error
  }
}
const storable = (value: string): string => value.replaceAll('\0', '').toWellFormed()

/** What was parsed elsewhere (an answer of the store's API), with texts that can be stored. A new value only where one could not. */
export function storableValue<T>(value: T): T {
  const text = JSON.stringify(value)
  return SUSPICIOUS.test(text) ? (parseStorableJson(text) as T) : value
}

/** The same as text; what can be stored stays as it came. */
export const storableJson = (text: string): string =>
  SUSPICIOUS.test(text) ? JSON.stringify(parseStorableJson(text)) : text
