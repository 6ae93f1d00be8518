import { liquidSpans } from './liquid-spans.ts'

/** Outputs of the customer's own fields that nothing replaces where they are empty: no `default`, and no condition that asks for the field. */
export function unguardedFields(templates: readonly string[]): string[] {
  const all = templates.join('\n')
  const spans = liquidSpans(all).map(({ start, end }) => all.slice(start, end))
  // Gathered first: to look into each condition for each field would take minutes for a mail made of them.
  const asked = new Set(
    spans
      .filter((span) => /^\{%-?\s*(?:if|elsif|unless|case|assign|capture|for)\b/.test(span))
      .flatMap((span) => [...span.matchAll(/customer\.([\w.-]{1,200})/g)].map(([, path]) => path)),
  )
  const written = spans.flatMap((span) => {
    const path = /^\{\{-?\s*customer\.([\w.-]{1,200})\s*(?:\|[^}]*)?-?\}\}$/.exec(span)?.[1]
    return path === undefined || /\|\s*default\b/.test(span) ? [] : [path]
  })
  return [...new Set(written)].filter((path) => !asked.has(path))
}
