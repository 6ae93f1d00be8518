import { describe, expect, it } from 'vitest'
import { endsShifted, type Lines, linesOf } from './dragging.ts'

const lines: Lines = new Map([
  ['a.next', { source: 'a', target: 'b', sourceX: 100, sourceY: 90, targetX: 100, targetY: 190 }],
  ['b.yes', { source: 'b', target: 'c', sourceX: 60, sourceY: 280, targetX: 20, targetY: 380 }],
  ['b.no', { source: 'b', target: 'd', sourceX: 140, sourceY: 280, targetX: 320, targetY: 380 }],
  ['d.next', { source: 'd', target: 'b', sourceX: 320, sourceY: 470, targetX: 100, targetY: 190 }],
])

describe('while steps are dragged', () => {
  it('only lines with one end at them are drawn again', () => {
    expect(linesOf(lines, new Set(['c']))).toEqual({ carried: [], bent: ['b.yes'] })
    expect(linesOf(lines, new Set(['a', 'c']))).toEqual({ carried: [], bent: ['a.next', 'b.yes'] })
  })
  it('lines between two of them are moved along', () => {
    expect(linesOf(lines, new Set(['b', 'd']))).toEqual({ carried: ['b.no', 'd.next'], bent: ['a.next', 'b.yes'] })
    expect(linesOf(lines, new Set(['a', 'b', 'c', 'd'])).bent).toEqual([])
  })
  it('only the moved end of a line is shifted', () => {
    const line = lines.get('b.yes')
    if (!line) throw new Error('no line')
    const ends = { sourceX: 60, sourceY: 280, targetX: 20, targetY: 380 }
    expect(endsShifted(line, new Set(['c']), { x: 5, y: -7 })).toEqual({ ...ends, targetX: 25, targetY: 373 })
    expect(endsShifted(line, new Set(['b']), { x: 5, y: -7 })).toEqual({ ...ends, sourceX: 65, sourceY: 273 })
    expect(endsShifted(line, new Set(['x']), { x: 5, y: -7 })).toEqual(ends)
  })
})
