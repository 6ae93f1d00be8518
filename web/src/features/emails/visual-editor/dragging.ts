import {
  draggable,
  dropTargetForElements,
  type ElementDropTargetEventPayloadMap,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import type { BlockKind } from '@okaeri/contract/emails/design'
import { useEffect, useRef } from 'react'

/** What is dragged: a kind of block from the menu, or a block that is there. */
export type DraggedBlock = { is: 'new'; kind: BlockKind } | { is: 'block'; id: string }
/** Above or below which block it would go. */
export interface Drop {
  id: string
  edge: 'above' | 'below'
}

type Input = ElementDropTargetEventPayloadMap['onDrag']['location']['current']['input']
const edgeOf = (element: Element, { clientY }: Input): Drop['edge'] => {
  const { top, height } = element.getBoundingClientRect()
  return clientY < top + height / 2 ? 'above' : 'below'
}

/** Makes an element one that can be dragged, dropped upon, or both. */
export function useDragging<E extends HTMLElement>({ drags, takes }: { drags?: DraggedBlock; takes?: string }) {
  const ref = useRef<E>(null)
  const kind = drags?.is === 'new' ? drags.kind : null
  const id = drags?.is === 'block' ? drags.id : null
  useEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const parts: (() => void)[] = []
    if (kind !== null || id !== null)
      parts.push(
        draggable({
          element,
          getInitialData: () => (kind === null ? { is: 'block', id } : { is: 'new', kind }),
        }),
      )
    if (takes !== undefined)
      parts.push(
        dropTargetForElements({
          element,
          canDrop: ({ source }) => source.data['is'] === 'new' || source.data['id'] !== takes,
          getData: ({ input }) => ({ id: takes, edge: edgeOf(element, input) }),
        }),
      )
    return parts.length > 0 ? combine(...parts) : undefined
  }, [kind, id, takes])
  return ref
}

/** Says while something is dragged where it would go, and at the end what went where. */
export function useDrops({
  onHover,
  onDrop,
}: {
  onHover: (drop: Drop | null) => void
  onDrop: (dragged: DraggedBlock, drop: Drop) => void
}): void {
  const latest = useRef({ onHover, onDrop })
  latest.current = { onHover, onDrop }
  useEffect(
    () =>
      monitorForElements({
        onDrag: ({ location }) => latest.current.onHover(dropIn(location.current.dropTargets[0]?.data)),
        onDrop: ({ source, location }) => {
          latest.current.onHover(null)
          const drop = dropIn(location.current.dropTargets[0]?.data)
          const { is, id, kind } = source.data
          if (!drop) return
          if (is === 'new') latest.current.onDrop({ is, kind: kind as BlockKind }, drop)
          else if (is === 'block' && typeof id === 'string') latest.current.onDrop({ is, id }, drop)
        },
      }),
    [],
  )
}

const dropIn = (data: Record<string | symbol, unknown> | undefined): Drop | null =>
  typeof data?.['id'] === 'string' ? { id: data['id'], edge: data['edge'] === 'above' ? 'above' : 'below' } : null
