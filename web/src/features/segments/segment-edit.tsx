import { Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { ApiError } from '@okaeri/contract/client'
import { type Condition, type ConditionCategory, findField, type Group } from '@okaeri/contract/segments/condition'
import { explainConditions } from '@okaeri/contract/segments/condition-routes'
import { changeSegment, createSegment, getSegment } from '@okaeri/contract/segments/routes'
import { defaultSegmentName, type Segment, SegmentName } from '@okaeri/contract/segments/segment'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { z } from 'zod'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { useEditForm } from '../../ui/edit/edit-form.ts'
import { EditPageLoading, EditSection, ErrorSummary, LeaveGuard, SaveBar } from '../../ui/pages/edit-page.tsx'
import { Form } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageFrame } from '../../ui/pages/page-frame.tsx'
import { ConditionEditor } from './editor/condition-editor.tsx'
import { nameOf, type NamesOf, useCategories, useConditionWords, useNames } from './editor/condition-names.ts'
import { asGroup, finishedPart, newGroup, wrongIn, wrongSoFar } from './editor/condition-tree.ts'
import { conditionsOf } from './editor/from-filters.ts'
import { CountLine, LiveCount, usePreview } from './live-count.tsx'
import { SegmentNewSearch } from './search.ts'
import classes from './segment-edit.module.css'
import { SegmentExplanation } from './segment-explanation.tsx'

type Values = { name: string; conditions: Group }

const schemaFor = (categories: readonly ConditionCategory[]) =>
  z.object({
    name: SegmentName,
    conditions: z.custom<Group>().superRefine((conditions, context) => {
      for (const [path, reason] of Object.entries(wrongIn(conditions, categories)))
        context.addIssue({ code: 'custom', path: path.split('.').slice(1), message: reason })
    }),
  })

export function SegmentNew() {
  const t = useWords('segments')
  const format = useFormat()
  const navigate = useNavigate()
  const made = useRef<Segment | null>(null)
  const search = SegmentNewSearch.parse(useSearch({ strict: false }))
  const [given] = useState(() => conditionsOf(search))
  const [first] = useState<Values>(() => ({
    name: defaultSegmentName(format.dateTime(new Date().toISOString())),
    conditions: given.conditions ?? newGroup(),
  }))
  return (
    <Editor
      title={t('newTitle')}
      back={{ to: paths.segments(), label: t('title') }}
      values={first}
      save={async (body) => {
        const { customer_segment } = await call(createSegment, { body })
        made.current = customer_segment
      }}
      saveLabel={t('create')}
      onSaved={() => {
        if (made.current) void navigate({ to: paths.segment(made.current.id), replace: true })
      }}
      onCancel={() => void navigate({ to: paths.segments() })}
      notice={
        given.left.length > 0 &&
        t('fromList.left', { filters: format.list(given.left.map((name) => t(`fromList.${name}`))) })
      }
    />
  )
}

export function SegmentEdit() {
  const t = useWords('segments')
  const { id = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const query = useQuery(queryOf(getSegment, { params: { id } }))
  const segment = query.data?.customer_segment
  const kept = JSON.stringify(segment?.conditions ?? null)
  const conditions = useMemo(() => {
    const saved = JSON.parse(kept) as Condition | null
    return saved ? asGroup(saved) : newGroup()
  }, [kept])
  const toSegment = () => void navigate({ to: paths.segment(id) })
  if (!segment)
    return <EditPageLoading title={t('editTitle')} back={{ to: paths.segments(), label: t('title') }} query={query} />
  const back = { to: paths.segment(id), label: segment.name }
  if (segment.origin === 'remote')
    return (
      <PageFrame title={t('editTitle')} back={back} narrow>
        <Notice>{t('remoteReadonly')}</Notice>
      </PageFrame>
    )
  return (
    <Editor
      title={t('editTitle')}
      back={back}
      values={{ name: segment.name, conditions }}
      save={(body) => call(changeSegment, { params: { id }, body })}
      onSaved={toSegment}
      onCancel={toSegment}
      segmentId={id}
      used={(query.data?.used_by.length ?? 0) > 0}
    />
  )
}

interface EditorProps {
  title: string
  back: { to: string; label: string }
  values: Values
  save: (values: Values) => Promise<unknown>
  saveLabel?: string
  onSaved: () => void
  onCancel: () => void
  segmentId?: string
  /** Campaigns use it. */
  used?: boolean
  notice?: string | false
}

function Editor({ title, back, values, save, saveLabel, onSaved, onCancel, segmentId, used, notice }: EditorProps) {
  const t = useWords('segments')
  const { mayChange } = useMerchant()
  const { categories, known } = useCategories()
  const schema = useMemo(() => schemaFor(categories), [categories])
  const form = useEditForm<Values>({
    values,
    schema,
    save: async (wanted) => {
      await save(wanted)
      await refresh('segments')
    },
    onSaved,
  })
  const { conditions } = form.values
  const names = useNames(conditions)
  const wrong = useMemo(() => (known ? wrongIn(conditions, categories) : {}), [conditions, categories, known])
  const { finished, unfinished } = useMemo(() => finishedPart(conditions, categories), [conditions, categories])
  const isTooMuch = wrong['conditions'] !== undefined
  const preview = usePreview(finished ?? conditions, known && finished !== null && !isTooMuch, unfinished)
  const labels = useLabels(conditions, categories)

  // Rows move while they are edited, so the errors of each position are looked up again at every change.
  const change = (next: Group) => {
    form.set('conditions', next)
    if (Object.keys(form.errors).length === 0) return
    form.setErrors({ ...(form.errors.name ? { name: form.errors.name } : {}), ...wrongIn(next, categories) })
  }
  const refused = preview.query.error instanceof ApiError && !preview.counting ? preview.query.error.fields : {}

  return (
    <PageFrame title={title} back={back}>
      <Form onSubmit={() => form.submit()}>
        {/* The form's first button is what Enter presses: here it chooses in a list, and does not save a half-made rule. */}
        <button type="submit" disabled hidden aria-hidden />
        <Stack gap="lg">
          <ErrorSummary form={form} labels={labels} />
          {!mayChange && <Notice>{t('viewerMayNot')}</Notice>}
          {notice && <Notice tone="warning">{notice}</Notice>}
          {used && <Notice>{t('usedWarning')}</Notice>}
          <div className={classes.columns}>
            <fieldset disabled={!mayChange} className={classes.fields}>
              <Paper withBorder p="lg">
                <TextInput
                  label={t('name')}
                  description={t('nameHelp')}
                  withAsterisk
                  aria-required
                  maxLength={200}
                  {...form.field('name')}
                />
              </Paper>
              <CountLine preview={preview} />
              <EditSection title={t('conditions')} description={t('conditionsHelp')}>
                <InWords conditions={finished} categories={categories} names={names} />
                <ConditionEditor
                  value={conditions}
                  onChange={change}
                  errors={{ ...wrongSoFar(conditions, wrong), ...refused, ...form.errors }}
                  categories={categories}
                  names={names}
                  segmentId={segmentId ?? null}
                />
              </EditSection>
            </fieldset>
            <div className={classes.side}>
              <LiveCount preview={preview} />
              <Paper withBorder p="lg" component="section" aria-label={t('why.title')}>
                <Title order={2} size="h4">
                  {t('why.title')}
                </Title>
                <Text size="sm" c="dimmed" mb="sm">
                  {t('why.text')}
                </Text>
                <SegmentExplanation
                  conditions={preview.asked}
                  categories={categories}
                  names={names}
                  ask={(conditions, customer_id, signal) =>
                    call(explainConditions, { body: { conditions, customer_id }, signal })
                  }
                  onlyExplained
                />
              </Paper>
            </div>
          </div>
        </Stack>
        {mayChange && <SaveBar form={form} saveLabel={saveLabel} always onCancel={onCancel} />}
        <LeaveGuard form={form} />
      </Form>
    </PageFrame>
  )
}

function InWords(props: { conditions: Group | null; categories: readonly ConditionCategory[]; names: NamesOf }) {
  const t = useWords('segments')
  const { sentence } = useConditionWords(props.names, props.categories)
  return (
    <div className={classes.words}>
      <Text size="xs" c="dimmed" fw={600}>
        {t('inWords')}
      </Text>
      <Text size="sm" lh={1.8}>
        {props.conditions ? sentence(props.conditions) : '—'}
      </Text>
    </div>
  )
}

/** The label of each row in the summary of errors: its position and its field. */
function useLabels(conditions: Group, categories: readonly ConditionCategory[]): Record<string, string> {
  const t = useWords('segments')
  const language = useLanguage()
  const labels: Record<string, string> = { name: t('name'), conditions: t('conditions') }
  const add = (part: Condition, path: string, place: string): void => {
    if (part.type === 'condition') {
      const field = findField(part, categories)
      labels[path] = `${t('editor.row', { place })}${field ? ` ${nameOf(field, language)}` : ''}`
      return
    }
    if (place) labels[path] = t('editor.group', { place })
    for (const [at, child] of part.children.entries())
      add(child, `${path}.children.${at}`, place ? `${place}-${at + 1}` : `${at + 1}`)
  }
  add(conditions, 'conditions', '')
  return labels
}
