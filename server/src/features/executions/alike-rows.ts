/** Rows of which most are alike: each kind once, and by row the place of its kind. What they share goes to the database once. */
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
