interface Issue {
  path: readonly PropertyKey[]
  message: string
}

/** Field reasons by path. An empty field is missing, whatever its type. */
export function fieldErrors(issues: readonly Issue[], values: unknown): Record<string, string> {
  const at = (path: readonly PropertyKey[]): unknown =>
    path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], values)
  return Object.fromEntries(
    issues.map(({ path, message }) => [path.join('.'), at(path) === '' ? 'required' : message] as const),
  )
}

/** In the order of the labels, which is that of the fields on the page. */
export function inOrderOf(labels: Record<string, string>, errors: Record<string, string>): [string, string][] {
  const names = Object.keys(labels)
  const place = (path: string): number => {
    const at = names.findIndex((name) => path === name || path.startsWith(`${name}.`))
    return at === -1 ? names.length : at
  }
  return Object.entries(errors).toSorted(([a], [b]) => place(a) - place(b))
}
