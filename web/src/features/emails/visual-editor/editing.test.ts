import { Design, listBlocks } from '@okaeri/contract/emails/design'
import { starterDesign } from '@okaeri/contract/emails/starter-design'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newBlock } from './block-kinds.ts'
import {
  duplicateBlock,
  endsOf,
  findBlock,
  insertAt,
  moveBy,
  moveTo,
  placeAfter,
  placeOf,
  removeBlock,
} from './editing.ts'

const begun = () => starterDesign({ starter: 'newsletter', language: 'ja', storeUrl: 'https://shop.example' })
const ids = (design: Design) => listBlocks(design.blocks).map(({ id }) => id)

test('a new block goes below the selected one, else above the footer', () => {
  const design = begun()
  const block = newBlock('divider', 'ja')
  const below = insertAt(design, placeAfter(design, 'words', block), block)
  expect(ids(below).indexOf(block.id)).toBe(ids(below).indexOf('words') + 1)
  const atEnd = insertAt(design, placeAfter(design, null, block), block)
  expect(ids(atEnd).at(-2)).toBe(block.id)
})

test('what cannot stand in a column goes below the columns', () => {
  const columns = newBlock('columns', 'ja')
  const design = insertAt(begun(), { place: { of: null, column: 0 }, index: 0 }, columns)
  const inner = columns.kind === 'columns' ? columns.columns[0]?.[0] : undefined
  const { place, index } = placeAfter(design, inner?.id ?? '', newBlock('products', 'ja'))
  expect({ place, index }).toEqual({ place: { of: null, column: 0 }, index: 1 })
  expect(placeAfter(design, inner?.id ?? '', newBlock('text', 'ja')).place).toEqual({ of: columns.id, column: 0 })
})

test('a block moves by one and not beyond its list', () => {
  const design = begun()
  expect(moveBy(design, 'store', -1)).toEqual(design)
  expect(endsOf(design, 'store')).toEqual({ isFirst: true, isLast: false })
  expect(moveBy(moveBy(design, 'store', 1), 'store', -1)).toEqual(design)
})

test('however blocks are moved, copied and removed, each is there once and the design stays valid', () => {
  const step = fc.record({ what: fc.constantFrom('move', 'copy', 'remove', 'add'), a: fc.nat(40), b: fc.nat(40) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let design = insertAt(begun(), { place: { of: null, column: 0 }, index: 1 }, newBlock('columns', 'en'))
      for (const { what, a, b } of steps) {
        const known = ids(design)
        const id = known[a % Math.max(1, known.length)]
        const other = known[b % Math.max(1, known.length)]
        if (id === undefined || other === undefined) continue
        const target = placeOf(design, other)
        if (what === 'move' && target) {
          const before = findBlock(design, id)
          const isInside = target.place.of === id
          design = moveTo(design, id, target)
          if (!isInside) expect(findBlock(design, id)).toEqual(before)
          expect(ids(design).toSorted()).toEqual(known.toSorted())
        } else if (what === 'copy') design = duplicateBlock(design, id).design
        else if (what === 'remove') design = removeBlock(design, id)
        else {
          const block = newBlock('text', 'ja')
          design = insertAt(design, placeAfter(design, id, block), block)
        }
        expect(Design.safeParse(design).error?.issues.filter(({ message }) => message !== 'too_many') ?? []).toEqual([])
      }
    }),
  )
})
