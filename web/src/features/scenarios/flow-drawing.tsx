import { Text } from '@mantine/core'
import { describeFlow, type FlowSentence } from '@okaeri/contract/scenarios/description'
import type { Flow, FlowNode } from '@okaeri/contract/scenarios/flow'
import { triggerKindWords } from '@okaeri/contract/scenarios/kind-words'
import type { NodeCounts } from '@okaeri/contract/scenarios/scenario'
import { describeTrigger, nodeTitle, summarizeNode } from '@okaeri/contract/scenarios/words'
import { IconArrowDownRight, IconFlag } from '@tabler/icons-react'
import { useLayoutEffect, useMemo, useRef } from 'react'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { TextLink } from '../../ui/links.tsx'
import { useCounted } from './counted.ts'
import { useOutcomes } from './outcomes.ts'
import classes from './flow-drawing.module.css'
import { kindName, useFlowSaying } from './flow-names.ts'
import { eventIcons, nodeIcons } from './node-icon.tsx'

interface FlowDrawingProps {
  flow: Flow
  counts: readonly NodeCounts[]
  /** Nodes with something wrong. */
  wrong: ReadonlySet<string>
}

/** A flow from top to bottom, branches beside each other, with what passed each node. Numbers are those of the sentences. */
export function FlowDrawing({ flow, counts, wrong }: FlowDrawingProps) {
  const language = useLanguage()
  const saying = useFlowSaying(flow)
  const steps = useMemo(
    () => describeFlow(flow, saying).filter(({ about }) => about === 'step' || about === 'goto' || about === 'end'),
    [flow, saying],
  )
  const frame = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    // A wide one begins in its middle, where its trigger is: at its left there may be nothing to see.
    const { current } = frame
    if (current) current.scrollLeft = (current.scrollWidth - current.clientWidth) / 2
  }, [flow])
  const byId = useMemo(() => new Map(flow.nodes.map((node) => [node.id, node])), [flow])
  const countOf = useMemo(() => new Map(counts.map((each) => [each.node_id, each])), [counts])
  const TriggerIcon = eventIcons[flow.trigger.kind]
  const box = (node: FlowNode, number: number | null) => {
    const Icon = nodeIcons[node.kind]
    const summary = summarizeNode(node, saying)
    return (
      <div key={node.id} className={classes.node} data-wrong={wrong.has(node.id) || undefined}>
        <div className={classes.head}>
          <span className={classes.icon} data-kind={node.kind}>
            <Icon size={17} stroke={1.8} aria-hidden />
          </span>
          <div className={classes.names}>
            <Text size="sm" fw={600} lh={1.4}>
              {nodeTitle(node, language)}
            </Text>
            {summary && (
              <Text size="xs" c="dimmed" lh={1.5}>
                {summary}
              </Text>
            )}
          </div>
          {number !== null && <span className={classes.number}>{number}</span>}
        </div>
        <Counts node={node} counts={countOf.get(node.id)} />
      </div>
    )
  }
  /** `leadsOn`: what comes after these is drawn further out, where the branches around them meet. */
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
    <div
      ref={frame}
      className={classes.drawing}
      tabIndex={0}
      role="group"
      aria-label={kindName(triggerKindWords[flow.trigger.kind], language)}
    >
      <div className={classes.canvas}>
        <div className={classes.node} data-trigger>
          <div className={classes.head}>
            <span className={classes.icon} data-trigger>
              <TriggerIcon size={17} stroke={1.8} aria-hidden />
            </span>
            <div className={classes.names}>
              <Text size="sm" fw={600} lh={1.4}>
                {kindName(triggerKindWords[flow.trigger.kind], language)}
              </Text>
              <Text size="xs" c="dimmed" lh={1.5}>
                {describeTrigger(flow.trigger, saying)}
              </Text>
            </div>
          </div>
        </div>
        {draw(steps, false)}
      </div>
    </div>
  )
}

function Counts({ node, counts }: { node: FlowNode; counts: NodeCounts | undefined }) {
  const t = useWords('scenarios')
  const format = useFormat()
  const language = useLanguage()
  const { counted } = useCounted()
  const outcomesOf = useOutcomes()
  if (!counts) return null
  const { skipped, ended } = outcomesOf(counts)
  const outcomes = [
    { label: t('view.skipped'), ...skipped },
    { label: t('view.ended'), ...ended },
  ].filter(({ total }) => total > 0)
  const n = format.number
  const isMail = node.kind === 'send_email' || node.kind === 'send_line'
  const waits = node.kind === 'wait' || node.kind === 'wait_for_event' || counts.waiting > 0
  const figures: [string, string][] = [
    [t('view.entered'), n(counts.entered)],
    ...(isMail
      ? ([
          [t('view.sentShort'), n(counts.sent)],
          [t('view.opened'), n(counts.opened)],
          [t('view.clicked'), n(counts.clicked)],
          [t('view.revenue'), format.money(counts.revenue)],
        ] as [string, string][])
      : ([[t('view.passed'), n(counts.passed)]] as [string, string][])),
  ]
  return (
    <>
      <dl className={classes.counts}>
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {waits && (
          <div data-waiting={counts.waiting > 0 || undefined}>
            <dt>{t('view.waiting')}</dt>
            <dd>
              {counts.waiting > 0 ? (
                <TextLink
                  to="."
                  search={{ tab: 'people', node: node.id, status: 'running' }}
                  hash="history"
                  inherit
                  aria-label={`${counted(counts.waiting)} ${t('view.executionsHere', { name: nodeTitle(node, language) })}`}
                >
                  {counted(counts.waiting)}
                </TextLink>
              ) : (
                n(0)
              )}
            </dd>
          </div>
        )}
        {counts.failed > 0 && (
          <div data-failed>
            <dt>{t('view.failed')}</dt>
            <dd>
              <TextLink
                to="."
                search={{ tab: 'people', node: node.id, status: 'failed' }}
                hash="history"
                inherit
                c="inherit"
                underline="always"
                aria-label={`${counted(counts.failed)} ${t('view.executionsHere', { name: nodeTitle(node, language) })}`}
              >
                {counted(counts.failed)}
              </TextLink>
            </dd>
          </div>
        )}
        {outcomes.map(({ label, total }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{counted(total)}</dd>
          </div>
        ))}
      </dl>
      {outcomes.length > 0 && (
        <ul className={classes.reasons}>
          {outcomes.flatMap(({ label, lines }) => lines.map((line) => <li key={`${label} ${line}`}>{line}</li>))}
        </ul>
      )}
    </>
  )
}
