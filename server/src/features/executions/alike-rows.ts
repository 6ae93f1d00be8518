/** Distinct rows, and for each row the index of its equal. Values that many rows share go to the database once. */
export function kindsOf<T>(rows: readonly T[]): { kinds: T[]; kindOf: number[] } {
  const places = new Map<string, number>()
  const kinds: T[] = []
  const kindOf = rows.map((row) => {
    const key = JSON.stringify(row)
    const known = places.get(key)
    if (known !== undefined) return known
    places.set(key, kinds.length)
    return kinds.push(row) - 1
  })
  return { kinds, kindOf }
}
