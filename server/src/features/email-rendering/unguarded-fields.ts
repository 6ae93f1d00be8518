import { liquidSpans } from './liquid-spans.ts'

/** Outputs of the customer's own fields that nothing replaces where they are empty: no `default`, and no condition that asks for the field. */
export function unguardedFields(templates: readonly string[]): string[] {
  const all = templates.join('\n')
  const spans = liquidSpans(all).map(({ start, end }) => all.slice(start, end))
  const asked = spans.filter((span) => /^\{%-?\s*(?:if|elsif|unless|case|assign|capture|for)\b/.test(span))
  const written = spans.flatMap((span) => {
    const path = /^\{\{-?\s*customer\.([\w.-]{1,200})\s*(?:\|[^}]*)?-?\}\}$/.exec(span)?.[1]
    return path === undefined || /\|\s*default\b/.test(span) ? [] : [path]
  })
  return [...new Set(written)].filter((path) => !asked.some((span) => span.includes(`customer.${path}`)))
}
