/**
 * The fields that differ from their initial values. A save sends only these, so that changes of others stay. Fields that have a meaning only
 * `together` are sent together.
 */
export function changesOf<Fields extends object>(
  began: Fields,
  now: Fields,
  together: readonly (readonly (keyof Fields & string)[])[] = [],
): Partial<Fields> {
  const differs = (name: string): boolean =>
    JSON.stringify((now as Record<string, unknown>)[name]) !== JSON.stringify((began as Record<string, unknown>)[name])
  const changed = (name: string): boolean => {
    const group: readonly string[] | undefined = together.find((names) => (names as readonly string[]).includes(name))
    return (group ?? [name]).some(differs)
  }
  return Object.fromEntries(Object.entries(now).filter(([name]) => changed(name))) as Partial<Fields>
}
