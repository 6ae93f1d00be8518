import { MAX_NODES } from '@okaeri/contract/scenarios/flow/flow'
import { useCallback, useState } from 'react'
import { useWords } from '../../../app/i18n.ts'
import { toast } from '../../../ui/toast.ts'
import type { FlowEditing } from './editing.ts'
import { isFull } from './model/flow-edits.ts'
import type { OutgoingPort } from './model/flow-graph.ts'

export interface Asking {
  way: OutgoingPort
  /** In window coordinates. */
  at: { x: number; y: number }
  /** Gets the focus back if nothing is selected. */
  from: Element
}

/** Where the menu of steps to insert is open, below the button that was pressed; null while it is closed. */
export function useAsking({ now }: FlowEditing) {
  const t = useWords('flow')
  const [asking, setAsking] = useState<Asking | null>(null)
  const askInsert = useCallback(
    (way: OutgoingPort, beside: Element) => {
      if (isFull(now())) return toast.error(t('full', { max: MAX_NODES }))
      const { left, bottom, width } = beside.getBoundingClientRect()
      setAsking({ way, at: { x: left + width / 2, y: bottom }, from: beside })
    },
    [now, t],
  )
  return { asking, askInsert, endAsking: () => setAsking(null) }
}
