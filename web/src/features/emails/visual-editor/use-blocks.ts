import { listEmailComponents } from '@okaeri/contract/emails/component-routes'
import { type BlockKind, type Design, MAX_BLOCKS } from '@okaeri/contract/emails/design'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryOf } from '../../../api/queries.ts'
import { useWords } from '../../../app/i18n.ts'
import { toast } from '../../../ui/toast.ts'
import { newBlock } from './block-kinds.ts'
import { type Drop, useDrops } from './dragging.ts'
import {
  type AnyBlock,
  changeBlock,
  duplicateBlock,
  findBlock,
  insertAt,
  isFull,
  mayStandIn,
  moveBy,
  moveTo,
  placeAfter,
  placeOf,
  removeBlock,
} from './editing.ts'

export type Editing = ReturnType<typeof useBlocks>

/** What can be done with the blocks, and which is chosen. */
export function useBlocks(design: Design, change: (design: Design, what: string) => void, first: string | undefined) {
  const t = useWords('design')
  const [chosen, select] = useState<string | null>(first ?? null)
  const [drop, setDrop] = useState<Drop | null>(null)
  const [news, setNews] = useState('')
  const { data: components } = useQuery(
    queryOf(listEmailComponents, { query: { limit: 100, sort: 'name', direction: 'asc' } }),
  )
  // What was removed, or undone, is not chosen any more.
  const selected = findBlock(design, chosen) ? chosen : null
  const nameOf = (id: string): string | null => {
    const block = findBlock(design, id)
    return block && t(`kind.${block.kind}.name`)
  }
  const made = (kind: BlockKind): AnyBlock => {
    const block = newBlock(kind, design.language)
    const [first] = components?.data ?? []
    return block.kind === 'component' && first ? { ...block, key: first.key } : block
  }
  const put = (block: AnyBlock, at: ReturnType<typeof placeAfter>): void => {
    if (isFull(design)) return void toast.error(t('full', { max: MAX_BLOCKS }))
    change(insertAt(design, at, block), '')
    select(block.id)
    setNews(t('added', { name: t(`kind.${block.kind}.name`) }))
  }
  useDrops({
    onHover: setDrop,
    onDrop: (dragged, { id, edge }) => {
      const at = placeOf(design, id)
      if (!at) return
      const target = { place: at.place, index: edge === 'above' ? at.index : at.index + 1 }
      if (dragged.is === 'block') {
        change(moveTo(design, dragged.id, target), '')
        select(dragged.id)
        return
      }
      const block = made(dragged.kind)
      put(block, mayStandIn(target.place, block) ? target : placeAfter(design, id, block))
    },
  })
  return {
    selected,
    block: findBlock(design, selected),
    select,
    drop,
    news,
    nameOf,
    unavailable: (kind: BlockKind): string | null =>
      kind === 'component' && components?.total === 0 ? t('noComponents') : null,
    add: (kind: BlockKind) => {
      const block = made(kind)
      put(block, placeAfter(design, selected, block))
    },
    move: (id: string, by: -1 | 1) => {
      change(moveBy(design, id, by), '')
      setNews(t('moved', { name: nameOf(id) ?? '' }))
    },
    remove: (id: string) => {
      change(removeBlock(design, id), '')
      setNews(t('removed', { name: nameOf(id) ?? '' }))
    },
    duplicate: (id: string) => {
      if (isFull(design)) return void toast.error(t('full', { max: MAX_BLOCKS }))
      const { design: next, copyId } = duplicateBlock(design, id)
      change(next, '')
      select(copyId)
    },
    set: (id: string, part: Partial<AnyBlock>) =>
      change(changeBlock(design, id, part), `${id} ${Object.keys(part).join()}`),
    setWhole: (part: Partial<Design>) => change({ ...design, ...part }, 'look'),
  }
}
