import { z } from 'zod'
import { Id, line } from '../fields.ts'
import { Locale } from '../locale.ts'
import { ComponentKey } from './component-key.ts'
import { MAX_CHOSEN, MAX_EXCLUDED, otherwises, ProductRule } from './product-rule.ts'

/**
 * A mail put together from blocks, without HTML. The server makes the mail's content from it; what is kept is this. All texts may hold tags.
 */

export const MAX_BLOCKS = 100
/** As JSON. */
export const MAX_DESIGN_BYTES = 256 * 1024

const Colour = z.string('invalid').regex(/^#[0-9a-f]{6}$/i, 'invalid')
const Text = (max: number) =>
  z
    .string('not_a_text')
    .max(max, 'too_long')
    .refine((text) => !text.includes('\0'), 'control_characters')
    .refine((text) => text.isWellFormed(), 'invalid')
/** The address of a page or a picture, or a tag that is one. Empty: not chosen yet. */
const Address = line(0, 2_000)
const Align = z.enum(['left', 'center', 'right'])
export type Align = z.output<typeof Align>
/** In pixels, above and below a block. */
const Space = z.int('not_whole').min(0, 'too_small').max(80, 'too_big')

export const ShownTo = z.strictObject({ segment_id: Id, who: z.enum(['members', 'others']) })
export type ShownTo = z.output<typeof ShownTo>

const always = {
  /** Names the block within its design. */
  id: z.string('not_an_id').regex(/^[a-z0-9]{4,12}$/, 'not_an_id'),
  space: Space.default(12),
  /** Null: the mail's. */
  background: Colour.nullable().default(null),
}
const base = {
  ...always,
  /** Null: all. */
  shown_to: ShownTo.nullable().default(null),
}
const HeadingBlock = z.strictObject({
  ...base,
  kind: z.literal('heading'),
  text: Text(500),
  size: z.enum(['small', 'medium', 'large']).default('medium'),
  align: Align.default('left'),
  color: Colour.nullable().default(null),
})
const TextBlock = z.strictObject({
  ...base,
  kind: z.literal('text'),
  /** Paragraphs, lists, bold, italic, underlined, links. */
  html: Text(20_000),
  size: z.enum(['small', 'medium', 'large']).default('medium'),
  align: Align.default('left'),
  color: Colour.nullable().default(null),
})
const PictureBlock = z.strictObject({
  ...base,
  kind: z.literal('picture'),
  url: Address,
  alt: line(0, 500),
  link: Address.default(''),
  /** Percent of the width there is. */
  width: z.int('not_whole').min(10, 'too_small').max(100, 'too_big').default(100),
  align: Align.default('center'),
  /** From edge to edge. */
  wide: z.boolean('not_a_boolean').default(false),
})
const ButtonBlock = z.strictObject({
  ...base,
  kind: z.literal('button'),
  label: line(0, 100),
  link: Address,
  align: Align.default('center'),
  wide: z.boolean('not_a_boolean').default(false),
  /** Null: the mail's accent. */
  color: Colour.nullable().default(null),
})
const DividerBlock = z.strictObject({
  ...base,
  kind: z.literal('divider'),
  color: Colour.nullable().default(null),
})
const SpacerBlock = z.strictObject({
  ...base,
  kind: z.literal('spacer'),
  height: z.int('not_whole').min(4, 'too_small').max(120, 'too_big').default(24),
})
export const networks = ['instagram', 'x', 'facebook', 'line', 'youtube', 'tiktok', 'web'] as const
const SocialBlock = z.strictObject({
  ...base,
  kind: z.literal('social'),
  links: z.array(z.strictObject({ network: z.enum(networks), link: Address })).max(10, 'too_many'),
  align: Align.default('center'),
})
/** How products look. */
const cards = {
  /** Beside each other, on a wide screen. */
  columns: z.int('not_whole').min(1, 'too_small').max(3, 'too_big').default(2),
  shows_price: z.boolean('not_a_boolean').default(true),
  /** Empty: no button. */
  button: line(0, 60).default(''),
}
const ProductsBlock = z.strictObject({
  ...base,
  kind: z.literal('products'),
  product_ids: z.array(Id).max(12, 'too_many'),
  /** Whether name, picture, price and stock are those at sending or those of the last save. */
  as_of: z.enum(['sending', 'saving']).default('saving'),
  ...cards,
  /** `left_out`, and how many there are: as of sending alone. */
  sold_out: z.enum(['shown', 'left_out']).default('shown'),
  shows_stock: z.boolean('not_a_boolean').default(false),
})
/** Chosen when the mail is sent, once for all or for each recipient. */
const ProductRuleBlock = z.strictObject({
  ...base,
  kind: z.literal('product_rule'),
  rule: ProductRule.default('best_sold'),
  count: z.int('not_whole').min(1, 'too_small').max(MAX_CHOSEN, 'too_big').default(4),
  /** Where the rule finds nothing for a customer. */
  otherwise: z.enum(otherwises).default('best_sold'),
  leaves_out_bought: z.boolean('not_a_boolean').default(false),
  excluded_ids: z.array(Id).max(MAX_EXCLUDED, 'too_many').default([]),
  ...cards,
  shows_stock: z.boolean('not_a_boolean').default(false),
})
const CouponBlock = z.strictObject({
  ...base,
  kind: z.literal('coupon'),
  title: line(0, 200),
  /** One code for all, typed here; or the code that the scenario issued to each. */
  source: z.enum(['typed', 'scenario']).default('typed'),
  /** As typed at the checkout, or a tag. Not of the scenario's. */
  code: line(0, 100),
  /** The last day of the typed code; what was issued knows its own. */
  ends_on: z.iso.date('invalid').nullable().default(null),
  note: line(0, 300).default(''),
})
/** What was ordered, or left in the cart: of the scenario's event. */
const EventItemsBlock = z.strictObject({
  ...base,
  kind: z.literal('event_items'),
  shows_pictures: z.boolean('not_a_boolean').default(true),
  shows_prices: z.boolean('not_a_boolean').default(true),
})
const ComponentBlock = z.strictObject({ ...base, kind: z.literal('component'), key: ComponentKey })
const CodeBlock = z.strictObject({ ...base, kind: z.literal('code'), html: Text(50_000) })
/** Why the mail came, the way to stop it, and whom it is from: what the law asks for. */
const FooterBlock = z.strictObject({
  ...always,
  // No one gets a mail without it.
  shown_to: z.null('not_allowed').default(null),
  kind: z.literal('footer'),
  why: Text(500),
  align: Align.default('left'),
})

const InColumn = z.discriminatedUnion(
  'kind',
  [HeadingBlock, TextBlock, PictureBlock, ButtonBlock, DividerBlock, SpacerBlock, CouponBlock, CodeBlock],
  'invalid',
)
const ColumnsBlock = z.strictObject({
  ...base,
  kind: z.literal('columns'),
  /** The columns' shares of the width, of twelve. */
  widths: z.array(z.int('not_whole').min(2, 'too_small').max(10, 'too_big')).min(2, 'too_small').max(4, 'too_many'),
  columns: z.array(z.array(InColumn).max(20, 'too_many')).min(2, 'too_small').max(4, 'too_many'),
})
export const Block = z.discriminatedUnion(
  'kind',
  [
    HeadingBlock,
    TextBlock,
    PictureBlock,
    ButtonBlock,
    DividerBlock,
    SpacerBlock,
    SocialBlock,
    ProductsBlock,
    ProductRuleBlock,
    CouponBlock,
    EventItemsBlock,
    ComponentBlock,
    CodeBlock,
    FooterBlock,
    ColumnsBlock,
  ],
  'invalid',
)
export type Block = z.output<typeof Block>
export type BlockKind = Block['kind']
export type BlockInColumn = z.output<typeof InColumn>
export const kindsInColumn = InColumn.options.map((option) => option.shape.kind.value)

const Look = z.strictObject({
  /** Behind the mail. */
  background: Colour,
  surface: Colour,
  text: Colour,
  /** Of buttons and links. */
  accent: Colour,
  font: z.enum(['sans', 'serif']),
  /** Of buttons and the mail's corners, in pixels. */
  radius: z.int('not_whole').min(0, 'too_small').max(24, 'too_big'),
})
export type Look = z.output<typeof Look>

export const Design = z
  .strictObject({ language: Locale, look: Look, blocks: z.array(Block).max(MAX_BLOCKS, 'too_many') })
  .refine(({ blocks }) => listBlocks(blocks).length <= MAX_BLOCKS, { error: 'too_many', path: ['blocks'] })
  .refine(({ blocks }) => areNamedOnce(listBlocks(blocks)), { error: 'taken', path: ['blocks'] })
  .refine(
    ({ blocks }) => blocks.every((block) => block.kind !== 'columns' || block.columns.length === block.widths.length),
    { error: 'not_as_many', path: ['blocks'] },
  )
  .refine((design) => new TextEncoder().encode(JSON.stringify(design)).length <= MAX_DESIGN_BYTES, 'too_long')
  .meta({ id: 'EmailDesign' })
export type Design = z.output<typeof Design>

/** All of them, those in columns after the block that holds them. */
export const listBlocks = (blocks: readonly Block[]): (Block | BlockInColumn)[] =>
  blocks.flatMap((block): (Block | BlockInColumn)[] =>
    block.kind === 'columns' ? [block, ...block.columns.flat()] : [block],
  )

const areNamedOnce = (blocks: readonly { id: string }[]): boolean =>
  new Set(blocks.map(({ id }) => id)).size === blocks.length
