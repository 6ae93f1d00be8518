export interface Span {
  start: number
  /** Exclusive. */
  end: number
}

/**
 * Where Liquid stands in a source: `{{ … }}`, `{% … %}`, in order. Follows the engine's reading (quotes hide a closing `}}`, not
 * a closing `%}`; within `raw` nothing counts). What is never closed is left out: the template is broken and says so elsewhere.
 */
export function liquidSpans(source: string): Span[] {
  const spans: Span[] = []
  const opening = /\{[{%]/g
  for (let match = opening.exec(source); match; match = opening.exec(source)) {
    const start = match.index
    const end = match[0] === '{%' ? endOfTag(source, start) : endOfOutput(source, start)
    if (end < 0) break
    spans.push({ start, end })
    opening.lastIndex = end
    if (match[0] === '{%' && /^\{%-?\s*raw\b/.test(source.slice(start, Math.min(end, start + 100)))) {
      const closing = /\{%-?\s*endraw\b/g
      closing.lastIndex = end
      const found = closing.exec(source)
      if (!found) break
      opening.lastIndex = found.index
    }
  }
  return spans
}

const endOfTag = (source: string, start: number): number => {
  const close = source.indexOf('%}', start + 2)
  return close < 0 ? -1 : close + 2
}

function endOfOutput(source: string, start: number): number {
  for (let i = start + 2; i < source.length; i += 1) {
    const sign = source[i]
    if (sign === '}' && source[i + 1] === '}') return i + 2
    if (sign === '"' || sign === "'") {
      const close = source.indexOf(sign, i + 1)
      if (close < 0) return -1
      i = close
    }
  }
  return -1
}

/** Whether anything of Liquid lies within; `spans` in order. */
export function isInLiquid(spans: readonly Span[], { start, end }: Span): boolean {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle] as Span).end <= start) low = middle + 1
    else high = middle
  }
  const next = spans[low]
  return next !== undefined && next.start < end
}
