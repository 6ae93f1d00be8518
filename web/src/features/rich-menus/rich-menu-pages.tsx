import { Checkbox, Switch, Text, TextInput } from '@mantine/core'
import { ApiError } from '@okaeri/contract/client'
import { mayDo, type RichMenu, RichMenuDraft } from '@okaeri/contract/rich-menus/menu'
import { changeRichMenu, createRichMenu, getRichMenu } from '@okaeri/contract/rich-menus/routes'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords, word } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { ActionButton } from '../../ui/actions.tsx'
import { changesOf } from '../../ui/edit/changes.ts'
import { useEditForm } from '../../ui/edit/edit-form.ts'
import { EditPage, EditPageLoading, EditSection } from '../../ui/pages/edit-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { EditConflictNotice } from '../../ui/edit/edit-conflict-notice.tsx'
import { MenuClicks } from './menu-clicks.tsx'
import { MenuDesign } from './menu-design.tsx'
import { statusTones, useRichMenuActions } from './menu-actions.tsx'
import { OverlapNotice } from './overlaps.tsx'
import { SegmentField } from './segment-field.tsx'
import { PeriodFields } from './period-fields.tsx'

const firstDraft = (): RichMenuDraft => ({
  title: '',
  segment_id: null,
  starts_at: null,
  ends_at: null,
  is_open: true,
  chat_bar_text: word('richMenus', 'chatBarFirst'),
  tracking_enabled: true,
  tab_height: 15,
  tabs: [{ picture_id: null, areas: [] }],
})

export const RichMenuNew = () => <NewMenu ofSegment={false} />
export const SegmentRichMenuNew = () => <NewMenu ofSegment />

function NewMenu({ ofSegment }: { ofSegment: boolean }) {
  const navigate = useNavigate()
  const made = useRef<string | null>(null)
  const [first] = useState(firstDraft)
  return (
    <Editor
      saved={null}
      ofSegment={ofSegment}
      values={first}
      save={async (richmenu) => {
        made.current = (await call(createRichMenu, { body: { richmenu } })).richmenu.id
        await refresh('rich_menus')
      }}
      onSaved={() => made.current && void navigate({ to: paths.richMenu(made.current), replace: true })}
    />
  )
}

export function RichMenuPage() {
  const t = useWords('richMenus')
  const { id = '' } = useParams({ strict: false })
  const query = useQuery(queryOf(getRichMenu, { params: { id } }))
  const menu = query.data?.richmenu
  if (!menu)
    return <EditPageLoading title={t('viewTitle')} back={{ to: paths.richMenus(), label: t('title') }} query={query} />
  return <Existing key={id} menu={menu} />
}

function Existing({ menu }: { menu: RichMenu }) {
  const { id, title, segment_id, starts_at, ends_at, is_open, chat_bar_text, tracking_enabled, tab_height, tabs } = menu
  const values = useMemo(
    () => ({ title, segment_id, starts_at, ends_at, is_open, chat_bar_text, tracking_enabled, tab_height, tabs }),
    [title, segment_id, starts_at, ends_at, is_open, chat_bar_text, tracking_enabled, tab_height, tabs],
  )
  return (
    <Editor
      saved={menu}
      ofSegment={menu.segment !== null}
      values={values}
      save={async (now, began, seen) => {
        // What another member changed meanwhile is overwritten only where it was changed here too.
        const richmenu = { ...seen, ...changesOf(began, now) }
        try {
          await call(changeRichMenu, { params: { id }, body: { richmenu, began: seen } })
          await refresh('rich_menus')
        } catch (error) {
          if (error instanceof ApiError && error.reason === CHANGED_MEANWHILE) await refresh('rich_menus')
          throw error
        }
      }}
    />
  )
}

const CHANGED_MEANWHILE = 'rich_menu_changed_meanwhile'

/** To be compared by eye. */
const asTexts = (menu: RichMenuDraft): Record<string, string> =>
  Object.fromEntries(
    Object.entries(menu).map(([field, value]) => [
      field,
      typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value, null, 2),
    ]),
  )

/** Why friends do not see it, in LINE's own words. */
function RefusalNotice({ refusal: { words, retry_at } }: { refusal: NonNullable<RichMenu['refusal']> }) {
  const t = useWords('richMenus')
  const format = useFormat()
  return (
    <Notice tone="danger" title={t('refusal.title')}>
      <Text size="sm">{t('refusal.text', { at: format.dateTime(retry_at) })}</Text>
      {words !== '' && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t('refusal.words', { words })}
        </Text>
      )}
    </Notice>
  )
}

const plannedOf = (saved: RichMenu | null, { segment_id, starts_at, ends_at }: RichMenuDraft) => ({
  id: saved?.id,
  segment_id,
  starts_at,
  ends_at,
})

const SegmentDraft = RichMenuDraft.refine(({ segment_id }) => segment_id !== null, {
  error: 'required',
  path: ['segment_id'],
})

interface EditorProps {
  saved: RichMenu | null
  /** The kind of menu, which does not change. */
  ofSegment: boolean
  values: RichMenuDraft
  save: (menu: RichMenuDraft, began: RichMenuDraft, seen: RichMenuDraft) => Promise<void>
  onSaved?: () => void
}

function Editor({ saved, ofSegment, values, save, onSaved }: EditorProps) {
  const t = useWords('richMenus')
  const { mayChange } = useMerchant()
  const actionsOf = useRichMenuActions()
  const form = useEditForm({
    values,
    schema: ofSegment ? SegmentDraft : RichMenuDraft,
    fieldPrefix: 'richmenu.',
    save,
    ...(onSaved && { onSaved }),
  })
  const labels = {
    title: t('menuTitle'),
    segment_id: t('segment'),
    starts_at: t('startsAt'),
    ends_at: t('endsAt'),
    is_open: t('isOpen'),
    chat_bar_text: t('chatBarText'),
    tracking_enabled: t('tracking'),
    tab_height: t('tabHeight'),
    tabs: t('tabsAndAreas'),
  }
  const isDraft = !saved || mayDo('edit', saved.status)
  const readOnly = !mayChange ? t('viewerMayNot') : !isDraft && t('notDraft')
  return (
    <EditPage
      title={saved ? (isDraft ? t('editTitle') : saved.title) : t('newTitle')}
      back={{ to: ofSegment ? paths.segmentRichMenus() : paths.richMenus(), label: t('title') }}
      badge={saved && <StatusBadge tone={statusTones[saved.status]}>{t(`status.${saved.status}`)}</StatusBadge>}
      actions={
        saved && (
          <>
            {!isDraft && <ActionButton action={actionsOf.duplicate(saved)} />}
            {mayDo('deactivate', saved.status) && <ActionButton action={actionsOf.deactivate(saved)} />}
            {mayDo('activate', saved.status) && (
              <ActionButton
                action={{ ...actionsOf.activate(saved), ...(form.dirty && { disabledReason: t('saveFirst') }) }}
              />
            )}
          </>
        )
      }
      form={form.failure?.reason === CHANGED_MEANWHILE ? { ...form, failure: null } : form}
      labels={labels}
      always={!saved}
      readOnlyReason={readOnly}
      below={
        <>
          <MenuDesign
            menu={form.values}
            errors={form.errors}
            disabled={Boolean(readOnly)}
            onTabs={(tabs) => form.set('tabs', tabs)}
            onTabHeight={(percent) => form.set('tab_height', percent)}
          />
          {saved && !isDraft && <MenuClicks menu={saved} />}
        </>
      }
    >
      {saved && (
        <EditConflictNotice
          form={{ ...form, values: asTexts(form.values), began: asTexts(form.began) }}
          saved={asTexts(values)}
          labels={labels}
          overwrite={form.overwrite}
        />
      )}
      {saved?.refusal && <RefusalNotice refusal={saved.refusal} />}
      <EditSection title={t('basics')}>
        <TextInput label={t('menuTitle')} required withAsterisk {...form.field('title')} />
        {ofSegment && (
          <SegmentField
            value={form.values.segment_id}
            valueLabel={saved?.segment?.name}
            onChange={(id) => form.set('segment_id', id)}
            error={form.field('segment_id').error}
          />
        )}
        <PeriodFields
          period={form.values}
          errors={form.errors}
          disabled={Boolean(readOnly)}
          onChange={(change) => form.setAll({ ...form.values, ...change })}
        />
        {!saved?.refusal && <OverlapNotice planned={plannedOf(saved, form.values)} ofSegment={ofSegment} />}
        <TextInput
          label={t('chatBarText')}
          description={t('chatBarHelp')}
          required
          withAsterisk
          {...form.field('chat_bar_text')}
        />
        <Checkbox label={t('isOpen')} {...form.field('is_open', { type: 'checkbox' })} />
        <Switch
          label={t('tracking')}
          description={t('trackingText')}
          {...form.field('tracking_enabled', { type: 'checkbox' })}
        />
      </EditSection>
    </EditPage>
  )
}
