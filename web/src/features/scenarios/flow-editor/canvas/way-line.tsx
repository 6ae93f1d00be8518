import { BaseEdge, type Edge, type EdgeProps } from '@xyflow/react'
import { memo, useLayoutEffect } from 'react'
import { useFlowPicture } from '../flow-context.ts'
import classes from './canvas.module.css'
import type { OutgoingPort } from '../model/flow-graph.ts'
import type { Route } from './routing.ts'
import { wayText } from './step-card.tsx'

export interface WayData extends Record<string, unknown> {
  way: OutgoingPort
  /** The label of its button. */
  label: string
  /** Around the cards. */
  route: Route | undefined
}
export type WayEdge = Edge<WayData, 'way'>

/**
 * The line from a way out to a step, with a button to insert another one. The button is part of the line's own SVG: React Flow's layer
 * for labels looks itself up in the page for every line at every move. By keyboard there are the letter I and the panel.
 */
export const WayLine = memo(function WayLine(props: EdgeProps<WayEdge>) {
  const { id, source, target, sourceX, sourceY, targetX, targetY, data, selected, markerEnd } = props
  const { readOnly, askInsert, lines } = useFlowPicture()
  useLayoutEffect(() => {
    lines.set(id, { source, target, sourceX, sourceY, targetX, targetY })
    return () => void lines.delete(id)
  }, [lines, id, source, target, sourceX, sourceY, targetX, targetY])
  const path = data?.route?.path ?? `M${sourceX} ${sourceY}L${targetX} ${targetY}`
  const { x: labelX, y: labelY } = data?.route?.middle ?? { x: (sourceX + targetX) / 2, y: (sourceY + targetY) / 2 }
  return (
    <>
      <BaseEdge
        id={id}
        path={path}
        {...(markerEnd !== undefined && { markerEnd })}
        interactionWidth={18}
        className={classes.line}
        data-selected={selected || undefined}
      />
      {data && !readOnly && (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- see above
        <g
          role="button"
          aria-label={data.label}
          className={`${classes.plusOnLine} nodrag nopan`}
          data-way={wayText(data.way)}
          onClick={(event) => {
            event.stopPropagation()
            askInsert(data.way, event.currentTarget)
          }}
        >
          <title>{data.label}</title>
          <circle cx={labelX} cy={labelY} r={10} />
          <path d={`M${labelX - 4.5} ${labelY}h9M${labelX} ${labelY - 4.5}v9`} />
        </g>
      )}
    </>
  )
})
