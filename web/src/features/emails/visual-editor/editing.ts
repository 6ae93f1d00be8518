import {
  Block,
  type BlockInColumn,
  type Design,
  kindsInColumn,
  listBlocks,
  MAX_BLOCKS,
} from '@okaeri/contract/emails/design'

export type AnyBlock = Block | BlockInColumn

/** A list of blocks: the mail's own, or a column's. */
export interface Place {
  /** The block that holds the column; null: the mail. */
  of: string | null
  column: number
}
export const top: Place = { of: null, column: 0 }

export const newBlockId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => (byte % 36).toString(36)).join('')

export const isFull = ({ blocks }: Design): boolean => listBlocks(blocks).length >= MAX_BLOCKS
export const findBlock = ({ blocks }: Design, id: string | null): AnyBlock | null =>
  listBlocks(blocks).find((block) => block.id === id) ?? null
export const mayStandIn = ({ of }: Place, { kind }: AnyBlock): boolean =>
  of === null || (kindsInColumn as readonly string[]).includes(kind)

function listAt({ blocks }: Design, { of, column }: Place): readonly AnyBlock[] {
  if (of === null) return blocks
  const holder = blocks.find(({ id }) => id === of)
  return holder?.kind === 'columns' ? (holder.columns[column] ?? []) : []
}

function withList(design: Design, { of, column }: Place, list: readonly AnyBlock[]): Design {
  if (of === null) return { ...design, blocks: list as Block[] }
  return {
    ...design,
    blocks: design.blocks.map((block) =>
      block.id === of && block.kind === 'columns'
        ? { ...block, columns: block.columns.map((one, at) => (at === column ? (list as BlockInColumn[]) : one)) }
        : block,
    ),
  }
}

/** In which list a block stands, and where. */
export function placeOf(design: Design, id: string): { place: Place; index: number } | null {
  for (const [index, block] of design.blocks.entries()) {
    if (block.id === id) return { place: top, index }
    if (block.kind !== 'columns') continue
    for (const [column, list] of block.columns.entries()) {
      const at = list.findIndex((one) => one.id === id)
      if (at !== -1) return { place: { of: block.id, column }, index: at }
    }
  }
  return null
}

export function insertAt(design: Design, { place, index }: { place: Place; index: number }, block: AnyBlock): Design {
  const list = listAt(design, place)
  return withList(design, place, [...list.slice(0, index), block, ...list.slice(index)])
}

/** Where a new block goes: below the one that is selected; else at the end, but above the footer. */
export function placeAfter(design: Design, selected: string | null, block: AnyBlock): { place: Place; index: number } {
  const found = selected === null ? null : placeOf(design, selected)
  const holder =
    found && found.place.of !== null && !mayStandIn(found.place, block) ? placeOf(design, found.place.of) : found
  if (holder) return { place: holder.place, index: holder.index + 1 }
  const footer = design.blocks.findIndex(({ kind }) => kind === 'footer')
  return { place: top, index: footer === -1 ? design.blocks.length : footer }
}

export function removeBlock(design: Design, id: string): Design {
  const found = placeOf(design, id)
  if (!found) return design
  return withList(
    design,
    found.place,
    listAt(design, found.place).filter((block) => block.id !== id),
  )
}

export const changeBlock = (design: Design, id: string, change: Partial<AnyBlock>): Design => {
  const found = placeOf(design, id)
  if (!found) return design
  return withList(
    design,
    found.place,
    listAt(design, found.place).map((block) => (block.id === id ? ({ ...block, ...change } as AnyBlock) : block)),
  )
}

/** A block that is moved within its list counts before where it goes. */
export function moveTo(design: Design, id: string, { place, index }: { place: Place; index: number }): Design {
  const from = placeOf(design, id)
  const block = findBlock(design, id)
  if (!from || !block || !mayStandIn(place, block) || place.of === id) return design
  const isSame = from.place.of === place.of && from.place.column === place.column
  const to = isSame && from.index < index ? index - 1 : index
  return insertAt(removeBlock(design, id), { place, index: to }, block)
}

export function moveBy(design: Design, id: string, by: -1 | 1): Design {
  const from = placeOf(design, id)
  if (!from) return design
  const index = from.index + by
  if (index < 0 || index >= listAt(design, from.place).length) return design
  return moveTo(design, id, { place: from.place, index: by === 1 ? index + 1 : index })
}

/** Where it cannot go further. */
export function endsOf(design: Design, id: string): { isFirst: boolean; isLast: boolean } {
  const found = placeOf(design, id)
  if (!found) return { isFirst: true, isLast: true }
  return { isFirst: found.index === 0, isLast: found.index === listAt(design, found.place).length - 1 }
}

/** The copy stands below it. */
export function duplicateBlock(design: Design, id: string): { design: Design; copyId: string } {
  const found = placeOf(design, id)
  const block = findBlock(design, id)
  if (!found || !block) return { design, copyId: id }
  const copy = withNewIds(block)
  return { design: insertAt(design, { ...found, index: found.index + 1 }, copy), copyId: copy.id }
}

const withNewIds = (block: AnyBlock): AnyBlock =>
  block.kind === 'columns'
    ? {
        ...block,
        id: newBlockId(),
        columns: block.columns.map((list) => list.map((one) => ({ ...one, id: newBlockId() }))),
      }
    : { ...block, id: newBlockId() }
