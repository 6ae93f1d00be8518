import { type Flow, type FlowNode, nextOf, portsOf } from '@okaeri/contract/scenarios/flow/flow'
import { nodeRules } from '@okaeri/contract/scenarios/node-kinds/index'
import { triggerRules } from '@okaeri/contract/scenarios/trigger-kinds/index'
import { nodeTitle, summarizeNode } from '@okaeri/contract/scenarios/words'
import { IconDots } from '@tabler/icons-react'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import classes from './flow-picture.module.css'
import { StepIcon } from './step-icon.tsx'

/** Nodes a picture shows before it says "more". */
const SHOWN = 9
/** Drawn ways out of one branch. */
const WAYS = 2

/** A flow at a glance: its trigger and nodes as a chain of icons, with branches one below the other. */
export function FlowPicture({ flow }: { flow: Flow }) {
  const t = useWords('scenarios')
  const language = useLanguage()
  const byId = new Map(flow.nodes.map((node) => [node.id, node]))
  const trigger = triggerRules(flow.trigger.kind).words.name[language]
  const names = flow.nodes.map((node) => nodeTitle(node, language))
  return (
    <div
      className={classes.picture}
      role="img"
      aria-label={t('picture.label', { steps: [trigger, ...names].join(t('picture.joint')) })}
    >
      <div className={classes.chain}>
        <StepIcon outlined event={flow.trigger.kind} />
        <Chain from={flow.start} byId={byId} drawn={new Set()} left={SHOWN} />
      </div>
    </div>
  )
}

interface ChainProps {
  from: string | null
  byId: ReadonlyMap<string, FlowNode>
  /** Nodes before this one, so that a loop is drawn once. */
  drawn: ReadonlySet<string>
  left: number
}
function Chain({ from, byId, drawn, left }: ChainProps) {
  const language = useLanguage()
  const node = from === null || drawn.has(from) ? undefined : byId.get(from)
  if (!node || node.kind === 'end') return null
  if (left === 0)
    return (
      <>
        <span className={classes.line} />
        <IconDots size={16} className={classes.more} aria-hidden />
      </>
    )
  const ports = portsOf(node)
  const rest = { byId, drawn: new Set([...drawn, node.id]), left: left - 1 }
  const caption = nodeRules(node.kind).caption?.(node.settings, language)
  return (
    <>
      <span className={classes.line} />
      <StepIcon outlined kind={node.kind} title={summarizeNode(node, { language })}>
        {caption && <span className={classes.caption}>{caption}</span>}
      </StepIcon>
      {ports.length > 1 ? (
        <span className={classes.fork}>
          {ports.slice(0, WAYS).map((port) => (
            <span key={port} className={classes.chain}>
              <Chain from={nextOf(node, port)} {...rest} left={Math.min(rest.left, 3)} />
            </span>
          ))}
        </span>
      ) : (
        <Chain from={nextOf(node, ports[0] ?? '')} {...rest} />
      )}
    </>
  )
}
