import { DatePickerInput } from '@mantine/dates'
import { Button, Group, Image, Stack, Text } from '@mantine/core'
import { listEmailComponents } from '@okaeri/contract/emails/component-routes'
import { type Block, type Look, networks } from '@okaeri/contract/emails/design'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/queries.ts'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { useCalendar } from '../../../ui/calendar.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { PictureButton } from '../../media/picture-button.tsx'
import { newBlock } from './block-kinds.ts'
import type { AnyBlock } from './editing.ts'
import {
  AlignField,
  AmountField,
  ChoiceField,
  IconButton,
  LinkField,
  OwnColourField,
  SelectField,
  SwitchField,
  TextField,
} from './fields.tsx'
import { ProductsForm, RuleForm } from './product-forms.tsx'
import { RichText } from './rich-text.tsx'
import { ShownToField } from './shown-to.tsx'

interface FormProps<B extends AnyBlock = AnyBlock> {
  block: B
  look: Look
  onChange: (change: Partial<B>) => void
}

/** What can be set of a block: what it says first, then how it looks. */
export function BlockForm({ block, look, onChange }: FormProps) {
  const t = useWords('design')
  const px = (n: number) => t('pixels', { n })
  return (
    <Stack gap="md">
      <Content block={block} look={look} onChange={onChange} />
      {block.kind !== 'spacer' && (
        <AmountField
          label={t('field.space')}
          value={block.space}
          min={0}
          max={80}
          step={4}
          said={px}
          onChange={(space) => onChange({ space })}
        />
      )}
      <OwnColourField
        label={t('field.background')}
        toggle={t('field.ownBackground')}
        value={block.background}
        otherwise={look.background}
        onChange={(background) => onChange({ background })}
      />
      {block.kind !== 'footer' && (
        <ShownToField value={block.shown_to} onChange={(shown_to) => onChange({ shown_to })} />
      )}
    </Stack>
  )
}

function Content({ block, look, onChange }: FormProps) {
  const t = useWords('design')
  switch (block.kind) {
    case 'heading':
      return <HeadingForm block={block} look={look} onChange={onChange} />
    case 'text':
      return <TextForm block={block} look={look} onChange={onChange} />
    case 'picture':
      return <PictureForm block={block} onChange={onChange} />
    case 'button':
      return <ButtonForm block={block} look={look} onChange={onChange} />
    case 'divider':
      return (
        <OwnColourField
          label={t('field.lineColor')}
          toggle={t('field.ownColor')}
          value={block.color}
          otherwise={look.accent}
          onChange={(color) => onChange({ color })}
        />
      )
    case 'spacer':
      return (
        <AmountField
          label={t('field.height')}
          value={block.height}
          min={4}
          max={120}
          step={4}
          said={(n) => t('pixels', { n })}
          onChange={(height) => onChange({ height })}
        />
      )
    case 'columns':
      return <ColumnsForm block={block} onChange={onChange} />
    case 'products':
      return <ProductsForm block={block} onChange={onChange} />
    case 'product_rule':
      return <RuleForm block={block} onChange={onChange} />
    case 'coupon':
      return <CouponForm block={block} onChange={onChange} />
    case 'event_items':
      return <EventItemsForm block={block} onChange={onChange} />
    case 'social':
      return <SocialForm block={block} onChange={onChange} />
    case 'component':
      return <ComponentForm block={block} onChange={onChange} />
    case 'code':
      return (
        <TextField
          label={t('field.code')}
          lines={6}
          max={50_000}
          value={block.html}
          onChange={(html) => onChange({ html })}
        />
      )
    case 'footer':
      return <FooterForm block={block} onChange={onChange} />
  }
}

type Of<Kind extends AnyBlock['kind']> = Omit<FormProps<Extract<Block, { kind: Kind }>>, 'look'>

function useSizes() {
  const t = useWords('design')
  return (['small', 'medium', 'large'] as const).map((value) => ({ value, label: t(`sizes.${value}`) }))
}

function HeadingForm({ block, look, onChange }: Of<'heading'> & Pick<FormProps, 'look'>) {
  const t = useWords('design')
  const sizes = useSizes()
  return (
    <>
      <TextField
        label={t('field.heading')}
        lines={2}
        max={500}
        value={block.text}
        onChange={(text) => onChange({ text })}
      />
      <ChoiceField label={t('field.size')} choices={sizes} value={block.size} onChange={(size) => onChange({ size })} />
      <AlignField value={block.align} onChange={(align) => onChange({ align })} />
      <OwnColourField
        label={t('field.color')}
        toggle={t('field.ownColor')}
        value={block.color}
        otherwise={look.text}
        onChange={(color) => onChange({ color })}
      />
    </>
  )
}

function TextForm({ block, look, onChange }: Of<'text'> & Pick<FormProps, 'look'>) {
  const t = useWords('design')
  const sizes = useSizes()
  const { mayChange } = useMerchant()
  return (
    <>
      <RichText
        label={t('field.text')}
        html={block.html}
        readOnly={!mayChange}
        onChange={(html) => onChange({ html })}
      />
      <ChoiceField label={t('field.size')} choices={sizes} value={block.size} onChange={(size) => onChange({ size })} />
      <AlignField value={block.align} onChange={(align) => onChange({ align })} />
      <OwnColourField
        label={t('field.color')}
        toggle={t('field.ownColor')}
        value={block.color}
        otherwise={look.text}
        onChange={(color) => onChange({ color })}
      />
    </>
  )
}

function PictureForm({ block, onChange }: Of<'picture'>) {
  const t = useWords('design')
  return (
    <>
      {block.url !== '' && !block.url.includes('{{') && (
        <Image src={block.url} alt="" mah={140} fit="contain" radius="sm" />
      )}
      <PictureButton
        label={t('field.choosePicture')}
        onPick={({ mail, url, alt_text }) => onChange({ url: mail?.url ?? url, alt: block.alt || alt_text })}
      />
      <LinkField label={t('field.pictureUrl')} kind="picture" value={block.url} onChange={(url) => onChange({ url })} />
      <TextField
        label={t('field.alt')}
        help={t('field.altHelp')}
        max={500}
        value={block.alt}
        onChange={(alt) => onChange({ alt })}
      />
      <LinkField label={t('field.link')} value={block.link} onChange={(link) => onChange({ link })} />
      <SwitchField label={t('field.wide')} value={block.wide} onChange={(wide) => onChange({ wide })} />
      <AmountField
        label={t('field.width')}
        value={block.width}
        min={10}
        max={100}
        step={5}
        said={(n) => t('percent', { n })}
        onChange={(width) => onChange({ width })}
      />
      <AlignField value={block.align} onChange={(align) => onChange({ align })} />
    </>
  )
}

function ButtonForm({ block, look, onChange }: Of<'button'> & Pick<FormProps, 'look'>) {
  const t = useWords('design')
  return (
    <>
      <TextField label={t('field.label')} max={100} value={block.label} onChange={(label) => onChange({ label })} />
      <LinkField label={t('field.link')} value={block.link} onChange={(link) => onChange({ link })} />
      <SwitchField label={t('field.wide')} value={block.wide} onChange={(wide) => onChange({ wide })} />
      <AlignField value={block.align} onChange={(align) => onChange({ align })} />
      <OwnColourField
        label={t('field.buttonColor')}
        toggle={t('field.ownColor')}
        value={block.color}
        otherwise={look.accent}
        onChange={(color) => onChange({ color })}
      />
    </>
  )
}

function CouponForm({ block, onChange }: Of<'coupon'>) {
  const t = useWords('design')
  const { pickers } = useFormat()
  const calendar = useCalendar({ value: 'ends_on' in block ? block.ends_on : null })
  return (
    <>
      <TextField
        label={t('field.couponTitle')}
        max={200}
        value={block.title}
        onChange={(title) => onChange({ title })}
      />
      <div>
        <ChoiceField
          label={t('field.couponSource')}
          choices={[
            { value: 'typed', label: t('field.couponTyped') },
            { value: 'scenario', label: t('field.couponScenario') },
          ]}
          value={block.source}
          onChange={(source) => onChange({ source })}
        />
        {block.source === 'scenario' && (
          <Text size="xs" c="dimmed" mt={4}>
            {t('field.couponScenarioHelp')}
          </Text>
        )}
      </div>
      {block.source === 'typed' && (
        <>
          <TextField
            label={t('field.couponCode')}
            help={t('field.couponCodeHelp')}
            max={100}
            value={block.code}
            onChange={(code) => onChange({ code })}
          />
          <DatePickerInput
            {...calendar}
            label={t('field.couponEnds')}
            description={t('field.couponEndsHelp')}
            placeholder={t('field.couponEndsNone')}
            valueFormat={pickers.date}
            clearable
            clearButtonProps={{ 'aria-label': t('field.couponEndsClear') }}
            value={block.ends_on}
            onChange={(ends_on) => onChange({ ends_on })}
          />
        </>
      )}
      <TextField label={t('field.couponNote')} max={300} value={block.note} onChange={(note) => onChange({ note })} />
    </>
  )
}

function EventItemsForm({ block, onChange }: Of<'event_items'>) {
  const t = useWords('design')
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('field.eventItemsHelp')}
      </Text>
      <SwitchField
        label={t('field.showsPictures')}
        value={block.shows_pictures}
        onChange={(shows_pictures) => onChange({ shows_pictures })}
      />
      <SwitchField
        label={t('field.showsPrices')}
        value={block.shows_prices}
        onChange={(shows_prices) => onChange({ shows_prices })}
      />
    </>
  )
}

function FooterForm({ block, onChange }: Of<'footer'>) {
  const t = useWords('design')
  return (
    <>
      <TextField label={t('field.why')} lines={3} max={500} value={block.why} onChange={(why) => onChange({ why })} />
      <Text size="sm" c="dimmed">
        {t('field.footerHelp')}
      </Text>
      <AlignField value={block.align} onChange={(align) => onChange({ align })} />
    </>
  )
}

const layouts = {
  halves: [6, 6],
  leftWide: [8, 4],
  rightWide: [4, 8],
  thirds: [4, 4, 4],
  quarters: [3, 3, 3, 3],
} as const

/** Of fewer columns than before, what stood in the others goes into the last. */
function ColumnsForm({ block, onChange }: Of<'columns'>) {
  const t = useWords('design')
  const { setting } = useMerchant()
  const names = Object.keys(layouts) as (keyof typeof layouts)[]
  const present = names.find((name) => layouts[name].join() === block.widths.join()) ?? 'halves'
  return (
    <>
      <SelectField
        label={t('field.columns')}
        choices={names.map((value) => ({ value, label: t(`layouts.${value}`) }))}
        value={present}
        onChange={(name) => {
          const widths = [...layouts[name]]
          const kept = widths.map((_, at) => block.columns[at] ?? [])
          kept[widths.length - 1] = [...(kept[widths.length - 1] ?? []), ...block.columns.slice(widths.length).flat()]
          onChange({ widths, columns: kept })
        }}
      />
      <Group gap="xs">
        {block.columns.map((list, at) => (
          <Button
            // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name.
            key={at}
            size="xs"
            variant="default"
            onClick={() => {
              const added = newBlock('text', setting.language)
              if (added.kind !== 'text') return
              onChange({ columns: block.columns.map((one, of) => (of === at ? [...list, added] : one)) })
            }}
          >
            {t('addToColumn', { n: at + 1 })}
          </Button>
        ))}
      </Group>
    </>
  )
}

function SocialForm({ block, onChange }: Of<'social'>) {
  const t = useWords('design')
  const { links } = block
  const change = (at: number, link: Partial<(typeof links)[number]>) =>
    onChange({ links: links.map((one, of) => (of === at ? { ...one, ...link } : one)) })
  return (
    <>
      {links.map(({ network, link }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: links have no other name.
        <Stack key={at} gap={6}>
          <Group align="end" wrap="nowrap">
            <SelectField
              label={t('field.network')}
              choices={networks.map((value) => ({ value, label: t(`networks.${value}`) }))}
              value={network}
              onChange={(chosen) => change(at, { network: chosen })}
            />
            <IconButton
              label={t('field.removeLink', { name: t(`networks.${network}`) })}
              onClick={() => onChange({ links: links.filter((_, of) => of !== at) })}
            >
              <IconTrash size={16} aria-hidden />
            </IconButton>
          </Group>
          <LinkField label={t('field.link')} value={link} onChange={(typed) => change(at, { link: typed })} />
        </Stack>
      ))}
      <Button
        size="xs"
        variant="default"
        disabled={links.length >= 10}
        onClick={() => onChange({ links: [...links, { network: 'web', link: '' }] })}
      >
        {t('field.addLink')}
      </Button>
      <AlignField value={block.align} onChange={(align) => onChange({ align })} />
    </>
  )
}

function ComponentForm({ block, onChange }: Of<'component'>) {
  const t = useWords('design')
  const { data } = useQuery(queryOf(listEmailComponents, { query: { limit: 100, sort: 'name', direction: 'asc' } }))
  return (
    <SelectField
      label={t('field.component')}
      choices={(data?.data ?? []).map(({ key, name }) => ({ value: key, label: name }))}
      value={block.key}
      onChange={(key) => onChange({ key })}
    />
  )
}
