import { Group, Input, NumberInput, SegmentedControl, Select, Stack, Tabs, Text } from '@mantine/core'
import {
  type PictureSize,
  type RichMenuArea,
  type RichMenuDraft,
  type RichMenuTab,
  tabBarHeight,
} from '@okaeri/contract/rich-menus/menu'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { fieldReasonText } from '../../app/reasons.ts'
import { ActionButton } from '../../ui/actions.tsx'
import { EditSection } from '../../ui/pages/edit-page.tsx'
import { AreaActions } from './area-actions.tsx'
import classes from './area-canvas.module.css'
import { AreaCanvas } from './area-canvas.tsx'
import { FIRST_SIZE, keepInside, layOut, scaled, templates } from './area-layout.ts'
import { PhonePreview } from './phone-preview.tsx'
import { PictureField, useMenuPicture } from './picture-field.tsx'

interface MenuDesignProps {
  menu: RichMenuDraft
  errors: Record<string, string>
  disabled: boolean
  onTabs: (tabs: RichMenuTab[]) => void
  onTabHeight: (percent: number) => void
}

const emptyTab = (): RichMenuTab => ({ picture_id: null, areas: [] })

/** Pictures, areas and what they do, tab by tab. */
export function MenuDesign({ menu, errors, disabled, onTabs, onTabHeight }: MenuDesignProps) {
  const t = useWords('richMenus')
  const language = useLanguage()
  const [chosen, setChosen] = useState(0)
  const [selected, setSelected] = useState<number | null>(null)
  const { tabs } = menu
  const open = Math.min(chosen, tabs.length - 1)
  const tab = tabs[open] ?? emptyTab()
  const first = useMenuPicture(tabs[0]?.picture_id ?? null)
  const picture = useMenuPicture(tab.picture_id)
  const size: PictureSize = picture ?? first ?? FIRST_SIZE
  const top = tabs.length > 1 ? tabBarHeight(size, menu.tab_height) : 0

  const change = (part: Partial<RichMenuTab>) =>
    onTabs(tabs.map((one, index) => (index === open ? { ...one, ...part } : one)))
  const changeArea = (index: number, part: Partial<RichMenuArea>) =>
    change({ areas: tab.areas.map((area, at) => (at === index ? { ...area, ...part } : area)) })
  const add = (bounds: Parameters<typeof keepInside>[0]) => {
    setSelected(tab.areas.length)
    change({ areas: [...tab.areas, { ...keepInside(bounds, size, top), action: { type: 'link', url: '' } }] })
  }
  const remove = (index: number) => {
    setSelected(null)
    change({ areas: tab.areas.filter((_, at) => at !== index) })
  }
  const show = (index: number) => {
    setChosen(index)
    setSelected(null)
  }
  const setCount = (count: number) => {
    const next = Array.from({ length: count }, (_, index) => tabs[index] ?? emptyTab())
    const bar = count > 1 ? tabBarHeight(size, menu.tab_height) : 0
    onTabs(next.map((one) => ({ ...one, areas: scaled(one.areas, size, size, bar) })))
    show(Math.min(open, count - 1))
  }
  const setHeight = (percent: number) => {
    onTabHeight(percent)
    if (tabs.length > 1)
      onTabs(tabs.map((one) => ({ ...one, areas: scaled(one.areas, size, size, tabBarHeight(size, percent)) })))
  }
  const pictureError = errors[`tabs.${open}.picture_id`]
  return (
    <EditSection title={t('design')} description={disabled ? undefined : t('designHelp')}>
      <TabFields
        count={tabs.length}
        height={menu.tab_height}
        heightError={errors['tab_height']}
        open={open}
        disabled={disabled}
        onCount={setCount}
        onHeight={setHeight}
        onOpen={show}
      />
      <fieldset disabled={disabled} className={classes.fields}>
        <PictureField
          key={open}
          picture={picture}
          requiredSize={open > 0 ? first : null}
          disabled={disabled}
          error={pictureError ? fieldReasonText(pictureError, language) : undefined}
          onPicture={(id, to) => {
            const bar = tabs.length > 1 ? tabBarHeight(to, menu.tab_height) : 0
            change({ picture_id: id, areas: scaled(tab.areas, size, to, bar) })
          }}
        />
      </fieldset>
      {!disabled && (
        <AreaTools
          onTemplate={(rows) => change({ areas: layOut(rows, size, top, tab.areas) })}
          onAdd={() =>
            add({
              x: size.width / 3,
              y: top + (size.height - top) / 3,
              width: size.width / 3,
              height: (size.height - top) / 3,
            })
          }
        />
      )}
      <AreaCanvas
        picture={picture}
        size={size}
        tabCount={tabs.length}
        top={top}
        areas={tab.areas}
        selected={selected}
        disabled={disabled}
        onSelect={setSelected}
        onChange={changeArea}
        onAdd={add}
        onRemove={remove}
      />
      <Group align="flex-start" gap="xl" wrap="wrap">
        <Stack gap="sm" style={{ flex: '1 1 320px' }}>
          <Text fw={600}>{t('areas')}</Text>
          <AreaActions
            disabled={disabled}
            areas={tab.areas}
            errors={errors}
            path={`tabs.${open}.areas`}
            onAction={(index, action) => changeArea(index, { action })}
            onRemove={remove}
          />
        </Stack>
        <Stack gap="sm">
          <Text fw={600}>{t('preview')}</Text>
          <PhonePreview
            picture={picture}
            size={size}
            tabCount={tabs.length}
            tabHeight={menu.tab_height}
            chatBarText={menu.chat_bar_text}
            onTab={show}
          />
        </Stack>
      </Group>
    </EditSection>
  )
}

interface TabFieldsProps {
  /** One: there are no tabs. */
  count: number
  /** In percent. */
  height: number
  heightError: string | undefined
  open: number
  disabled: boolean
  onCount: (count: number) => void
  onHeight: (percent: number) => void
  onOpen: (index: number) => void
}

/** How many tabs there are, how high their bar is, and which one is edited. */
function TabFields({ count, height, heightError, open, disabled, onCount, onHeight, onOpen }: TabFieldsProps) {
  const t = useWords('richMenus')
  const language = useLanguage()
  return (
    <>
      <Group gap="lg" align="flex-end">
        <Input.Wrapper label={t('tabCount')} labelElement="div" labelProps={{ id: 'tab-count' }}>
          <div>
            <SegmentedControl
              aria-labelledby="tab-count"
              disabled={disabled}
              value={String(count)}
              onChange={(chosen) => onCount(Number(chosen))}
              data={[
                { value: '1', label: t('noTabs') },
                { value: '2', label: '2' },
                { value: '3', label: '3' },
              ]}
            />
          </div>
        </Input.Wrapper>
        {count > 1 && (
          <NumberInput
            label={t('tabHeight')}
            disabled={disabled}
            min={5}
            max={50}
            allowDecimal={false}
            w={280}
            value={height}
            onChange={(percent) => typeof percent === 'number' && onHeight(percent)}
            error={heightError ? fieldReasonText(heightError, language) : undefined}
          />
        )}
      </Group>
      {count > 1 && (
        <>
          <Text size="sm" c="dimmed">
            {t('tabHelp')}
          </Text>
          <Tabs value={String(open)} onChange={(value) => onOpen(Number(value))}>
            <Tabs.List>
              {Array.from({ length: count }, (_, index) => (
                <Tabs.Tab key={index} value={String(index)}>
                  {t('tab', { number: index + 1 })}
                </Tabs.Tab>
              ))}
            </Tabs.List>
          </Tabs>
        </>
      )}
    </>
  )
}

interface AreaToolsProps {
  onTemplate: (rows: (typeof templates)[number]) => void
  onAdd: () => void
}

/** Areas laid out by a template, or one more in the middle. */
function AreaTools({ onTemplate, onAdd }: AreaToolsProps) {
  const t = useWords('richMenus')
  return (
    <Group gap="sm" align="flex-end">
      <Select
        label={t('template')}
        w={220}
        placeholder={t('templateNone')}
        value={null}
        data={templates.map((rows, index) => ({
          value: String(index),
          label: t('templateOf', { areas: rows.reduce((sum, columns) => sum + columns, 0), rows: rows.join('＋') }),
        }))}
        onChange={(index) => {
          const rows = templates[Number(index)]
          if (index !== null && rows) onTemplate(rows)
        }}
      />
      <ActionButton action={{ label: t('addArea'), icon: <IconPlus size={18} />, onClick: onAdd }} />
    </Group>
  )
}
