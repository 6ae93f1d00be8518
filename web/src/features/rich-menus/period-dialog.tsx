import { Group, Stack } from '@mantine/core'
import { RichMenuPeriod, type RichMenuSummary } from '@okaeri/contract/rich-menus/menu'
import { changeRichMenuPeriod } from '@okaeri/contract/rich-menus/routes'
import { useMemo } from 'react'
import { call } from '../../api/call.ts'
import { refresh } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { ActionButton } from '../../ui/actions.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useEditForm } from '../../ui/edit/edit-form.ts'
import { ErrorSummary } from '../../ui/pages/edit-page.tsx'
import { OverlapNotice } from './overlaps.tsx'
import { PeriodFields } from './period-fields.tsx'

/** Another period from the list, whatever the status (spec §5). */
export function PeriodDialog({ menu, onClose }: { menu: RichMenuSummary; onClose: () => void }) {
  const t = useWords('richMenus')
  const { id, starts_at, ends_at } = menu
  const form = useEditForm({
    values: useMemo(() => ({ starts_at, ends_at }), [starts_at, ends_at]),
    schema: RichMenuPeriod,
    fieldPrefix: 'period.',
    saysFailed: false,
    save: async (period) => {
      await call(changeRichMenuPeriod, { params: { id }, body: { period } })
      await refresh('rich_menus')
    },
    onSaved: onClose,
  })
  return (
    <Dialog opened onClose={onClose} title={t('changePeriod')}>
      <Stack gap="md">
        <ErrorSummary form={form} labels={{ starts_at: t('startsAt'), ends_at: t('endsAt') }} />
        <PeriodFields
          period={form.values}
          errors={form.errors}
          onChange={(change) => form.setAll({ ...form.values, ...change })}
        />
        <OverlapNotice
          planned={{ id, segment_id: menu.segment?.id ?? null, ...form.values }}
          ofSegment={menu.segment !== null}
        />
        <Group justify="flex-end">
          <ActionButton action={{ label: t('changePeriod'), primary: true, busy: form.saving, onClick: form.submit }} />
        </Group>
      </Stack>
    </Dialog>
  )
}
