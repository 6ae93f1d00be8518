import { NumberInput, Switch, Text } from '@mantine/core'
import {
  changeFavoriteSettings,
  FavoriteSettings as Schema,
  getFavoriteSettings,
  type FavoriteSettings as Settings,
} from '@okaeri/contract/favorites/settings'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { changesOf } from '../../ui/edit/changes.ts'
import { useEditForm } from '../../ui/edit/edit-form.ts'
import { EditBody, EditSection } from '../../ui/pages/edit-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Loading, LoadFailed } from '../../ui/states.tsx'

/** Settings → Favorite: the heart, and what forms of new scenarios begin with. */
export function FavoriteSettings() {
  const query = useQuery(queryOf(getFavoriteSettings, {}))
  const settings = query.data?.favorite_settings
  if (!settings)
    return query.error ? <LoadFailed error={query.error} retry={() => void query.refetch()} /> : <Loading lines={6} />
  return <Editor settings={settings} />
}

function Editor({ settings }: { settings: Settings }) {
  const t = useWords('favorites')
  const { mayChange } = useMerchant()
  const form = useEditForm({
    values: settings,
    schema: Schema,
    fieldPrefix: 'favorite_settings.',
    save: async (values, began) => {
      await call(changeFavoriteSettings, { body: { favorite_settings: changesOf(began, values) } })
      await refresh('favorites', 'scenarios')
    },
  })
  return (
    <EditBody
      form={form}
      labels={{ quiet_days: t('setting.quietDays'), low_stock: t('setting.lowStock') }}
      readOnlyReason={!mayChange && t('setting.viewerMayNot')}
    >
      <EditSection title={t('setting.heart')} description={t('setting.heartText')}>
        <Switch
          label={t('setting.showCount')}
          description={t('setting.showCountHelp')}
          {...form.field('show_count', { type: 'checkbox' })}
        />
        <Text size="sm">
          <TextLink to={paths.settings()} search={{ tab: 'widget' }}>
            {t('setting.toWidget')}
          </TextLink>
        </Text>
      </EditSection>
      <EditSection title={t('setting.scenarios')} description={t('setting.scenariosText')}>
        <NumberInput
          label={t('setting.quietDays')}
          description={t('setting.quietDaysHelp')}
          suffix={` ${t('setting.days')}`}
          allowDecimal={false}
          allowNegative={false}
          maw={480}
          {...form.field('quiet_days')}
        />
        <NumberInput
          label={t('setting.lowStock')}
          description={t('setting.lowStockHelp')}
          suffix={` ${t('setting.pieces')}`}
          allowDecimal={false}
          allowNegative={false}
          maw={480}
          {...form.field('low_stock')}
        />
      </EditSection>
    </EditBody>
  )
}
