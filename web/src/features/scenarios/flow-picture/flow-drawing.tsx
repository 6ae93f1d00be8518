import { Text } from '@mantine/core'
import { describeFlow, type FlowSentence } from '@okaeri/contract/scenarios/description'
import type { Flow, FlowNode } from '@okaeri/contract/scenarios/flow/flow'
import { nodeRules } from '@okaeri/contract/scenarios/node-kinds/index'
import type { NodeCounts } from '@okaeri/contract/scenarios/scenario'
import { triggerRules } from '@okaeri/contract/scenarios/trigger-kinds/index'
import { describeTrigger, nodeTitle, summarizeNode } from '@okaeri/contract/scenarios/words'
import { IconArrowDownRight, IconFlag } from '@tabler/icons-react'
import { type ReactNode, useLayoutEffect, useMemo, useRef } from 'react'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { TextLink } from '../../../ui/links.tsx'
import classes from './flow-drawing.module.css'
import { useFlowSaying } from './flow-names.ts'
import { StepIcon } from './step-icon.tsx'
import { isMailStep, reactionsOf, useStepFigures } from './step-figures.ts'

interface FlowDrawingProps {
  flow: Flow
  counts: readonly NodeCounts[]
  /** Nodes with problems. */
  wrong: ReadonlySet<string>
}

/** A flow from top to bottom, branches side by side, with the figures of each node. The numbers are those of the description. */
export function FlowDrawing({ flow, counts, wrong }: FlowDrawingProps) {
  const language = useLanguage()
  const saying = useFlowSaying(flow)
  const steps = useMemo(
    () => describeFlow(flow, saying).filter(({ about }) => about === 'step' || about === 'goto' || about === 'end'),
    [flow, saying],
  )
  const frame = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    // A wide one starts scrolled to its middle, where the trigger is. At its left end there may be nothing to see.
    const { current } = frame
    if (current) current.scrollLeft = (current.scrollWidth - current.clientWidth) / 2
  }, [flow])
  const byId = useMemo(() => new Map(flow.nodes.map((node) => [node.id, node])), [flow])
  const countOf = useMemo(() => new Map(counts.map((each) => [each.node_id, each])), [counts])
  const triggerName = triggerRules(flow.trigger.kind).words.name[language]
  const box = (node: FlowNode, number: number | null) => {
    const passed = countOf.get(node.id)
    return (
      <Card
        key={node.id}
        icon={<StepIcon kind={node.kind} />}
        title={nodeTitle(node, language)}
        text={summarizeNode(node, saying)}
        number={number}
        wrong={wrong.has(node.id)}
      >
        {passed && <Counts node={node} counts={passed} />}
      </Card>
    )
  }
  /** `leadsOn`: what follows is drawn further out, where the branches meet. */
  const draw = (sentences: readonly FlowSentence[], leadsOn: boolean) => (
    <ol className={classes.steps}>
      {sentences.map((sentence, at) => (
        <li key={`${at} ${sentence.node_ids.join()}`}>
          {sentence.about === 'step' ? (
            sentence.node_ids.map((id, place) => {
              const node = byId.get(id)
              return node && box(node, place === 0 ? sentence.number : null)
            })
          ) : (
            <div className={classes.goto}>
              {sentence.about === 'end' ? (
                <IconFlag size={15} aria-hidden />
              ) : (
                <IconArrowDownRight size={15} aria-hidden />
              )}
              {sentence.text}
            </div>
          )}
          {sentence.branches.length > 0 && (
            <ul className={classes.branches} data-joins={at < sentences.length - 1 || leadsOn || undefined}>
              {sentence.branches.map((branch) => (
                <li key={branch.port}>
                  <span className={classes.port}>{branch.label}</span>
                  {draw(branch.sentences, at < sentences.length - 1 || leadsOn)}
                  <span className={classes.tail} />
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  )
  return (
    // It may be wider than the page: then it is scrolled, by keyboard too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={frame} className={classes.drawing} tabIndex={0} role="group" aria-label={triggerName}>
      <div className={classes.canvas}>
        <Card
          trigger
          icon={<StepIcon event={flow.trigger.kind} />}
          title={triggerName}
          text={describeTrigger(flow.trigger, saying)}
        />
        {draw(steps, false)}
      </div>
    </div>
  )
}

interface CardProps {
  icon: ReactNode
  title: string
  text: string
  number?: number | null
  trigger?: boolean
  wrong?: boolean
  children?: ReactNode
}
const Card = ({ icon, title, text, number = null, trigger = false, wrong = false, children }: CardProps) => (
  <div className={classes.node} data-trigger={trigger || undefined} data-wrong={wrong || undefined}>
    <div className={classes.head}>
      {icon}
      <div className={classes.names}>
        <Text size="sm" fw={600} lh={1.4}>
          {title}
        </Text>
        {text && (
          <Text size="xs" c="dimmed" lh={1.5}>
            {text}
          </Text>
        )}
      </div>
      {number !== null && <span className={classes.number}>{number}</span>}
    </div>
    {children}
  </div>
)

function Counts({ node, counts }: { node: FlowNode; counts: NodeCounts }) {
  const t = useWords('scenarios')
  const name = nodeTitle(node, useLanguage())
  const figures = useStepFigures(counts)
  const { entered, sent, revenue, passed, waiting, failed, skipped, ended } = figures
  const waits = nodeRules(node.kind).takesTime !== undefined || waiting.count > 0
  const outcomes = [skipped, ended].filter(({ count }) => count > 0)
  const shown = [
    entered,
    ...(isMailStep(node.kind) ? [sent, ...reactionsOf(node.kind, figures), revenue] : [passed]),
    ...(waits ? [waiting] : []),
    ...(failed.count > 0 ? [failed] : []),
    ...outcomes,
  ]
  return (
    <>
      <dl className={classes.counts}>
        {shown.map((figure) => (
          <div key={figure.label} data-failed={figure === failed || undefined}>
            <dt>{figure.label}</dt>
            <dd>
              {(figure === waiting || figure === failed) && figure.count > 0 ? (
                <TextLink
                  to="."
                  search={{ tab: 'people', node: node.id, status: figure === failed ? 'failed' : 'running' }}
                  hash="history"
                  inherit
                  {...(figure === failed && ({ c: 'inherit', underline: 'always' } as const))}
                  aria-label={`${figure.value} ${t('view.executionsHere', { name })}`}
                >
                  {figure.value}
                </TextLink>
              ) : (
                figure.value
              )}
            </dd>
          </div>
        ))}
      </dl>
      {outcomes.length > 0 && (
        <ul className={classes.reasons}>
          {outcomes.flatMap(({ label, reasons }) =>
            reasons.map((reason) => <li key={`${label} ${reason}`}>{reason}</li>),
          )}
        </ul>
      )}
    </>
  )
}
