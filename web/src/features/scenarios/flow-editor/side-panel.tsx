import { ActionIcon, Button, CloseButton, Group, Select, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { type Flow, type FlowNode, nextOf, portsOf } from '@okaeri/contract/scenarios/flow/flow'
import { type FlowProblem, flowProblems } from '@okaeri/contract/scenarios/flow/flow-problem'
import { type NodeKindName, nodeRules } from '@okaeri/contract/scenarios/node-kinds/index'
import type { NodeCounts } from '@okaeri/contract/scenarios/scenario'
import { nodeTitle, portName } from '@okaeri/contract/scenarios/words'
import { IconCopyPlus, IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { Notice } from '../../../ui/notice.tsx'
import { FlowDescription } from '../flow-picture/flow-description.tsx'
import { isMailStep, reactionsOf, useStepFigures } from '../flow-picture/step-figures.ts'
import { type FlowEditing, type Selection, START_ID } from './editing.ts'
import classes from './flow-editor.module.css'
import { useTitles } from './titles.ts'
import { connected, withNode } from './model/flow-edits.ts'
import { findNode, START, type OutgoingPort, portAfter } from './model/flow-graph.ts'
import { StartSettings } from './start-settings.tsx'
import { nodeForms } from './node-kinds/index.ts'

interface SidePanelProps {
  editing: FlowEditing
  selected: Selection
  readOnly: boolean
  /** By node; '' for the whole flow. */
  problems: ReadonlyMap<string, FlowProblem[]>
  /** Those already shown in red. */
  marked: ReadonlyMap<string, FlowProblem[]>
  counts: ReadonlyMap<string, NodeCounts>
  onRemove: (ids: readonly string[]) => void
  onDuplicate: (ids: readonly string[]) => void
  askInsert: (way: OutgoingPort, beside: Element) => void
  /** Back to the picture. */
  onLeave: () => void
  ref: Ref<HTMLElement>
}

/** The settings of the selection; without one, the flow in words. */
export function SidePanel(props: SidePanelProps) {
  const { editing, selected, onLeave, ref } = props
  const { flow } = editing
  const t = useWords('flow')
  const steps = [...selected].filter((id) => id !== START_ID)
  const [only] = selected
  const node = selected.size === 1 && only !== undefined ? findNode(flow, only) : undefined
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape leaves any input within
    <section
      ref={ref}
      tabIndex={-1}
      className={classes.panel}
      aria-label={t('panel.title')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || selected.size === 0) return
        // An open list uses Escape itself.
        if (event.target instanceof Element && event.target.closest('[aria-expanded="true"]')) return
        event.stopPropagation()
        onLeave()
      }}
    >
      {node ? (
        <OfStep key={node.id} node={node} {...props} />
      ) : selected.size === 1 && only === START_ID ? (
        <OfStart {...props} />
      ) : steps.length > 1 ? (
        <OfSeveral ids={steps} {...props} />
      ) : (
        <Stack gap="sm">
          <h2 className={classes.sideTitle}>{t('panel.description')}</h2>
          <FlowDescription flow={editing.described} />
          <Text size="xs" c="dimmed">
            {t('panel.nothing')}
          </Text>
        </Stack>
      )}
    </section>
  )
}

const Head = ({ title, children, onClose }: { title: string; children?: ReactNode; onClose: () => void }) => {
  const t = useWords('flow')
  return (
    <div className={classes.sideHead}>
      <h2 className={classes.sideTitle}>{title}</h2>
      <Group gap={2} wrap="nowrap">
        {children}
        <CloseButton aria-label={t('panel.close')} onClick={onClose} />
      </Group>
    </div>
  )
}

function OfStep({ node, ...props }: SidePanelProps & { node: FlowNode }) {
  const { editing, readOnly, problems, marked, counts, onRemove, onDuplicate, askInsert, onLeave } = props
  const t = useWords('flow')
  const language = useLanguage()
  const { flow, change, now } = editing
  const kind = nodeRules(node.kind).words.name[language]
  const wrong = (marked.get(node.id) ?? []).length > 0 ? (problems.get(node.id) ?? []) : []
  const of = counts.get(node.id)
  const way = portAfter(flow, node.id)
  const Form = nodeForms[node.kind]
  return (
    <Stack gap="md">
      <Head title={nodeTitle(node, language)} onClose={onLeave}>
        {!readOnly && (
          <>
            {way && (
              <IconButton
                label={t('insertAfter', { title: nodeTitle(node, language) })}
                icon={IconPlus}
                onClick={(event) => askInsert(way, event.currentTarget)}
              />
            )}
            <IconButton label={t('duplicate')} icon={IconCopyPlus} onClick={() => onDuplicate([node.id])} />
            <IconButton label={t('delete')} icon={IconTrash} onClick={() => onRemove([node.id])} />
          </>
        )}
      </Head>
      <Wrong problems={wrong} />
      {of && <Results counts={of} kind={node.kind} />}
      <fieldset disabled={readOnly} className={classes.fields}>
        <Stack gap="md">
          <Form
            node={node}
            flow={flow}
            strict={wrong.length > 0}
            onChange={(next, typing) =>
              change(withNode(now(), next), typing === undefined ? undefined : `${node.id} ${typing}`)
            }
          />
          <TextInput
            label={t('panel.name')}
            description={t('panel.nameHelp', { kind })}
            placeholder={kind}
            maxLength={100}
            value={node.name}
            onChange={(event) =>
              change(withNode(now(), { ...node, name: event.currentTarget.value }), `${node.id} name`)
            }
          />
          {portsOf(node).map((port) => (
            <NextField
              key={port}
              label={
                portsOf(node).length > 1 ? t('panel.nextOf', { port: portName(node, port, language) }) : t('panel.next')
              }
              flow={flow}
              except={node.id}
              value={nextOf(node, port)}
              onChange={(to) => change(connected(now(), { from: node.id, port }, to))}
            />
          ))}
        </Stack>
      </fieldset>
    </Stack>
  )
}

function OfStart({ editing, readOnly, problems, marked, onLeave }: SidePanelProps) {
  const t = useWords('flow')
  const { flow, change, now } = editing
  const wrong = (marked.get('') ?? []).length > 0 ? (problems.get('') ?? []) : []
  return (
    <Stack gap="md">
      <Head title={t('trigger.title')} onClose={onLeave} />
      <Wrong problems={wrong} />
      <fieldset disabled={readOnly} className={classes.fields}>
        <Stack gap="md">
          <StartSettings
            flow={flow}
            strict={wrong.length > 0}
            onChange={(next, typing) => change(next, typing === undefined ? undefined : `start ${typing}`)}
          />
          <NextField
            label={t('panel.first')}
            flow={flow}
            except={null}
            value={flow.start}
            onChange={(to) => change(connected(now(), START, to))}
          />
        </Stack>
      </fieldset>
    </Stack>
  )
}

function OfSeveral({ ids, readOnly, onRemove, onDuplicate, onLeave }: SidePanelProps & { ids: readonly string[] }) {
  const t = useWords('flow')
  return (
    <Stack gap="md">
      <Head title={t('panel.several', { count: ids.length, n: ids.length })} onClose={onLeave} />
      {!readOnly && (
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconCopyPlus size={18} aria-hidden />}
            onClick={() => onDuplicate(ids)}
          >
            {t('duplicate')}
          </Button>
          <Button variant="default" leftSection={<IconTrash size={18} aria-hidden />} onClick={() => onRemove(ids)}>
            {t('delete')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

interface IconButtonProps {
  label: string
  icon: typeof IconPlus
  onClick: (event: { currentTarget: HTMLButtonElement }) => void
}
const IconButton = ({ label, icon: Icon, onClick }: IconButtonProps) => (
  <Tooltip label={label}>
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} onClick={onClick}>
      <Icon size={18} />
    </ActionIcon>
  </Tooltip>
)

function Wrong({ problems }: { problems: readonly FlowProblem[] }) {
  const language = useLanguage()
  if (problems.length === 0) return null
  return (
    <Notice tone="danger">
      {problems.map(({ problem, field }) => (
        <div key={`${problem} ${field}`}>{flowProblems[problem].text[language]}</div>
      ))}
    </Notice>
  )
}

function Results({ counts, kind }: { counts: NodeCounts; kind: NodeKindName }) {
  const t = useWords('flow')
  const figures = useStepFigures(counts)
  const { entered, waiting, passed, failed, sent, revenue, skipped, ended } = figures
  const shown = [
    entered,
    waiting,
    passed,
    failed,
    ...(isMailStep(kind) ? [sent, ...reactionsOf(kind, figures), revenue] : []),
    ...[skipped, ended].filter(({ count }) => count > 0),
  ]
  return (
    <dl className={classes.results} aria-label={t('panel.counts')}>
      {shown.map(({ label, value, reasons }) => (
        <div key={label}>
          <dt>
            {label}
            {reasons.map((reason) => (
              <Text key={reason} size="xs" c="dimmed">
                {reason}
              </Text>
            ))}
          </dt>
          <dd className="numbers">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Stands for "nowhere" in a list of ids. */
const NOWHERE = '@nowhere'

interface NextFieldProps {
  label: string
  flow: Flow
  /** A step cannot lead to itself. */
  except: string | null
  value: string | null
  onChange: (to: string | null) => void
}
/** Where a way out leads, for members who do not draw lines. */
function NextField({ label, flow, except, value, onChange }: NextFieldProps) {
  const t = useWords('flow')
  const titles = useTitles(flow)
  const choices = flow.nodes.map(({ id }) => ({ value: id, label: titles.get(id) ?? id }))
  return (
    <Select
      label={label}
      searchable
      value={value !== null && findNode(flow, value) ? value : NOWHERE}
      data={[{ value: NOWHERE, label: t('panel.nowhere') }, ...choices.filter((each) => each.value !== except)]}
      onChange={(to) => onChange(to === null || to === NOWHERE ? null : to)}
    />
  )
}
