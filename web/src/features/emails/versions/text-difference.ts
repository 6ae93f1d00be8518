import { diffArrays } from 'diff'

/** A part of a line: whether the other side has it too. */
export interface LinePart {
  text: string
  changed: boolean
}
export interface Line {
  kind: 'same' | 'removed' | 'added'
  pieces: LinePart[]
}
/** Lines that are the same and far from what changed: only how many. */
export interface Gap {
  kind: 'gap'
  count: number
}

/** More steps than this, and the two are simply two texts. */
const MAX_STEPS = 1_500
const AROUND = 2

const linesOf = (text: string): string[] => (text === '' ? [] : text.replaceAll('\r\n', '\n').split('\n'))

/** What of `before` is not in `now` any more, and the other way round, line by line; within lines word by word. */
export function differenceOf(before: string, now: string): Line[] {
  const [old, recent] = [linesOf(before), linesOf(now)]
  const changes = diffArrays(old, recent, { maxEditLength: MAX_STEPS })
  if (!changes) return [...old.map((text) => whole('removed', text)), ...recent.map((text) => whole('added', text))]
  return changes.flatMap(({ removed, added, value }, at): Line[] => {
    if (!removed && !added) return value.map((text) => whole('same', text))
    const next = changes[at + 1]
    const last = changes[at - 1]
    // Lines that took the place of as many others are compared with these.
    const partners = removed && next?.added ? next.value : added && last?.removed ? last.value : []
    return value.map((text, line) => {
      const partner = partners.length === value.length ? partners[line] : undefined
      const kind = removed ? 'removed' : 'added'
      return partner === undefined ? whole(kind, text) : { kind, pieces: piecesOf(text, partner) }
    })
  })
}

const whole = (kind: Line['kind'], text: string): Line => ({
  kind,
  pieces: [{ text, changed: kind !== 'same' }],
})

/** The words of a line, marked where the partner has not the same. */
export function piecesOf(line: string, partner: string): LinePart[] {
  const changes = diffArrays(wordsOf(partner), wordsOf(line), { maxEditLength: MAX_STEPS })
  if (!changes) return [{ text: line, changed: true }]
  return changes.flatMap(({ removed, added, value }) => (removed ? [] : [{ text: value.join(''), changed: added }]))
}

/** Japanese has no blanks between its words. */
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })
const wordsOf = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment)

/** Only what changed, with a few lines around it. */
export function withGaps(lines: readonly Line[]): (Line | Gap)[] {
  const isNear = lines.map(() => false)
  lines.forEach(({ kind }, at) => {
    if (kind === 'same') return
    for (let near = Math.max(0, at - AROUND); near <= at + AROUND && near < lines.length; near += 1) isNear[near] = true
  })
  const shown: (Line | Gap)[] = []
  lines.forEach((line, at) => {
    const last = shown.at(-1)
    if (isNear[at]) shown.push(line)
    else if (last?.kind === 'gap') last.count += 1
    else shown.push({ kind: 'gap', count: 1 })
  })
  return shown
}
