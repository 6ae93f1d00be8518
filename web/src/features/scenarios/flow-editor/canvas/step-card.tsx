import { Tooltip } from '@mantine/core'
import { type FlowNode, portsOf } from '@okaeri/contract/scenarios/flow/flow'
import { type FlowProblem, flowProblems } from '@okaeri/contract/scenarios/flow/flow-problem'
import { nodeRules } from '@okaeri/contract/scenarios/node-kinds/index'
import type { NodeCounts } from '@okaeri/contract/scenarios/scenario'
import type { Trigger } from '@okaeri/contract/scenarios/trigger'
import { triggerRules } from '@okaeri/contract/scenarios/trigger-kinds/index'
import { describeTrigger, nodeTitle, portName, summarizeNode } from '@okaeri/contract/scenarios/words'
import { IconPlus } from '@tabler/icons-react'
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { memo, type ReactNode } from 'react'
import { useWords } from '../../../../app/i18n.ts'
import { eventIcons } from '../../flow-picture/node-icon.tsx'
import { isMailStep, reactionsOf, useStepFigures } from '../../flow-picture/step-figures.ts'
import { roughWidth } from './card-text.ts'
import { useFlowPicture } from '../flow-context.ts'
import icons from '../kind-icon.module.css'
import classes from './canvas.module.css'
import { START, type OutgoingPort } from '../model/flow-graph.ts'
import { AlertPicture, KindPicture } from './icon-pictures.tsx'

export interface StepData extends Record<string, unknown> {
  node: FlowNode
  /** Shown in red, with the reason on hover; empty if there are none or they are not shown yet. */
  problems: readonly FlowProblem[]
  counts: NodeCounts | undefined
  /** Unconnected ports, joined into one string, which is easy to compare. */
  open: string
}
export type StepNode = Node<StepData, 'step'>
export interface StartData extends Record<string, unknown> {
  trigger: Trigger
  problems: readonly FlowProblem[]
  open: boolean
}
export type StartNode = Node<StartData, 'start'>

/** The room a title has at least, next to the icons. */
const TITLE_ROOM = 165
/** Two lines of text, minus what is left free where words break. */
const TEXT_ROOM = 390
const isLong = (text: string): true | undefined => roughWidth(text, 12) > TEXT_ROOM || undefined

/** A card is drawn again when its content changes, not when it or another one is moved. */
const sameCard = <N extends StepNode | StartNode>(a: NodeProps<N>, b: NodeProps<N>): boolean =>
  a.data === b.data && a.selected === b.selected && a.dragging === b.dragging

export const StepCard = memo(function StepCard({ data, selected, dragging }: NodeProps<StepNode>) {
  const { node, problems, counts, open } = data
  const { saying } = useFlowPicture()
  const { language } = saying
  const ports = portsOf(node)
  const opened = open.split(',')
  const title = nodeTitle(node, language)
  const text =
    summarizeNode(node, saying) ||
    (node.name ? nodeRules(node.kind).words.name[language] : nodeRules(node.kind).words.description[language])
  return (
    <>
      <Handle type="target" position={Position.Top} className={classes.handle} />
      <Problems problems={problems} off={dragging}>
        <div
          className={classes.card}
          data-kind={node.kind}
          data-selected={selected || undefined}
          data-wrong={problems.length > 0 || undefined}
        >
          <div className={classes.cardHead}>
            <KindPicture kind={node.kind} />
            <span className={classes.cardTitle} data-long={roughWidth(title, 13) > TITLE_ROOM || undefined}>
              {title}
            </span>
            {problems.length > 0 && <AlertPicture />}
          </div>
          <div className={classes.cardText} data-long={isLong(text)}>
            {text}
          </div>
          {counts && <Counts node={node} counts={counts} />}
        </div>
      </Problems>
      {ports.map((port, at) => (
        <Port
          key={port}
          way={{ from: node.id, port }}
          left={`${((at + 0.5) / ports.length) * 100}%`}
          name={portName(node, port, language)}
          title={title}
          open={opened.includes(port)}
        />
      ))}
    </>
  )
}, sameCard)

export const StartCard = memo(function StartCard({ data, selected }: NodeProps<StartNode>) {
  const t = useWords('flow')
  const { trigger, problems, open } = data
  const { saying } = useFlowPicture()
  const Icon = eventIcons[trigger.kind]
  const text = describeTrigger(trigger, saying)
  return (
    <>
      <Problems problems={problems}>
        <div
          className={classes.card}
          data-kind="start"
          data-selected={selected || undefined}
          data-wrong={problems.length > 0 || undefined}
        >
          <div className={classes.cardHead}>
            <span className={icons.icon}>
              <Icon size={18} stroke={1.8} aria-hidden />
            </span>
            <span className={classes.cardTitle} data-long>
              {t('start')}・{triggerRules(trigger.kind).words.name[saying.language]}
            </span>
            {problems.length > 0 && <AlertPicture />}
          </div>
          <div className={classes.cardText} data-long={isLong(text)}>
            {text}
          </div>
        </div>
      </Problems>
      <Port way={START} left="50%" name="" title={t('start')} open={open} />
    </>
  )
}, sameCard)

interface ProblemsProps {
  problems: readonly FlowProblem[]
  /** Off while it is dragged, because it would be positioned again at every move. */
  off?: boolean
  children: ReactNode
}
function Problems({ problems, off = false, children }: ProblemsProps) {
  const { language } = useFlowPicture().saying
  if (problems.length === 0) return children
  return (
    <Tooltip
      disabled={off}
      multiline
      maw={320}
      color="red"
      position="right"
      label={problems.map(({ problem, field }) => (
        <div key={`${problem} ${field}`}>{flowProblems[problem].text[language]}</div>
      ))}
    >
      {children}
    </Tooltip>
  )
}

interface PortProps {
  way: OutgoingPort
  left: string
  /** Empty for the only port. */
  name: string
  /** The title of its node. */
  title: string
  open: boolean
}
function Port({ way, left, name, title, open }: PortProps) {
  const t = useWords('flow')
  const { readOnly, askInsert } = useFlowPicture()
  return (
    <>
      <Handle type="source" id={way.port} position={Position.Bottom} className={classes.handle} style={{ left }} />
      <div className={classes.port} style={{ left }} data-open={open || undefined}>
        {name && <span className={classes.portName}>{name}</span>}
        {open && !readOnly && (
          <>
            <span className={classes.stub} aria-hidden />
            <button
              type="button"
              tabIndex={-1}
              className={`${classes.plus} nodrag nopan`}
              data-way={wayText(way)}
              aria-label={name ? t('insertAfterPort', { title, port: name }) : t('insertAfter', { title })}
              onClick={(event) => {
                event.stopPropagation()
                askInsert(way, event.currentTarget)
              }}
            >
              <IconPlus size={16} aria-hidden />
            </button>
          </>
        )}
      </div>
    </>
  )
}

/** A way out as text, for the element that a step is dropped on. */
export const wayText = ({ from, port }: OutgoingPort): string => `${from ?? ''}.${port}`
export const wayOf = (text: string): OutgoingPort => {
  const [from = '', port = ''] = text.split('.')
  return { from: from === '' ? null : from, port }
}

function Counts({ node, counts }: { node: FlowNode; counts: NodeCounts }) {
  const figures = useStepFigures(counts, 'short')
  const { entered, waiting, failed, skipped, ended, sent, revenue, passed } = figures
  const shown = [
    entered,
    ...[waiting, failed, skipped, ended].filter(({ count }) => count > 0),
    ...(isMailStep(node.kind)
      ? [sent, ...reactionsOf(node.kind, figures), ...(revenue.count > 0 ? [revenue] : [])]
      : [passed]),
  ]
  return (
    <div className={classes.counts}>
      {shown.map((figure) => (
        <span
          key={figure.label}
          data-bad={figure === failed || undefined}
          title={figure.reasons.join('\n') || undefined}
        >
          {figure.label} <b>{figure.value}</b>
        </span>
      ))}
    </div>
  )
}
