import { ActionIcon, Button, Divider, Kbd, Modal, Paper, Popover, Text, Tooltip } from '@mantine/core'
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks'
import { ApiError } from '@okaeri/contract/client'
import { planHasFlowEditor } from '@okaeri/contract/merchants/merchant'
import {
  type Flow,
  type FlowProblem,
  MAX_NODES,
  nextOf,
  type NodeKindName,
  portsOf,
} from '@okaeri/contract/scenarios/flow'
import { checkFlowShape, reachable } from '@okaeri/contract/scenarios/flow-check'
import { nodeKinds, nodeKindWords } from '@okaeri/contract/scenarios/kind-words'
import { changeNodes, checkFlow, getNodes } from '@okaeri/contract/scenarios/routes'
import type { NodeCounts, Scenario } from '@okaeri/contract/scenarios/scenario'
import {
  IconAlertCircle,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCircleCheck,
  IconClipboard,
  IconCopy,
  IconDeviceFloppy,
  IconKeyboard,
  IconSitemap,
} from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ReactFlowProvider } from '@xyflow/react'
import { type ComponentType, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { call } from '../../../api/call.ts'
import { refresh } from '../../../api/queries.ts'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { paths } from '../../../app/paths.ts'
import { reasonTexts } from '../../../app/reasons.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { LeaveGuard } from '../../../ui/edit-page.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageFrame } from '../../../ui/page-frame.tsx'
import { toast } from '../../../ui/toast.ts'
import { useUnsavedGuard } from '../../../ui/unsaved.ts'
import { useCategories } from '../../segments/condition-names.ts'
import { FlowDescription } from '../flow-description.tsx'
import { FlowProblems } from '../flow-problems.tsx'
import { useFlowSaying } from '../flow-names.ts'
import { ScenarioBadge } from '../scenario-badge.tsx'
import { Canvas } from './canvas.tsx'
import { START_ID, useFlowEditing } from './editing.ts'
import { FlowContext } from './flow-context.ts'
import classes from './flow-editor.module.css'
import {
  added,
  copied,
  findNode,
  type Fragment,
  freeNear,
  inserted,
  isFull,
  newNode,
  pasted,
  type Position,
  problemsByNode,
  removed,
  tidied,
  type Way,
  wayAfter,
} from './flow-model.ts'
import { type Asking, InsertMenu } from './insert-menu.tsx'
import { Palette } from './palette.tsx'
import { ProblemList } from './problem-list.tsx'
import { SidePanel } from './side-panel.tsx'

/** What was copied, also for another scenario's flow. */
let clipboard: Fragment | null = null
const CHECK_DELAY_MS = 600
/** No room for a picture and its settings beside each other. */
const NARROW = '(max-width: 899px)'
/** What only the server knows of. */
const askedOfServer: readonly FlowProblem['problem'][] = [
  'email_gone',
  'email_unfit',
  'segment_gone',
  'metafield_gone',
  'coupon_incomplete',
  'plan_forbids',
]
const isMac = /Mac|iP(hone|ad)/.test(navigator.userAgent)
const keyName = (key: string): string => (isMac ? `⌘${key}` : `Ctrl+${key}`)

export interface FlowEditorProps {
  scenario: Scenario
  flow: Flow
  version: number
  problems: readonly FlowProblem[]
  counts: readonly NodeCounts[]
}

export const FlowEditor = (props: FlowEditorProps) => (
  <ReactFlowProvider>
    <Editor {...props} />
  </ReactFlowProvider>
)

function Editor({ scenario, flow: savedFlow, version, problems: savedProblems, counts }: FlowEditorProps) {
  const t = useWords('flow')
  const language = useLanguage()
  const { mayChange, plan } = useMerchant()
  const { categories, known } = useCategories()
  const editing = useFlowEditing(savedFlow)
  const { flow, selected, dirty, change, now, select, restart } = editing
  const saying = useFlowSaying(flow)
  const guard = useUnsavedGuard(dirty)
  const panel = useRef<HTMLElement>(null)

  const allowed = planHasFlowEditor(plan)
  const narrow = useMediaQuery(NARROW) ?? false
  const readOnly = !mayChange || !allowed || narrow || scenario.status === 'deleted'
  const [asking, setAsking] = useState<Asking | null>(null)
  const [focusOn, setFocusOn] = useState<{ id: string } | null>(null)
  /** Asked to show the whole picture: counts up each time. */
  const [fitted, setFitted] = useState(0)
  const [listed, setListed] = useState(false)
  const [saving, setSaving] = useState(false)
  const [news, setNews] = useState('')
  /** The saved version all this began from. */
  const [basis, setBasis] = useState(version)
  const [conflict, setConflict] = useState(false)
  /** Steps whose errors are shown red: those that were saved, or tried to. New ones are not blamed before. */
  const [asked, setAsked] = useState<ReadonlySet<string>>(
    () =>
      new Set(
        savedProblems.length > 0 && savedFlow.nodes.length > 0 ? ['', ...savedFlow.nodes.map(({ id }) => id)] : [],
      ),
  )
  const [refused, setRefused] = useState<'saved' | 'kept' | null>(null)

  // Saved elsewhere while nothing was changed here: shown as it is now.
  useEffect(() => {
    if (version <= basis || dirty || saving) return
    setBasis(version)
    restart(savedFlow)
  }, [version, basis, dirty, saving, savedFlow, restart])

  const problems = useProblems(flow, savedProblems, known ? categories : undefined)
  const byNode = useMemo(() => problemsByNode(problems), [problems])
  const marked = useMemo(() => new Map([...byNode].filter(([id]) => asked.has(id))), [byNode, asked])
  const countsById = useMemo(() => new Map(counts.map((each) => [each.node_id, each])), [counts])

  const say = useCallback((text: string) => setNews(text), [])
  const focusNode = useCallback((id: string) => setFocusOn({ id }), [])
  const openPanel = useCallback(() => {
    // The panel of what was just selected is there after the next drawing.
    requestAnimationFrame(() => {
      const field = panel.current?.querySelector<HTMLElement>(
        'fieldset :is(input, textarea, button):not([type="hidden"], [disabled])',
      )
      ;(field ?? panel.current)?.focus()
    })
  }, [])

  const put = useCallback(
    (next: Flow, id: string, kind: NodeKindName) => {
      if (isFull(now())) return toast.error(t('full', { max: MAX_NODES }))
      change(next)
      select([id])
      focusNode(id)
      say(t('inserted', { title: nodeKindWords[kind][`name_${language}`] }))
    },
    [now, change, select, focusNode, say, t, language],
  )
  const insertOn = useCallback(
    (kind: NodeKindName, way: Way) => {
      const node = newNode(kind)
      put(inserted(now(), way, node), node.id, kind)
    },
    [put, now],
  )
  /** After what is selected; where nothing can follow it, beside it. */
  const insertAfterSelected = (kind: NodeKindName) => {
    const [only] = selected
    const at = selected.size === 1 && only !== undefined && only !== START_ID ? only : null
    const way = wayAfter(flow, at ?? lastOf(flow))
    if (way) return insertOn(kind, way)
    const from = findNode(flow, at)?.position ?? { x: 0, y: 0 }
    const node = newNode(kind, freeNear(flow, from))
    put(added(now(), node), node.id, kind)
  }
  const drop = (name: string, way: Way | null, at: Position) => {
    const kind = nodeKinds.find((each) => each === name)
    if (!kind || readOnly) return
    if (way) return insertOn(kind, way)
    const node = newNode(kind, { x: Math.round(at.x), y: Math.round(at.y) })
    put(added(now(), node), node.id, kind)
  }
  const askInsert = useCallback(
    (way: Way, beside: Element) => {
      if (isFull(now())) return toast.error(t('full', { max: MAX_NODES }))
      const { left, bottom, width } = beside.getBoundingClientRect()
      setAsking({ way, at: { x: left + width / 2, y: bottom }, from: beside })
    },
    [now, t],
  )

  const remove = useCallback(
    (ids: readonly string[]) => {
      const [first] = ids
      const before = now().nodes.find(({ id }) => id === first)
      const next = removed(now(), new Set(ids))
      // The one that led there takes the focus: it is the nearest one that is left.
      const neighbour = now().nodes.find(
        (node) => !ids.includes(node.id) && Object.values(node.next).some((to) => to === before?.id),
      )
      change(next)
      const id = neighbour?.id ?? START_ID
      select([id])
      focusNode(id)
      say(t('deleted', { count: ids.length, n: ids.length }))
    },
    [now, change, select, focusNode, say, t],
  )
  const paste = useCallback(
    (fragment: Fragment | null) => {
      if (!fragment) return
      const result = pasted(now(), fragment)
      if (!result) return toast.error(t('full', { max: MAX_NODES }))
      change(result.flow)
      select(result.ids)
      const [first] = result.ids
      if (first !== undefined) focusNode(first)
      say(t('pasted', { count: result.ids.length, n: result.ids.length }))
    },
    [now, change, select, focusNode, say, t],
  )
  const duplicate = useCallback((ids: readonly string[]) => paste(copied(now(), new Set(ids))), [paste, now])
  const steps = [...selected].filter((id) => id !== START_ID)
  const copy = () => {
    if (steps.length === 0) return
    clipboard = copied(flow, new Set(steps))
    say(t('copied', { count: steps.length, n: steps.length }))
  }
  const step = (way: 'undo' | 'redo') => {
    if (!editing[way === 'undo' ? 'canUndo' : 'canRedo']) return
    editing[way]()
    say(t(way === 'undo' ? 'undone' : 'redone'))
  }
  const tidy = () => {
    change(tidied(now()))
    setFitted((count) => count + 1)
    say(t('tidied'))
  }

  const send = async (over: number | null) => {
    const sent = now()
    setSaving(true)
    try {
      const reply = await call(changeNodes, { params: { id: scenario.id }, body: { flow: sent, version_seen: over } })
      editing.markSaved(sent)
      setBasis(reply.version)
      setConflict(false)
      setAsked(new Set(['', ...sent.nodes.map(({ id }) => id)]))
      setRefused(reply.problems.length > 0 ? 'saved' : null)
      toast.saved()
      await refresh('scenarios')
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'scenario_changed_meanwhile') setConflict(true)
      else if (error instanceof ApiError && error.reason === 'scenario_incomplete') {
        setAsked(new Set(['', ...sent.nodes.map(({ id }) => id)]))
        setRefused('kept')
      } else toast.failed(error)
    } finally {
      setSaving(false)
    }
  }
  const save = async () => {
    if (readOnly || saving || (!dirty && scenario.mode === 'flow')) return
    const sure =
      scenario.mode === 'flow' ||
      (await confirm({
        title: t('firstSave.title'),
        body: t('firstSave.body'),
        confirmLabel: t('firstSave.confirm'),
        irreversible: true,
      }))
    if (sure) await send(basis)
  }
  const takeTheirs = async () => {
    const theirs = await call(getNodes, { params: { id: scenario.id } })
    restart(theirs.flow)
    setBasis(theirs.version)
    setConflict(false)
    setRefused(null)
    toast.done(t('conflict.loaded'))
    await refresh('scenarios')
  }

  const shortcuts = useRef<(event: KeyboardEvent) => void>(() => undefined)
  shortcuts.current = (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return
    const key = event.key.toLowerCase()
    if (key === 's') {
      event.preventDefault()
      void save()
      return
    }
    // Inputs have their own undoing and copying, and so has a dialog.
    const target = event.target instanceof Element ? event.target : null
    if (readOnly || target?.closest('input, textarea, [contenteditable="true"], [role="dialog"]')) return
    if (event.defaultPrevented) return
    const marks = window.getSelection()?.isCollapsed === false
    const act: Record<string, () => void> = {
      z: () => step(event.shiftKey ? 'redo' : 'undo'),
      y: () => step('redo'),
      c: copy,
      x: () => {
        copy()
        if (steps.length > 0) remove(steps)
      },
      v: () => paste(clipboard),
      d: () => duplicate(steps),
      a: () => select(flow.nodes.map(({ id }) => id)),
    }
    const wanted = act[key]
    // Marked text is what one means to copy.
    if (!wanted || (marks && (key === 'c' || key === 'x'))) return
    event.preventDefault()
    wanted()
  }
  useEffect(() => {
    const listen = (event: KeyboardEvent) => shortcuts.current(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])

  const picture = useMemo(() => ({ saying, readOnly, askInsert }), [saying, readOnly, askInsert])
  const openNode = (id: string) => {
    select([id])
    focusNode(id)
  }
  const notSavedYet = dirty || scenario.mode === 'form'

  return (
    <FlowContext value={picture}>
      <div className={classes.page}>
        <PageFrame
          title={scenario.name}
          back={{ to: paths.scenario(scenario.id), label: t('back') }}
          badge={<ScenarioBadge status={scenario.status} />}
          actions={
            <>
              {!narrow && (
                <Button
                  variant="default"
                  aria-expanded={listed}
                  leftSection={
                    problems.length > 0 ? (
                      <IconAlertCircle size={18} className={classes.cardAlert} aria-hidden />
                    ) : (
                      <IconCircleCheck size={18} aria-hidden />
                    )
                  }
                  onClick={() => setListed(!listed)}
                >
                  {problems.length > 0
                    ? t('problems.button', { count: problems.length, n: problems.length })
                    : t('problems.none')}
                </Button>
              )}
              {!readOnly && (
                <Button
                  leftSection={<IconDeviceFloppy size={18} aria-hidden />}
                  loading={saving}
                  data-disabled={!notSavedYet || undefined}
                  aria-disabled={!notSavedYet || undefined}
                  aria-keyshortcuts="Control+S Meta+S"
                  title={t('saveKeys', { keys: keyName('S') })}
                  onClick={() => void save()}
                >
                  {t('save')}
                </Button>
              )}
            </>
          }
        >
          <Notices
            refused={marked.size > 0 ? refused : null}
            reason={(!mayChange && t('readOnly')) || (scenario.status === 'deleted' && t('deleted'))}
            needsPlan={!allowed}
            active={scenario.status === 'active' && dirty}
          />
          {narrow ? (
            <>
              <Notice>{t('phone')}</Notice>
              <Paper withBorder p="md" component="section" aria-label={t('panel.description')}>
                <h2 className={classes.sideTitle}>{t('panel.description')}</h2>
                <FlowDescription flow={flow} />
              </Paper>
              {problems.length > 0 && (
                <Paper withBorder p="md" component="section" aria-label={t('problems.title')}>
                  <h2 className={classes.sideTitle}>{t('problems.title')}</h2>
                  <FlowProblems problems={problems} flow={flow} />
                </Paper>
              )}
            </>
          ) : (
            <div className={classes.editor} data-listed={listed || undefined} data-read-only={readOnly || undefined}>
              {!readOnly && (
                <div className={classes.side}>
                  <Palette onAdd={insertAfterSelected} />
                </div>
              )}
              <div className={classes.middle}>
                <div className={classes.tools} role="toolbar" aria-label={t('canvas')}>
                  {!readOnly && (
                    <>
                      <Tool
                        label={t('undo')}
                        keys={keyName('Z')}
                        icon={IconArrowBackUp}
                        off={!editing.canUndo}
                        onClick={() => step('undo')}
                      />
                      <Tool
                        label={t('redo')}
                        keys={keyName('Shift+Z')}
                        icon={IconArrowForwardUp}
                        off={!editing.canRedo}
                        onClick={() => step('redo')}
                      />
                      <Divider orientation="vertical" />
                      <Tool
                        label={t('copy')}
                        keys={keyName('C')}
                        icon={IconCopy}
                        off={steps.length === 0}
                        onClick={copy}
                      />
                      <Tool
                        label={t('paste')}
                        keys={keyName('V')}
                        icon={IconClipboard}
                        off={false}
                        onClick={() => paste(clipboard)}
                      />
                      <Divider orientation="vertical" />
                      <Tool label={t('tidy')} icon={IconSitemap} off={flow.nodes.length === 0} onClick={tidy} />
                    </>
                  )}
                  <Keys />
                  <span role="status" className={classes.state} data-dirty={dirty || undefined}>
                    {dirty ? (
                      <UnsavedText />
                    ) : (
                      <>
                        <IconCircleCheck size={16} aria-hidden /> {t('saved')}
                      </>
                    )}
                  </span>
                </div>
                <Canvas
                  editing={editing}
                  saying={saying}
                  readOnly={readOnly}
                  marked={marked}
                  counts={countsById}
                  onDrop={drop}
                  askInsert={askInsert}
                  onOpen={openPanel}
                  onRemove={remove}
                  focusOn={focusOn}
                  fitted={fitted}
                  say={say}
                />
                {listed && (
                  <ProblemList
                    flow={flow}
                    problems={problems}
                    onOpen={(id) => {
                      setAsked(new Set(['', ...flow.nodes.map((node) => node.id)]))
                      openNode(id)
                    }}
                    onClose={() => setListed(false)}
                  />
                )}
              </div>
              <SidePanel
                ref={panel}
                editing={editing}
                readOnly={readOnly}
                problems={byNode}
                marked={marked}
                counts={countsById}
                onRemove={remove}
                onDuplicate={duplicate}
                askInsert={askInsert}
                onLeave={() => {
                  const [only] = selected
                  if (only !== undefined) focusNode(only)
                  else select([])
                }}
              />
            </div>
          )}
        </PageFrame>
        <InsertMenu
          asking={asking}
          onChoose={(kind, way) => {
            setAsking(null)
            insertOn(kind, way)
          }}
          onClose={() => setAsking(null)}
        />
        <Conflict
          opened={conflict}
          saving={saving}
          onMine={() => void send(null)}
          onTheirs={() => void takeTheirs()}
          onLater={() => setConflict(false)}
        />
        <LeaveGuard form={{ guard }} />
        <div className="for-screen-readers" role="status">
          {news}
        </div>
      </div>
    </FlowContext>
  )
}

/** Where the first way goes on to its end: what is added without anything selected comes there. */
function lastOf(flow: Flow): string | null {
  const seen = new Set<string>()
  let at: string | null = null
  for (let next = flow.start; next !== null && !seen.has(next); ) {
    const node = findNode(flow, next)
    const [port] = node ? portsOf(node) : []
    if (!node || port === undefined) break
    seen.add(node.id)
    at = node.id
    next = nextOf(node, port)
  }
  return at
}

/** What is wrong: by its shape at once, and with what the server knows a moment later. */
function useProblems(
  flow: Flow,
  saved: readonly FlowProblem[],
  categories: Parameters<typeof checkFlowShape>[1],
): readonly FlowProblem[] {
  const [asked] = useDebouncedValue(flow, CHECK_DELAY_MS)
  const { data } = useQuery({
    queryKey: [checkFlow.area, checkFlow.path, asked],
    queryFn: ({ signal }) => call(checkFlow, { body: { flow: asked }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: false,
    retry: false,
    // As large as the flow, and asked anew with each change.
    gcTime: 0,
  })
  const told = data?.problems ?? saved
  return useMemo(() => {
    const ids = new Set(flow.nodes.map(({ id }) => id))
    const shape = checkFlowShape(flow, categories)
    const more = told.filter(
      ({ problem, node_id }) => askedOfServer.includes(problem) && (node_id === null || ids.has(node_id)),
    )
    // In the order the steps are read: from the start down, what nothing leads to at the end.
    const order = [...reachable(flow, new Map(flow.nodes.map((node) => [node.id, node]))), ...ids]
    const place = new Map(order.toReversed().map((id, at) => [id, order.length - at]))
    const placeOf = ({ node_id }: FlowProblem): number => (node_id === null ? 0 : (place.get(node_id) ?? 0))
    return [...shape, ...more].sort((a, b) => placeOf(a) - placeOf(b))
  }, [flow, told, categories])
}

function Notices(props: {
  refused: 'saved' | 'kept' | null
  reason: string | false
  needsPlan: boolean
  active: boolean
}) {
  const t = useWords('flow')
  const text = usePlanText()
  return (
    <>
      {props.refused && (
        <Notice tone="danger" title={t('errorsTitle')}>
          {t(props.refused === 'kept' ? 'notSaved' : 'savedWithErrors')}
        </Notice>
      )}
      {props.needsPlan ? (
        <Notice tone="warning" action={<TextLink to={paths.support()}>{t('upgrade')}</TextLink>}>
          {text}
        </Notice>
      ) : (
        props.reason && <Notice>{props.reason}</Notice>
      )}
      {props.active && <Notice>{t('activeNote')}</Notice>}
    </>
  )
}

function usePlanText(): string {
  const language = useLanguage()
  return reasonTexts.plan_forbids_flow_editor[language]
}

const UnsavedText = () => {
  const ui = useWords('ui')
  return ui('unsaved')
}

interface ToolProps {
  label: string
  keys?: string
  icon: ComponentType<{ size?: number }>
  off: boolean
  onClick: () => void
}
const Tool = ({ label, keys, icon: Icon, off, onClick }: ToolProps) => (
  <Tooltip label={keys ? `${label}（${keys}）` : label}>
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      data-disabled={off || undefined}
      aria-disabled={off || undefined}
      onClick={() => off || onClick()}
    >
      <Icon size={19} />
    </ActionIcon>
  </Tooltip>
)

function Keys() {
  const t = useWords('flow')
  const rows: [what: string, keys: readonly string[]][] = [
    [t('keys.move'), ['↑', '↓', '←', '→']],
    [t('keys.open'), ['Enter']],
    [t('keys.insert'), ['I']],
    [t('keys.remove'), ['Delete']],
    [t('keys.shift'), ['Shift + ↑↓←→']],
    [t('keys.undo'), [keyName('Z'), keyName('Shift+Z')]],
    [t('keys.copy'), [keyName('C'), keyName('V'), keyName('D')]],
    [t('keys.all'), [keyName('A')]],
    [t('keys.save'), [keyName('S')]],
    [t('keys.leave'), ['Esc']],
  ]
  return (
    <Popover position="bottom-start" shadow="md" trapFocus>
      <Popover.Target>
        <Tooltip label={t('keys.title')}>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('keys.title')}>
            <IconKeyboard size={20} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown>
        <dl className={classes.keys}>
          {rows.map(([what, keys]) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd>
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </Popover.Dropdown>
    </Popover>
  )
}

function Conflict(props: {
  opened: boolean
  saving: boolean
  onMine: () => void
  onTheirs: () => void
  onLater: () => void
}) {
  const t = useWords('flow')
  const ui = useWords('ui')
  return (
    <Modal
      opened={props.opened}
      onClose={props.onLater}
      title={t('conflict.title')}
      centered
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <Text size="sm">{t('conflict.body')}</Text>
      <div className={classes.choices}>
        <Button color="red" loading={props.saving} onClick={props.onMine}>
          {t('conflict.mine')}
        </Button>
        <div>
          <Button variant="default" fullWidth onClick={props.onTheirs}>
            {t('conflict.theirs')}
          </Button>
          <Text size="xs" c="dimmed" mt={4}>
            {t('conflict.theirsHelp')}
          </Text>
        </div>
        <Button variant="subtle" onClick={props.onLater}>
          {t('conflict.later')}
        </Button>
      </div>
    </Modal>
  )
}
