import { Button, Paper } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { planIncludes } from '@okaeri/contract/merchants/plan-features'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import type { FlowProblem } from '@okaeri/contract/scenarios/flow/flow-problem'
import type { NodeCounts, Scenario } from '@okaeri/contract/scenarios/scenario'
import { IconAlertCircle, IconCircleCheck, IconDeviceFloppy } from '@tabler/icons-react'
import { ReactFlowProvider, useStoreApi } from '@xyflow/react'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { paths } from '../../../app/paths.ts'
import { LeaveGuard } from '../../../ui/pages/edit-page.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageFrame } from '../../../ui/pages/page-frame.tsx'
import { useUnsavedGuard } from '../../../ui/edit/unsaved.ts'
import { useCategories } from '../../segments/editor/condition-names.ts'
import { FlowDescription } from '../flow-picture/flow-description.tsx'
import { useFlowSaying } from '../flow-picture/flow-names.ts'
import { FlowProblems } from '../flow-picture/flow-problems.tsx'
import { ScenarioBadge } from '../scenario-badge.tsx'
import { useAsking } from './asking.ts'
import { useByNode, useProblems } from './checking.ts'
import { Conflict } from './conflict.tsx'
import type { Lines } from './canvas/dragging.ts'
import { useFlowEditing } from './editing.ts'
import { EditorNotices } from './editor-notices.tsx'
import { FlowContext } from './flow-context.ts'
import classes from './flow-editor.module.css'
import icons from './kind-icon.module.css'
import type { VisibleArea } from './model/clipboard.ts'
import { InsertMenu } from './canvas/insert-menu.tsx'
import { useFlowSaving } from './saving.ts'
import { keyName, useShortcuts } from './shortcuts.ts'
import { useStepEdits } from './step-edits.ts'
import { Workspace } from './workspace.tsx'

/** Too narrow for the picture and its settings side by side. */
const NARROW = '(max-width: 899px)'

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

function Editor(props: FlowEditorProps) {
  const { scenario, flow: savedFlow, problems: savedProblems, counts } = props
  const t = useWords('flow')
  const { mayChange, plan } = useMerchant()
  const { categories, known } = useCategories()
  const editing = useFlowEditing(savedFlow)
  const { flow, described, selected, dirty } = editing
  const saying = useFlowSaying(described)
  const guard = useUnsavedGuard(dirty)

  const allowed = planIncludes(plan, 'flow_editor')
  const narrow = useMediaQuery(NARROW) ?? false
  const readOnly = !mayChange || !allowed || narrow || scenario.status === 'deleted'
  const { asking, askInsert, endAsking } = useAsking(editing)
  const [focusOn, setFocusOn] = useState<{ id: string; stay: boolean } | null>(null)
  const [listed, setListed] = useState(false)
  const [full, setFull] = useState(false)
  const page = useRef<HTMLDivElement>(null)
  useAlone(page, full)
  const [news, setNews] = useState('')
  const saving = useFlowSaving(editing, props)
  const { asked, refused } = saving

  const saved = useMemo(() => ({ flow: savedFlow, problems: savedProblems }), [savedFlow, savedProblems])
  const problems = useProblems(described, saved, known ? categories : undefined)
  const byNode = useByNode(problems)
  // Opening the list of errors shows all of them.
  const marked = useMemo(() => new Map([...byNode].filter(([id]) => listed || asked.has(id))), [byNode, asked, listed])

  const say = useCallback((text: string) => setNews(text), [])
  const focusNode = useCallback((id: string, stay?: 'stay') => setFocusOn({ id, stay: stay !== undefined }), [])
  const seen = useSeen()
  const edits = useStepEdits(editing, { readOnly, focusNode, seen, say })
  const save = () => {
    if (!readOnly) void saving.save()
  }
  useShortcuts({ editing, edits, readOnly, save })

  const [lines] = useState<Lines>(() => new Map())
  const picture = useMemo(() => ({ saying, readOnly, askInsert, lines }), [saying, readOnly, askInsert, lines])

  return (
    <FlowContext value={picture}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape leaves the full screen, wherever the focus is */}
      <div
        ref={page}
        className={classes.page}
        data-full={(full && !narrow) || undefined}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && full && !event.defaultPrevented && selected.size === 0 && !asking)
            setFull(false)
        }}
      >
        <PageFrame
          title={scenario.name}
          back={{ to: paths.scenario(scenario.id), label: t('back') }}
          badge={<ScenarioBadge status={scenario.status} />}
          actions={
            <Actions
              problems={problems.length}
              narrow={narrow}
              listed={listed}
              onList={() => setListed(!listed)}
              {...(!readOnly && {
                save: { run: save, running: saving.saving, needed: dirty || scenario.mode === 'form' },
              })}
            />
          }
        >
          <EditorNotices
            refused={marked.size > 0 ? refused : null}
            reason={(!mayChange && t('readOnly')) || (scenario.status === 'deleted' && t('deleted'))}
            needsPlan={!allowed}
            active={scenario.status === 'active'}
          />
          {narrow ? (
            <InWords flow={flow} problems={problems} />
          ) : (
            <Workspace
              editing={editing}
              edits={edits}
              problems={problems}
              byNode={byNode}
              marked={marked}
              counts={counts}
              full={full}
              onFull={() => setFull(!full)}
              listed={listed}
              onOpenProblem={() => saving.askAll(flow)}
              onCloseProblems={() => setListed(false)}
              focusOn={focusOn}
              focusNode={focusNode}
              say={say}
            />
          )}
        </PageFrame>
        <InsertMenu
          asking={asking}
          onChoose={(kind, way) => {
            endAsking()
            edits.insertOn(kind, way)
          }}
          onClose={endAsking}
        />
        <Conflict
          opened={saving.conflict}
          saving={saving.saving}
          onMine={saving.saveMine}
          onTheirs={saving.takeTheirs}
          onLater={saving.decideLater}
        />
        <LeaveGuard form={{ guard }} />
        <div className="for-screen-readers" role="status">
          {news}
        </div>
      </div>
    </FlowContext>
  )
}

interface ActionsProps {
  /** How many there are. */
  problems: number
  narrow: boolean
  listed: boolean
  onList: () => void
  save?: { run: () => void; running: boolean; needed: boolean }
}
function Actions({ problems, narrow, listed, onList, save }: ActionsProps) {
  const t = useWords('flow')
  return (
    <>
      {!narrow && (
        <Button
          variant="default"
          aria-expanded={listed}
          leftSection={
            problems > 0 ? (
              <IconAlertCircle size={18} className={icons.alert} aria-hidden />
            ) : (
              <IconCircleCheck size={18} aria-hidden />
            )
          }
          onClick={onList}
        >
          {problems > 0 ? t('problems.button', { count: problems, n: problems }) : t('problems.none')}
        </Button>
      )}
      {save && (
        <Button
          leftSection={<IconDeviceFloppy size={18} aria-hidden />}
          loading={save.running}
          data-disabled={!save.needed || undefined}
          aria-disabled={!save.needed || undefined}
          aria-keyshortcuts="Control+S Meta+S"
          title={t('saveKeys', { keys: keyName('S') })}
          onClick={save.run}
        >
          {t('save')}
        </Button>
      )}
    </>
  )
}

/** The flow in words, if there is no room for the picture. */
function InWords({ flow, problems }: { flow: Flow; problems: readonly FlowProblem[] }) {
  const t = useWords('flow')
  return (
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
  )
}

/** The visible part of the drawing; undefined before it is drawn. */
function useSeen(): () => VisibleArea | undefined {
  const store = useStoreApi()
  return useCallback(() => {
    const { transform, width, height } = store.getState()
    const [x, y, zoom] = transform
    return width > 0 ? { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom } : undefined
  }, [store])
}

/** In full screen nothing beneath takes the focus. Dialogs and lists are children of the body and stay usable. */
function useAlone(page: RefObject<HTMLElement | null>, alone: boolean): void {
  useEffect(() => {
    if (!alone) return
    const covered: Element[] = []
    for (
      let at: Element | null = page.current;
      at?.parentElement && at.parentElement !== document.body;
      at = at.parentElement
    )
      for (const beside of at.parentElement.children)
        if (beside !== at && !beside.hasAttribute('inert')) covered.push(beside)
    for (const each of covered) each.setAttribute('inert', '')
    return () => {
      for (const each of covered) each.removeAttribute('inert')
    }
  }, [page, alone])
}
