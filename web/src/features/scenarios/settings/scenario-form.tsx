import { Box, Checkbox, Group, NumberInput, Paper, Radio, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import type { FlowProblem } from '@okaeri/contract/scenarios/flow/flow-problem'
import { changeScenario, createScenario, getActionTemplate, previewTemplate } from '@okaeri/contract/scenarios/routes'
import {
  type FormValues,
  NO_CONDITIONS,
  type Scenario,
  scenarioAllows,
  scenarioFields,
  ScenarioName,
} from '@okaeri/contract/scenarios/scenario'
import type { SchemaField, TemplateNeed } from '@okaeri/contract/scenarios/template'
import { planIncludes } from '@okaeri/contract/merchants/plan-features'
import type { FieldReason } from '@okaeri/contract/errors'
import { IconSitemap } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useRef } from 'react'
import { z } from 'zod'
import { call } from '../../../api/call.ts'
import { queryOf, refresh } from '../../../api/queries.ts'
import { useFormat } from '../../../app/format.ts'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { paths } from '../../../app/paths.ts'
import { ActionButton } from '../../../ui/actions.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { NOT_SAVED, useEditForm } from '../../../ui/edit/edit-form.ts'
import { Notice } from '../../../ui/notice.tsx'
import { EditBody, EditPageLoading, EditSection } from '../../../ui/pages/edit-page.tsx'
import { PageFrame } from '../../../ui/pages/page-frame.tsx'
import { EntryConditions } from './entry-conditions.tsx'
import { FlowDescription } from '../flow-picture/flow-description.tsx'
import { FlowPicture } from '../flow-picture/flow-picture.tsx'
import { FlowProblems } from '../flow-picture/flow-problems.tsx'
import { type ChangedPart, liveChange, type ScenarioValues } from './live-change.ts'
import { askToChange, askToMove } from './move-dialog.tsx'
import { TemplateNeedNotice } from './template-need-notice.tsx'
import { ScenarioBadge } from '../scenario-badge.tsx'
import classes from './scenario-form.module.css'
import { matters, SchemaFields } from './schema-field.tsx'

const PREVIEW_DELAY_MS = 300

export type ScenarioWithFlow = Scenario & { flow: Flow }
interface Template {
  classname: string
  name_ja: string
  name_en: string
  schema: readonly SchemaField[]
}

const defaultsOf = (schema: readonly SchemaField[], given: FormValues): FormValues =>
  Object.fromEntries(
    schema
      .filter(({ type }) => type !== 'separator')
      .map(({ slug, default: initial }) => [slug, given[slug] ?? initial]),
  )

/** Numbers out of range (spec §5), in fields that matter. */
function wrongIn(schema: readonly SchemaField[], form: FormValues): [slug: string, reason: FieldReason][] {
  return schema.flatMap((field): [string, FieldReason][] => {
    if (field.type !== 'number' || !matters(field, form)) return []
    const value = form[field.slug]
    if (typeof value !== 'number' || !Number.isInteger(value)) return [[field.slug, 'not_a_number']]
    if (field.min !== null && value < field.min) return [[field.slug, 'too_small']]
    return field.max !== null && value > field.max ? [[field.slug, 'too_big']] : []
  })
}

/** An email may still be missing in a draft. */
const formSchema = (schema: readonly SchemaField[]) =>
  z
    .object({
      name: ScenarioName,
      holdout_percent: scenarioFields.holdout_percent,
      form: z.custom<FormValues>(),
    })
    .superRefine(({ form }, context) => {
      for (const [slug, message] of wrongIn(schema, form))
        context.addIssue({ code: 'custom', path: ['form', slug], message })
    })

/** Spec §2: create (fill in details). */
export function ScenarioCreate() {
  const t = useWords('scenarios')
  const { id: slug = '' }: { id?: string } = useParams({ strict: false })
  const query = useQuery({ ...queryOf(getActionTemplate, { params: { slug } }), refetchInterval: false })
  const template = query.data?.actiontemplate
  if (!template)
    return (
      <EditPageLoading
        title={t('form.newTitlePlain')}
        back={{ to: paths.scenarioNew(), label: t('gallery.title') }}
        query={query}
      />
    )
  return <ScenarioForm scenario={null} template={template} need={query.data?.need ?? null} />
}

interface ScenarioFormProps {
  scenario: ScenarioWithFlow | null
  /** Null if it is edited in the flow editor: then only name and settings are here. */
  template: Template | null
  need: TemplateNeed | null
}

const settingNames = {
  conditions: 'conditions.title',
  include_all_customers: 'form.includeAll',
  priority: 'form.priority',
  holdout_percent: 'form.holdout',
} as const

/** Saves the form: a new scenario is created first, then its settings are saved. */
function useScenarioForm({ scenario, template }: ScenarioFormProps) {
  const t = useWords('scenarios')
  const format = useFormat()
  const language = useLanguage()
  const navigate = useNavigate()
  const schema = template?.schema ?? []
  /** Created by this page already, if a later step failed. */
  const madeId = useRef(scenario?.id ?? null)
  const templateName = template && template[`name_${language}`]
  const nameOf = (part: ChangedPart): string =>
    typeof part === 'string' ? t(settingNames[part]) : language === 'ja' ? part.nameJa : part.nameEn
  const form = useEditForm<ScenarioValues>({
    values: {
      name: scenario?.name ?? templateName ?? '',
      form: defaultsOf(schema, scenario?.form ?? {}),
      conditions: scenario?.conditions ?? NO_CONDITIONS,
      include_all_customers: scenario?.include_all_customers ?? false,
      priority: scenario?.priority ?? 'normal',
      holdout_percent: scenario?.holdout_percent ?? 0,
    },
    schema: formSchema(schema),
    save: async (values, began) => {
      const { name, form: fields, conditions, include_all_customers, priority, holdout_percent } = values
      const settings = { include_all_customers, priority, holdout_percent: Number(holdout_percent) }
      const plain = !include_all_customers && priority === 'normal' && settings.holdout_percent === 0
      const isNew = madeId.current === null
      const found = scenario?.status === 'active' ? liveChange(began, values, schema) : null
      const live = found && { ...found, changed: format.list(found.parts.map(nameOf)) }
      const those =
        scenario && template
          ? await askToMove(scenario.id, { form: fields, conditions }, live)
          : live && !(await askToChange(live))
            ? null
            : 'stay'
      if (those === null) return NOT_SAVED
      if (isNew)
        madeId.current = (
          await call(createScenario, {
            body: { name, template: template?.classname ?? null, form: fields, conditions },
          })
        ).action.id
      if (!isNew || !plain)
        await call(changeScenario, {
          params: { id: madeId.current ?? '' },
          body: { name, ...settings, ...(template && { form: fields, conditions, move: those === 'move' }) },
        })
      void refresh('scenarios', 'emails', 'segments')
      return null
    },
    onSaved: () => {
      if (madeId.current) void navigate({ to: paths.scenario(madeId.current) })
    },
  })
  return { form, schema, templateName }
}

/** The simple editor: the template's fields, and next to them the flow they make. */
export function ScenarioForm(props: ScenarioFormProps) {
  const { scenario, template, need } = props
  const t = useWords('scenarios')
  const language = useLanguage()
  const navigate = useNavigate()
  const { mayChange } = useMerchant()
  const { form, schema, templateName } = useScenarioForm(props)
  const preview = usePreview(template?.classname ?? null, schema, form.values)

  const back = scenario
    ? { to: paths.scenario(scenario.id), label: t('backToScenario') }
    : { to: paths.scenarioNew(), label: t('gallery.title') }
  const readOnlyReason =
    (!mayChange && t('readOnly')) ||
    (scenario !== null && !scenarioAllows('edit', scenario.status) && t('forbidden.deleted'))

  return (
    <PageFrame
      title={scenario ? t('form.editTitle') : t('form.newTitle', { template: templateName ?? '' })}
      back={back}
      badge={scenario && <ScenarioBadge status={scenario.status} />}
    >
      <div className={classes.columns}>
        <div className={classes.fields}>
          {scenario?.status === 'active' && !readOnlyReason && (
            <Box mb="md">
              <Notice>{t('moving.liveNote')}</Notice>
            </Box>
          )}
          <EditBody
            form={form}
            labels={{
              name: t('name'),
              holdout_percent: t('form.holdout'),
              ...Object.fromEntries(
                schema.map((field) => [`form.${field.slug}`, language === 'ja' ? field.nameJa : field.nameEn]),
              ),
            }}
            {...(!scenario && { saveLabel: t('form.create') })}
            always
            onCancel={() => void navigate({ to: back.to })}
            readOnlyReason={readOnlyReason}
          >
            <EditSection title={t('form.basics')}>
              <TextInput label={t('name')} description={t('form.nameHelp')} withAsterisk {...form.field('name')} />
            </EditSection>
            {template && (
              <EditSection title={t('form.fields')}>
                {need && <TemplateNeedNotice {...need} />}
                <SchemaFields
                  schema={schema}
                  values={form.values.form}
                  errorOf={(slug) => form.errors[`form.${slug}`]}
                  onChange={(slug, value) => form.set('form', { ...form.values.form, [slug]: value })}
                />
              </EditSection>
            )}
            {template && (
              <EntryConditions
                value={form.values.conditions}
                coupon={form.values.form.discount === true}
                templates={preview.data?.template_reentry ?? null}
                strict={form.failure !== null}
                onChange={(conditions) => form.set('conditions', conditions)}
              />
            )}
            <Settings form={form} />
          </EditBody>
        </div>
        <aside className={classes.aside}>
          {scenario?.mode === 'flow' && (
            <Paper withBorder p="lg">
              <Text size="sm">{t('form.flowMode')}</Text>
            </Paper>
          )}
          {template ? (
            <WhatItMakes schema={schema} preview={preview} />
          ) : (
            scenario && <Beside flow={scenario.flow} problems={scenario.problems} />
          )}
          {scenario && template && !readOnlyReason && <ToFlow id={scenario.id} />}
        </aside>
      </div>
    </PageFrame>
  )
}

function ToFlow({ id }: { id: string }) {
  const t = useWords('scenarios')
  const navigate = useNavigate()
  const { plan } = useMerchant()
  const toFlow = async () => {
    const sure = await confirm({
      title: t('ask.flowTitle'),
      body: t('ask.flowBody'),
      confirmLabel: t('ask.flowConfirm'),
    })
    if (sure) void navigate({ to: paths.scenarioEdit(id), search: { mode: 'flow' } })
  }
  return (
    <Paper withBorder p="lg">
      <Stack gap="xs" align="flex-start">
        <ActionButton
          action={{
            label: t('form.switch'),
            icon: <IconSitemap size={17} aria-hidden />,
            onClick: () => void toFlow(),
            disabledReason: !planIncludes(plan, 'flow_editor') && t('gallery.planForbids'),
          }}
        />
        <Text size="sm" c="dimmed">
          {t('form.switchHelp')}
        </Text>
      </Stack>
    </Paper>
  )
}

/** While the member types: the flow of the fields, from the server, which alone knows the templates. */
function usePreview(
  slug: string | null,
  schema: readonly SchemaField[],
  values: Pick<ScenarioValues, 'form' | 'conditions'>,
) {
  const [form] = useDebouncedValue(values.form, PREVIEW_DELAY_MS)
  const [conditions] = useDebouncedValue(values.conditions, PREVIEW_DELAY_MS)
  const right = wrongIn(schema, form).length === 0
  const { data } = useQuery({
    ...queryOf(previewTemplate, { params: { slug: slug ?? '' }, body: { form, conditions } }),
    enabled: right && slug !== null,
    placeholderData: keepPreviousData,
    refetchInterval: false,
    retry: false,
  })
  return { data, right }
}

interface WhatItMakesProps {
  schema: readonly SchemaField[]
  preview: ReturnType<typeof usePreview>
}
function WhatItMakes({ schema, preview: { data, right } }: WhatItMakesProps) {
  const language = useLanguage()
  const fieldOf = ({ node_id, field }: FlowProblem): string | undefined => {
    const asked = schema.find(({ slug, type }) =>
      field === 'trigger.segment_id' ? type === 'segment' : isSending(type) && sendingNode(slug) === node_id,
    )
    return asked && (language === 'ja' ? asked.nameJa : asked.nameEn)
  }
  return data && <Beside flow={data.flow} problems={data.problems} waits={!right} fieldOf={fieldOf} />
}
const isSending = (type: SchemaField['type']): boolean => type === 'emailtemplate' || type === 'linemessage'
/** The node that sends what is chosen in a field: `email2` for `email2_email`, `email2_line` for `email2_email_line`. */
const sendingNode = (slug: string): string => slug.replace(/_email(_line)?$/, '$1')

interface BesideProps {
  flow: Flow
  problems: readonly FlowProblem[]
  waits?: boolean
  fieldOf?: (problem: FlowProblem) => string | undefined
}
/** The flow the form makes, in pictures and words, with its problems. */
function Beside({ flow, problems, waits, fieldOf }: BesideProps) {
  const t = useWords('scenarios')
  return (
    <>
      <Paper withBorder p="lg" component="section" aria-label={t('form.description')}>
        <Title order={2} size="h4" mb="sm">
          {t('form.description')}
        </Title>
        <FlowPicture flow={flow} />
        <FlowDescription flow={flow} />
        {waits && (
          <Text size="sm" c="dimmed" mt="sm">
            {t('form.descriptionWaits')}
          </Text>
        )}
      </Paper>
      <Paper withBorder p="lg" component="section" aria-label={t('form.problems')}>
        <Title order={2} size="h4" mb="sm">
          {t('form.problems')}
        </Title>
        {problems.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('form.noProblems')}
          </Text>
        ) : (
          <Text size="sm" component="div">
            <FlowProblems problems={problems} flow={flow} {...(fieldOf && { fieldOf })} />
          </Text>
        )}
      </Paper>
    </>
  )
}

function Settings({ form }: { form: ReturnType<typeof useEditForm<ScenarioValues>> }) {
  const t = useWords('scenarios')
  const { values, set } = form
  const includeAll = async (on: boolean) => {
    const sure =
      !on ||
      (await confirm({
        title: t('form.includeAllAsk'),
        body: t('form.includeAllBody'),
        confirmLabel: t('form.includeAllConfirm'),
        danger: true,
      }))
    if (sure) set('include_all_customers', on)
  }
  const holdout = form.field('holdout_percent')
  return (
    <EditSection title={t('form.settings')}>
      <Checkbox
        label={t('form.includeAll')}
        description={t('form.includeAllText')}
        checked={values.include_all_customers}
        onChange={(event) => void includeAll(event.currentTarget.checked)}
      />
      <Radio.Group
        label={t('form.priority')}
        value={values.priority}
        onChange={(value) => set('priority', value === 'always' ? 'always' : 'normal')}
      >
        <Stack gap="sm" mt={6}>
          <Radio value="normal" label={t('form.priorityNormal')} description={t('form.priorityNormalText')} />
          <Radio value="always" label={t('form.priorityAlways')} description={t('form.priorityAlwaysText')} />
        </Stack>
      </Radio.Group>
      <NumberInput
        label={t('form.holdout')}
        description={t('form.holdoutText')}
        min={0}
        max={50}
        clampBehavior="none"
        allowDecimal={false}
        {...holdout}
        error={holdout.error && t('form.number.wrong', { min: 0, max: 50 })}
        inputContainer={(input) => (
          <Group gap="xs" wrap="nowrap">
            <div className={classes.number}>{input}</div>
            <Text size="sm">{t('form.holdoutSuffix')}</Text>
          </Group>
        )}
      />
    </EditSection>
  )
}
