/** Escapes of characters PostgreSQL cannot store: NUL, and either half of a surrogate pair (whole pairs match too). */
const SUSPICIOUS = /\\u(?:0000|d[89a-f])/i

/**
 * Parses JSON from outside into texts that can be stored: NUL is removed, half a surrogate pair becomes U+FFFD, so that one odd name does not
 * block the rest of a store's data. Throws a SyntaxError like `JSON.parse`, also if it is nested thousands deep.
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
    // Parsing itself accepts any depth.
    throw error instanceof RangeError ? new SyntaxError('nested too deep', { cause: error }) : error
  }
}
const storable = (value: string): string => value.replaceAll('\0', '').toWellFormed()

/** A value parsed elsewhere (an answer of the store's API), with texts that can be stored. A new value only if one could not. */
export function storableValue<T>(value: T): T {
  const text = JSON.stringify(value)
  return SUSPICIOUS.test(text) ? (parseStorableJson(text) as T) : value
}

/** The same as text; storable text stays unchanged. */
export const storableJson = (text: string): string =>
  SUSPICIOUS.test(text) ? JSON.stringify(parseStorableJson(text)) : text
