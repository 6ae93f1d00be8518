import { IconPlus } from '@tabler/icons-react'
import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps, getSmoothStepPath } from '@xyflow/react'
import { memo } from 'react'
import { useFlowPicture } from './flow-context.ts'
import classes from './flow-editor.module.css'
import type { Way } from './flow-model.ts'
import { wayText } from './step-card.tsx'

export interface WayData extends Record<string, unknown> {
  way: Way
  /** What the button on it says. */
  label: string
}
export type WayEdge = Edge<WayData, 'way'>

/** The line from a way out to a step, with a button to put another one between. */
export const WayLine = memo(function WayLine(props: EdgeProps<WayEdge>) {
  const { id, sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition, data, selected, markerEnd } = props
  const { readOnly, askInsert } = useFlowPicture()
  // The name of the way out stands right below the card; the line turns below it.
  const [path, labelX, labelY] = getSmoothStepPath({
    sourceX,
    sourceY,
    targetX,
    targetY,
    sourcePosition,
    targetPosition,
    borderRadius: 10,
    offset: 30,
  })
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
        <EdgeLabelRenderer>
          <button
            type="button"
            tabIndex={-1}
            className={`${classes.plus} ${classes.plusOnLine} nodrag nopan`}
            style={{ transform: `translate(-50%, -50%) translate(${labelX}px, ${labelY}px)` }}
            data-way={wayText(data.way)}
            aria-label={data.label}
            onClick={(event) => {
              event.stopPropagation()
              askInsert(data.way, event.currentTarget)
            }}
          >
            <IconPlus size={14} aria-hidden />
          </button>
        </EdgeLabelRenderer>
      )}
    </>
  )
})
