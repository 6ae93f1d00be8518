import {
  Collapse,
  ColorInput,
  Group,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core'
import { changeWidgetSettings, getWidgetSettings } from '@okaeri/contract/visitors/routes'
import {
  placeableParts,
  placements,
  WidgetSettings as Values,
  type WidgetPart,
  widgetColors,
  widgetParts,
  widgetTexts,
} from '@okaeri/contract/visitors/widget'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { changesOf } from '../../ui/edit/changes.ts'
import { useEditForm } from '../../ui/edit/edit-form.ts'
import { EditBody, EditSection } from '../../ui/pages/edit-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { contrastOf } from './contrast.ts'
import { isSelector } from './selector.ts'
import { WidgetInstall } from './widget-install.tsx'
import { WidgetPreview } from './widget-preview.tsx'
import { words } from './words.ts'

/** Settings, Widget: what the shop's pages show, where, in which words and colors, and how the script gets there. */
export function WidgetSettings() {
  const query = useQuery(queryOf(getWidgetSettings, {}))
  if (!query.data)
    return query.error ? <LoadFailed error={query.error} retry={() => void query.refetch()} /> : <Loading lines={6} />
  return (
    <Stack gap="lg">
      <Editor saved={query.data.widgetSettings} built={query.data.built} />
      <WidgetInstall {...query.data.install} />
    </Stack>
  )
}

/** What the contract asks, and that the browser can read the selectors. */
const Checked = Values.superRefine(({ parts }, context) => {
  for (const part of widgetParts)
    if (!isSelector(parts[part].selector))
      context.addIssue({ code: 'custom', message: 'invalid', path: ['parts', part, 'selector'] })
})

const isPlaceable = (part: WidgetPart): boolean => (placeableParts as readonly string[]).includes(part)
const READABLE = 4.5

function Editor({ saved, built }: { saved: Values; built: readonly WidgetPart[] }) {
  const t = useWords('visitors')
  const format = useFormat()
  const { mayChange } = useMerchant()
  const form = useEditForm<Values>({
    values: useMemo(() => saved, [saved]),
    schema: Checked,
    fieldPrefix: 'widgetSettings.',
    save: async (values, began) => {
      await call(changeWidgetSettings, {
        body: {
          widgetSettings: {
            parts: changesOf(began.parts, values.parts),
            texts: changesOf(began.texts, values.texts),
            colors: changesOf(began.colors, values.colors),
          },
        },
      })
      await refresh('settings')
    },
  })
  const { colors } = form.values
  const named = (name: (typeof widgetTexts)[number], language: 'ja' | 'en'): string =>
    t('texts.of', { name: t(`texts.names.${name}`), language: t(`texts.${language}`) })
  const labels = Object.fromEntries([
    ...widgetParts.map((part) => [`parts.${part}.selector`, `${t(`parts.names.${part}`)} ${t('parts.selector')}`]),
    ...widgetTexts.flatMap((name) => [
      [`texts.${name}.ja`, named(name, 'ja')],
      [`texts.${name}.en`, named(name, 'en')],
    ]),
    ...widgetColors.map((name) => [`colors.${name}`, t(`colors.names.${name}`)]),
  ]) as Record<string, string>
  const weak = (one: string, other: string): string | null => {
    const ratio = contrastOf(one, other)
    return ratio === null || ratio >= READABLE ? null : format.number(Math.floor(ratio * 10) / 10)
  }
  const weakButton = weak(colors.accent || '#b3261e', colors.on_accent || '#ffffff')
  const weakPopup = colors.text && colors.ground ? weak(colors.text, colors.ground) : null
  return (
    <EditBody form={form} labels={labels} readOnlyReason={!mayChange && t('readOnly')}>
      <EditSection title={t('preview.title')} description={t('preview.text')}>
        <WidgetPreview settings={form.values} built={built} />
      </EditSection>
      <EditSection title={t('parts.title')} description={t('parts.text')}>
        {widgetParts.map((part) => (
          <Stack key={part} gap={4}>
            <Switch
              label={t(`parts.names.${part}`)}
              description={t(`parts.about.${part}`)}
              {...form.field(`parts.${part}.on`, { type: 'checkbox' })}
            />
            {isPlaceable(part) && (
              <Place label={t(`parts.names.${part}`)} isOpen={`parts.${part}.selector` in form.errors}>
                <Group gap="sm" align="flex-start" wrap="wrap">
                  <TextInput
                    style={{ flex: '2 1 260px' }}
                    label={t('parts.selector')}
                    description={t('parts.selectorHelp')}
                    inputWrapperOrder={['label', 'input', 'description', 'error']}
                    placeholder=".product-form__buttons"
                    spellCheck={false}
                    autoCapitalize="none"
                    {...form.field(`parts.${part}.selector`)}
                  />
                  <Select
                    style={{ flex: '1 1 180px' }}
                    label={t('parts.where')}
                    allowDeselect={false}
                    data={placements.map((where) => ({ value: where, label: t(`parts.wheres.${where}`) }))}
                    {...form.field(`parts.${part}.where`)}
                  />
                </Group>
              </Place>
            )}
          </Stack>
        ))}
      </EditSection>
      <EditSection title={t('colors.title')} description={t('colors.text')}>
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
          {widgetColors.map((name) => (
            <ColorInput
              key={name}
              label={t(`colors.names.${name}`)}
              format="hex"
              withEyeDropper={false}
              placeholder="#000000"
              {...form.field(`colors.${name}`)}
            />
          ))}
        </SimpleGrid>
        {weakButton !== null && <Notice tone="warning">{t('colors.weak', { ratio: weakButton })}</Notice>}
        {weakPopup !== null && <Notice tone="warning">{t('colors.weakText', { ratio: weakPopup })}</Notice>}
      </EditSection>
      <EditSection title={t('texts.title')} description={t('texts.text')}>
        {widgetTexts.map((name) => (
          <Group key={name} gap="sm" align="flex-start" wrap="wrap">
            {(['ja', 'en'] as const).map((language) => (
              <TextInput
                key={language}
                style={{ flex: '1 1 240px' }}
                label={named(name, language)}
                lang={language}
                placeholder={words.plain[name][language]}
                {...form.field(`texts.${name}.${language}`)}
              />
            ))}
          </Group>
        ))}
      </EditSection>
    </EditBody>
  )
}

/** Most themes need none, so it is folded away. */
function Place({ label, isOpen, children }: { label: string; isOpen: boolean; children: React.ReactNode }) {
  const t = useWords('visitors')
  const [asked, setAsked] = useState(false)
  const open = asked || isOpen
  return (
    <div style={{ paddingInlineStart: 46 }}>
      <UnstyledButton
        aria-expanded={open}
        aria-label={`${label} ${t('parts.place')}`}
        onClick={() => setAsked(!open)}
        style={{ minHeight: 32 }}
      >
        <Group gap={4} wrap="nowrap">
          {open ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
          <Text size="sm">{t('parts.place')}</Text>
        </Group>
      </UnstyledButton>
      <Collapse expanded={open}>{children}</Collapse>
    </div>
  )
}
