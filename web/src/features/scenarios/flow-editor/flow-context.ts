import type { FlowSaying } from '@okaeri/contract/scenarios/phrases'
import { createContext, use } from 'react'
import type { Lines } from './dragging.ts'
import type { Way } from './flow-model.ts'

/** What every card and every line of the picture needs. It changes seldom: all of them are drawn anew when it does. */
interface FlowPicture {
  saying: FlowSaying
  readOnly: boolean
  /** Asks which step to put on this way out, beside this element. */
  askInsert: (way: Way, beside: Element) => void
  /** Every line says here where it runs; the same one always. */
  lines: Lines
}
export const FlowContext = createContext<FlowPicture | null>(null)
export function useFlowPicture(): FlowPicture {
  const picture = use(FlowContext)
  if (!picture) throw new Error('only inside the flow editor')
  return picture
}
