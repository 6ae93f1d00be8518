import type { Connection, EdgeChange } from '@xyflow/react'
import { useCallback, useState } from 'react'
import { type FlowEditing, START_ID } from '../editing.ts'
import { connected } from '../model/flow-edits.ts'
import { START, type OutgoingPort } from '../model/flow-graph.ts'
import type { WayEdge } from './way-line.tsx'

/** Drawing, moving and selecting lines. */
export function useCanvasConnections({ change, now }: Pick<FlowEditing, 'change' | 'now'>) {
  const [chosenEdge, setChosenEdge] = useState<string | null>(null)
  const onEdgesChange = useCallback((changes: EdgeChange<WayEdge>[]) => {
    for (const each of changes)
      if (each.type === 'select')
        setChosenEdge((before) => (each.selected ? each.id : before === each.id ? null : before))
  }, [])
  const onConnect = useCallback(
    ({ source, sourceHandle, target }: Connection) => change(connected(now(), wayFrom(source, sourceHandle), target)),
    [change, now],
  )
  const onReconnect = useCallback(
    (edge: WayEdge, { source, sourceHandle, target }: Connection) => {
      const way = wayFrom(source, sourceHandle)
      const before = edge.data?.way
      const same = before && before.from === way.from && before.port === way.port
      const freed = before && !same ? connected(now(), before, null) : now()
      change(connected(freed, way, target))
    },
    [change, now],
  )
  const disconnect = (way: OutgoingPort): void => {
    change(connected(now(), way, null))
    setChosenEdge(null)
  }
  return { chosenEdge, disconnect, handlers: { onEdgesChange, onConnect, onReconnect, isValidConnection } }
}

// Outside of the hook: another function at each rendering would draw every step and every line again.
const isValidConnection = ({ source, target }: { source: string; target: string }): boolean =>
  source !== target && target !== START_ID

const wayFrom = (source: string, port: string | null): OutgoingPort =>
  source === START_ID ? START : { from: source, port: port ?? '' }
