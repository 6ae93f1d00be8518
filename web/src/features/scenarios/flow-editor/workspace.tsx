import type { FlowProblem } from '@okaeri/contract/scenarios/flow/flow-problem'
import type { NodeCounts } from '@okaeri/contract/scenarios/scenario'
import { type ComponentProps, startTransition, useCallback, useMemo, useRef, useState } from 'react'
import { Canvas } from './canvas/canvas.tsx'
import type { FlowEditing } from './editing.ts'
import { useFlowPicture } from './flow-context.ts'
import classes from './flow-editor.module.css'
import { Palette } from './palette.tsx'
import { ProblemList } from './problem-list.tsx'
import { SidePanel } from './side-panel.tsx'
import type { StepEdits } from './step-edits.ts'
import { Toolbar } from './toolbar.tsx'

interface WorkspaceProps {
  editing: FlowEditing
  edits: StepEdits
  problems: readonly FlowProblem[]
  byNode: ReadonlyMap<string, FlowProblem[]>
  /** Those shown in red. */
  marked: ReadonlyMap<string, FlowProblem[]>
  counts: readonly NodeCounts[]
  full: boolean
  onFull: () => void
  /** Whether the list of problems is open. */
  listed: boolean
  onOpenProblem: () => void
  onCloseProblems: () => void
  focusOn: ComponentProps<typeof Canvas>['focusOn']
  focusNode: (id: string) => void
  say: (news: string) => void
}

/** The steps to choose from, the picture with its tools, and the settings of what is selected. */
export function Workspace(props: WorkspaceProps) {
  const { editing, edits, problems, byNode, marked, full, listed, focusNode } = props
  const { flow, selected, select } = editing
  const { saying, readOnly, askInsert, lines } = useFlowPicture()
  const [folded, setFolded] = useState({ palette: false, settings: false })
  /** Counts up each time the whole picture should be shown. */
  const [fitted, setFitted] = useState(0)
  const counts = useMemo(() => new Map(props.counts.map((each) => [each.node_id, each])), [props.counts])
  const { panel, focusPanel } = usePanel()
  const { shown, onHold } = useShown(selected)
  const unfoldSettings = useCallback(() => setFolded((before) => ({ ...before, settings: false })), [])
  const openPanel = useCallback(() => {
    unfoldSettings()
    focusPanel()
  }, [unfoldSettings, focusPanel])
  const openNode = (id: string) => {
    props.onOpenProblem()
    unfoldSettings()
    select([id])
    focusNode(id)
  }
  const tidy = () => {
    edits.tidy()
    setFitted((count) => count + 1)
  }
  const leavePanel = () => {
    const [only] = selected
    if (only !== undefined) focusNode(only)
    else select([])
  }

  return (
    <div
      className={classes.editor}
      data-listed={listed || undefined}
      data-read-only={readOnly || undefined}
      data-no-palette={readOnly || folded.palette || undefined}
      data-no-settings={folded.settings || undefined}
    >
      {!readOnly && !folded.palette && (
        <div className={classes.side}>
          <Palette onAdd={edits.insertAfterSelected} />
        </div>
      )}
      <div className={classes.middle}>
        <Toolbar
          editing={editing}
          edits={edits}
          readOnly={readOnly}
          folded={folded}
          onFold={(panel) => setFolded({ ...folded, [panel]: !folded[panel] })}
          full={full}
          onFull={props.onFull}
          onTidy={tidy}
        />
        <Canvas
          editing={editing}
          saying={saying}
          readOnly={readOnly}
          marked={marked}
          counts={counts}
          lines={lines}
          onHold={onHold}
          onDrop={edits.drop}
          askInsert={askInsert}
          onOpen={openPanel}
          onRemove={edits.remove}
          focusOn={props.focusOn}
          fitted={fitted}
          say={props.say}
        />
        {listed && <ProblemList flow={flow} problems={problems} onOpen={openNode} onClose={props.onCloseProblems} />}
      </div>
      {!folded.settings && (
        <SidePanel
          ref={panel}
          editing={editing}
          selected={shown}
          readOnly={readOnly}
          problems={byNode}
          marked={marked}
          counts={counts}
          onRemove={edits.remove}
          onDuplicate={edits.duplicate}
          askInsert={askInsert}
          onLeave={leavePanel}
        />
      )}
    </div>
  )
}

/** Its first field takes the focus when someone opens it. */
function usePanel() {
  const panel = useRef<HTMLElement>(null)
  const focusPanel = useCallback(() => {
    // The panel of a new selection exists only after the next rendering.
    requestAnimationFrame(() => {
      const field = panel.current?.querySelector<HTMLElement>(
        'fieldset :is(input, textarea, button):not([type="hidden"], [disabled])',
      )
      ;(field ?? panel.current)?.focus()
    })
  }, [])
  return { panel, focusPanel }
}

/** A dragged step is selected at its first move. Its settings appear when it is released, so that they do not slow down the drag. */
function useShown(selected: ReadonlySet<string>) {
  const [holding, setHolding] = useState(false)
  const onHold = useCallback((now: boolean) => (now ? setHolding(true) : startTransition(() => setHolding(false))), [])
  const shown = useRef(selected)
  if (!holding) shown.current = selected
  return { shown: shown.current, onHold }
}
