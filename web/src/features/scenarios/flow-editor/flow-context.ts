import type { FlowSaying } from '@okaeri/contract/scenarios/flow/phrases'
import { createContext, use } from 'react'
import type { Lines } from './canvas/dragging.ts'
import type { OutgoingPort } from './model/flow-graph.ts'

/** What every card and every line needs. It changes rarely, because all of them are then drawn again. */
interface FlowPicture {
  saying: FlowSaying
  readOnly: boolean
  /** Opens the menu for a step on this way out, next to this element. */
  askInsert: (way: OutgoingPort, beside: Element) => void
  /** The drawn lines; always the same object. */
  lines: Lines
}
export const FlowContext = createContext<FlowPicture | null>(null)
export function useFlowPicture(): FlowPicture {
  const picture = use(FlowContext)
  if (!picture) throw new Error('only inside the flow editor')
  return picture
}
