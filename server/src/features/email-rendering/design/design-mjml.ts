import { componentTag } from '@okaeri/contract/emails/component-key'
import type { Block, BlockInColumn, Design, Look, ShownTo } from '@okaeri/contract/emails/design'
import { productChoiceTag } from '@okaeri/contract/emails/product-rule'
import { type Locale, wordsIn } from '@okaeri/contract/locale'
import { asAttribute, asText, fromEditor, kept, selfContained } from './design-typed.ts'
import { escapeHtml } from '../parts.ts'

/** A product as a design shows it. */
export interface DesignProduct {
  title: string
  /** With its currency, as the language writes it; empty where the store gave none. */
  price: string
  imageUrl: string
  url: string
}
export interface DesignToCompile {
  design: Design
  /** By their ids; one that is missing is not for sale any more. */
  products: Readonly<Record<string, DesignProduct>>
}

const words = {
  address: { ja: '住所：', en: 'Address: ' },
  contact: { ja: 'お問い合わせ：', en: 'Contact: ' },
  stop: { ja: '配信を希望されない方は、', en: 'If you no longer want these emails, ' },
  stopLink: { ja: 'こちらから配信を停止できます', en: 'unsubscribe here' },
  end: { ja: '。', en: '.' },
  prefer: { ja: '受け取るメールの種類や一時休止は、', en: ' To choose what you get or take a break, change your ' },
  preferLink: { ja: '配信設定', en: 'email preferences' },
  preferEnd: { ja: 'から変更できます。', en: '.' },
  // What stands for what is not chosen yet: the pre-flight check knows such sentences and lets none of them out.
  noPicture: { ja: 'ここに画像の内容が入ります', en: 'Picture: put the content here' },
  noProducts: { ja: 'ここに商品の内容が入ります', en: 'Products: put the content here' },
  noCode: { ja: 'ここにクーポンの内容が入ります', en: 'Coupon: put the content here' },
  offer: { ja: '{{ coupon.ratio }}%OFF', en: '{{ coupon.ratio }}% off' },
  until: { ja: '有効期限：…まで', en: 'Valid until …' },
  subtotal: { ja: '小計', en: 'Subtotal' },
  others: { ja: '送料・割引など', en: 'Shipping and discounts' },
  total: { ja: '合計', en: 'Total' },
  soldOut: { ja: '売り切れ', en: 'Sold out' },
  left: { ja: '残り', en: '' },
  pieces: { ja: '点', en: ' left' },
}

const FONTS: Record<Look['font'], string> = {
  sans: `-apple-system,BlinkMacSystemFont,'Hiragino Sans','Hiragino Kaku Gothic ProN','Noto Sans JP','Yu Gothic',Meiryo,Arial,sans-serif`,
  serif: `'Hiragino Mincho ProN','Yu Mincho','Noto Serif JP',Georgia,'Times New Roman',serif`,
}
/**
 * Outlook on Windows lays mails out as Word does: of a list it takes the first font, and where that is not there Times New Roman, whose Japanese is
 * MS Mincho. These it has.
 */
const OUTLOOK_FONTS: Record<Look['font'], string> = {
  sans: `'Yu Gothic',Meiryo,'MS PGothic',sans-serif`,
  serif: `'Yu Mincho','MS PMincho',serif`,
}
const HEADING_PX = { small: 18, medium: 22, large: 28 } as const
const TEXT_PX = { small: 13, medium: 16, large: 18 } as const
const SIDE_PX = 32
/** What goes from one side of a mail to the other is as wide. */
const WIDTH_PX = 600

/** Names the block in the mail that was made, for editors and findings. */
export const classOf = (id: string): string => `b-${id}`

/** Tags between what MJML makes. It takes no notice of them. */
const raw = (liquid: string): string => `<mj-raw>${kept(liquid)}</mj-raw>`

/** The tags around a block, after its name as a remark that is not sent: a finding in the tags is one in the block. */
const shownTo = ({ id, shown_to }: { id: string; shown_to: ShownTo | null }, made: string): string => {
  if (shown_to === null) return made
  const named = `{% # "${classOf(id)}" %}`
  const { segment_id, who } = shown_to
  if (who === 'others') return `${raw(`${named}{% except_for "${segment_id}" %}`)}${made}${raw('{% endexcept_for %}')}`
  // With an `else` of its own: a second one, typed into the block, is found.
  return `${raw(`${named}{% only_for "${segment_id}" %}`)}${made}${raw('{% else %}{% endonly_for %}')}`
}

interface Made {
  look: Look
  language: Locale
  products: DesignToCompile['products']
}

/** The design as MJML. What people typed is kept from it (`design-typed.ts`), so that it cannot become a tag of MJML, or swallow one. */
export function mjmlOf({ design, products }: DesignToCompile): string {
  const { look, language, blocks } = design
  const made: Made = { look, language, products }
  const body = partsOf(blocks)
    .map(({ isFooter, blocks }) => {
      const sections = fieldsOf(blocks)
        .map((field) => {
          const [block] = field as [Block]
          return field.length === 1 ? shownTo(block, sectionOf(block, made)) : fieldSection(field, made)
        })
        .join('\n')
      if (isFooter) return sections
      return `<mj-wrapper css-class="ok-surface" ${attributes({ 'background-color': look.surface, 'border-radius': `${look.radius}px`, padding: '12px 0' })}>${sections}</mj-wrapper>`
    })
    .join('\n')
  return `<mjml ${attributes({ lang: language })}>
<mj-head>
<mj-raw><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><!--[if mso]><style>table,td,div,p,a,h1,h2,h3,li,span{font-family:${OUTLOOK_FONTS[look.font]} !important}</style><![endif]--></mj-raw>
<mj-attributes>
<mj-all ${attributes({ 'font-family': FONTS[look.font] })} />
<mj-text ${attributes({ 'font-size': '16px', 'line-height': '1.8', color: look.text, padding: `0 ${SIDE_PX}px` })} />
<mj-section padding="0" />
</mj-attributes>
<mj-style>${styles(look)}</mj-style>
</mj-head>
<mj-body ${attributes({ width: `${WIDTH_PX}px`, 'background-color': look.background })} css-class="ok-ground">
<mj-section padding="12px 0"><mj-column></mj-column></mj-section>
${body}
<mj-section padding="12px 0"><mj-column></mj-column></mj-section>
</mj-body>
</mjml>`
}

/** The mail's own paper, and what stands below it on the ground. */
function partsOf(blocks: readonly Block[]): { isFooter: boolean; blocks: Block[] }[] {
  const parts: { isFooter: boolean; blocks: Block[] }[] = []
  for (const block of blocks) {
    const isFooter = block.kind === 'footer'
    const last = parts.at(-1)
    if (last?.isFooter === isFooter) last.blocks.push(block)
    else parts.push({ isFooter, blocks: [block] })
  }
  return parts
}

/** Blocks after each other on one colour of their own are one field: between two, many programs draw a hairline. */
function fieldsOf(blocks: readonly Block[]): Block[][] {
  const fields: Block[][] = []
  for (const block of blocks) {
    const last = fields.at(-1)
    const joins = block.background !== null && last?.every((one) => one.background === block.background && canJoin(one))
    if (joins && canJoin(block)) last?.push(block)
    else fields.push([block])
  }
  return fields
}
const canJoin = ({ kind }: Block): boolean => kind === 'heading' || kind === 'text' || kind === 'spacer'

function fieldSection(blocks: readonly Block[], made: Made): string {
  const spacer = (height: number): string =>
    height > 0 ? `<mj-spacer ${attributes({ height: `${height}px` })} />` : ''
  const inner = blocks.map((block) => {
    const content = contentOf(block as BlockInColumn, made, false)
      .replace('css-class="ok-text"', `css-class="${classOf(block.id)} ok-text"`)
      .replace('<mj-spacer ', `<mj-spacer css-class="${classOf(block.id)}" `)
    return shownTo(block, spacer(block.space) + content + spacer(block.space))
  })
  return `<mj-section ${attributes({ padding: '0', 'background-color': blocks[0]?.background ?? undefined })}><mj-column>${inner.join('')}</mj-column></mj-section>`
}

/** In dark mode the paper turns dark where the merchant chose a light one; what has colours of its own keeps them. */
function styles({ surface, background, accent }: Look): string {
  const own = 'p,ul,ol{margin:0 0 16px} p:last-child,ul:last-child,ol:last-child{margin-bottom:0}'
  if (lightness(surface) < 0.5) return own
  const link = lightness(accent) < 0.45 ? `.ok-plain .ok-text a{color:#9cc4ff !important}` : ''
  return `${own}
@media (prefers-color-scheme: dark) {
.ok-ground, .ok-ground > div{background:${lightness(background) < 0.5 ? background : '#111413'} !important}
.ok-surface, .ok-surface > table{background:#1c201f !important}
.ok-plain, .ok-plain > table{background:transparent !important}
.ok-plain .ok-text div, .ok-plain .ok-text p, .ok-plain .ok-text td, .ok-plain .ok-text li, .ok-plain .ok-text h1, .ok-plain .ok-text h2{color:#eceeed !important}
${link}
}`
}

const lightness = (colour: string): number => {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

function sectionOf(block: Block, made: Made): string {
  const section = (content: string, more: Record<string, string> = {}): string =>
    `<mj-section css-class="${classOf(block.id)}${block.background === null ? ' ok-plain' : ''}" ${attributes({
      padding: `${block.space}px 0`,
      ...(block.background !== null && { 'background-color': block.background }),
      ...more,
    })}>${content}</mj-section>`
  const column = (content: string): string => `<mj-column>${content}</mj-column>`
  switch (block.kind) {
    case 'columns':
      return section(
        block.columns
          .map((inner, at) => {
            const width = `${(((block.widths[at] ?? 1) / sum(block.widths)) * 100).toFixed(2)}%`
            return `<mj-column ${attributes({ width, 'vertical-align': 'top' })}>${inner.map((one) => shownTo(one, contentOf(one, made, true))).join('')}</mj-column>`
          })
          .join(''),
        { padding: `${block.space}px ${SIDE_PX - 16}px` },
      )
    case 'products':
      return productsOf(block, made, section)
    case 'product_rule':
      return section(ruleOf(block, made), { padding: `${block.space}px ${SIDE_PX - 8}px` })
    case 'event_items':
      return section(column(itemsOf(block, made)))
    case 'social':
      return section(column(text(socialOf(block, made), { align: block.align, 'font-size': '14px' })))
    case 'component':
      return section(column(text(componentTag(block.key))))
    case 'footer':
      return section(column(footerOf(block, made)))
    default:
      return section(column(contentOf(block, made, false)))
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

function contentOf(block: BlockInColumn, made: Made, inColumn: boolean): string {
  const { look } = made
  const named = inColumn ? { 'css-class': `${classOf(block.id)} ok-text` } : {}
  const side = inColumn ? { padding: `${block.space / 2}px 16px` } : {}
  const typed = (html: string, more: Record<string, string | undefined> = {}): string =>
    text(html, { ...side, ...named, ...more })
  switch (block.kind) {
    case 'heading': {
      const size = `${HEADING_PX[block.size]}px`
      const color = block.color ?? look.text
      // Outlook knows no `inherit`: it would write all headings as large as its own.
      return typed(
        `<h2 style="margin:0;font-size:${size};line-height:1.5;font-weight:bold;color:${color}">${asText(block.text)}</h2>`,
        { align: block.align, 'font-size': size, 'line-height': '1.5', color: block.color ?? undefined },
      )
    }
    case 'text':
      return typed(withStyles(selfContained(fromEditor(block.html)), look), {
        align: block.align,
        'font-size': `${TEXT_PX[block.size]}px`,
        color: block.color ?? undefined,
      })
    case 'code':
      return typed(selfContained(block.html))
    case 'picture':
      return pictureOf(block, made, inColumn)
    case 'button':
      return `<mj-button ${attributes({
        href: block.link || '#',
        'background-color': block.color ?? look.accent,
        color: lightness(block.color ?? look.accent) > 0.6 ? '#1f2a2e' : '#ffffff',
        'border-radius': `${look.radius}px`,
        'font-size': '16px',
        'font-weight': 'bold',
        'inner-padding': '14px 28px',
        align: block.align,
        padding: inColumn ? `${block.space / 2}px 16px` : `0 ${SIDE_PX}px`,
        ...(block.wide && { width: '100%' }),
        ...(inColumn && { 'css-class': classOf(block.id) }),
      })}>${kept(asText(block.label))}</mj-button>`
    case 'divider':
      return `<mj-divider ${attributes({
        'border-width': '1px',
        'border-color': block.color ?? '#d5d9d8',
        padding: inColumn ? `${block.space / 2}px 16px` : `0 ${SIDE_PX}px`,
        ...(inColumn && { 'css-class': classOf(block.id) }),
      })} />`
    case 'spacer':
      return `<mj-spacer ${attributes({ height: `${block.height}px`, ...(inColumn && { 'css-class': classOf(block.id) }) })} />`
    case 'coupon':
      return typed(couponOf(block, made), { align: 'center' })
  }
}

function couponOf(
  { title, source, code, ends_on, note }: Extract<BlockInColumn, { kind: 'coupon' }>,
  { look, language }: Made,
): string {
  const { noCode, offer, until } = wordsIn(words, language)
  const small = (html: string): string => `<br><span style="font-size:13px">${html}</span>`
  const [untilBefore, untilAfter] = until.split('…') as [string, string]
  const last = ends_on === null ? '' : small(untilBefore + escapeHtml(dayIn(ends_on, language)) + untilAfter)
  // What was issued says itself what it is worth, on what orders, and until when.
  const said =
    source === 'scenario'
      ? `<br>${offer}<br><strong style="font-size:24px;letter-spacing:2px">{{ coupon.code }}</strong>` +
        `{% if coupon.condition != "" %}${small('{{ coupon.condition }}')}{% endif %}` +
        `{% if coupon.expires_at != "" %}${small(`${untilBefore}{{ coupon.expires_at }}${untilAfter}`)}{% endif %}`
      : `<br><strong style="font-size:24px;letter-spacing:2px">${asText(code === '' ? noCode : code)}</strong>${last}`
  const inside = `${asText(title)}${said}${note === '' ? '' : small(asText(note))}`
  const letters = `font-size:16px;line-height:1.8;color:${look.text}`
  return cell(
    inside,
    `border:2px dashed ${look.accent};border-radius:${look.radius}px;padding:20px 16px;text-align:center;${letters}`,
  )
}

/** A field of its own: Outlook knows the padding of a cell, and of nothing else. */
const cell = (html: string, style: string): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%" style="border-collapse:separate"><tr><td style="${style}">${html}</td></tr></table>`

const dayIn = (day: string, language: Locale): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))

/** The lines of the order or the cart, and what they cost together. Nothing of it stands in the mail of a campaign, which is not sent with it. */
function itemsOf(
  { shows_pictures, shows_prices }: Extract<Block, { kind: 'event_items' }>,
  { look, language }: Made,
): string {
  const { subtotal, others, total } = wordsIn(words, language)
  // At each cell: a table takes neither from what is around it in every program.
  const words14 = `font-size:14px;line-height:1.6;color:${look.text}`
  const line = `border-top:1px solid #d5d9d8;padding:10px 0;${words14}`
  const picture = shows_pictures
    ? `<td style="${line};width:76px">{% if line.image_url != "" %}<img src="{{ line.image_url }}" alt="{{ line.title }}" width="64" style="display:block;width:64px;border-radius:6px">{% else %}<table role="presentation" cellpadding="0" cellspacing="0" border="0" width="64"><tr><td width="64" height="64" bgcolor="#e6e8e7" style="border-radius:6px;font-size:0;line-height:0">&nbsp;</td></tr></table>{% endif %}</td>`
    : ''
  const price = shows_prices
    ? `<td style="${line};text-align:right;white-space:nowrap;padding-left:12px">{{ line.price }}</td>`
    : ''
  const items = `{% for line in event.lines limit: 20 %}<tr>${picture}<td style="${line}">{{ line.title }}<br><span style="font-size:13px">× {{ line.quantity }}</span></td>${price}</tr>{% endfor %}`
  const sum = (name: string, field: string, style: string): string =>
    `{% if event.${field} != "" %}<tr><td style="padding:4px 0;${words14}${style}">${name}</td><td style="padding:4px 0;text-align:right;${words14}${style}">{{ event.${field} }}</td></tr>{% endif %}`
  const table = 'role="presentation" cellpadding="0" cellspacing="0" width="100%" style="border-collapse:collapse"'
  const sums = shows_prices
    ? `<table ${table}>${sum(subtotal, 'subtotal', '')}${sum(others, 'other_costs', '')}${sum(total, 'total', ';font-weight:bold;font-size:16px')}</table>`
    : ''
  return text(`<table ${table}>${items}</table>${sums}`, { 'line-height': '1.6' })
}

function pictureOf(block: Extract<BlockInColumn, { kind: 'picture' }>, made: Made, inColumn: boolean): string {
  if (block.url === '') return text(placeholder(wordsIn(words, made.language).noPicture), { align: 'center' })
  const room = inColumn ? WIDTH_PX / 2 : block.wide ? WIDTH_PX : WIDTH_PX - 2 * SIDE_PX
  return `<mj-image ${attributes({
    src: block.url,
    alt: block.alt,
    ...(block.link && { href: block.link }),
    align: block.align,
    padding: inColumn ? `${block.space / 2}px 16px` : block.wide ? '0' : `0 ${SIDE_PX}px`,
    ...(block.width < 100 && { width: `${Math.round((room * block.width) / 100)}px` }),
    ...(!block.wide && { 'border-radius': `${Math.min(made.look.radius, 12)}px` }),
    ...(inColumn && { 'css-class': classOf(block.id) }),
  })} />`
}

function productsOf(
  block: Extract<Block, { kind: 'products' }>,
  { look, language, products }: Made,
  section: (content: string, more?: Record<string, string>) => string,
): string {
  const nothing = section(
    `<mj-column>${text(placeholder(wordsIn(words, language).noProducts), { align: 'center' })}</mj-column>`,
  )
  const card = (product: Card): string => cardOf(product, block, { look })
  const columns =
    block.as_of === 'sending'
      ? block.product_ids.map((id) => {
          const shown = block.sold_out === 'left_out' ? LEFT_OUT : { begin: '', end: '' }
          return `${raw(`{% product "${id}" %}${shown.begin}`)}${card(soldAs(block, language))}${raw(`${shown.end}{% endproduct %}`)}`
        })
      : block.product_ids.flatMap((id) => {
          const product = products[id]
          if (!product) return []
          const price = block.shows_price && product.price !== '' ? `<strong>${escapeHtml(product.price)}</strong>` : ''
          return card({ ...product, title: escapeHtml(product.title), alt: product.title, price })
        })
  if (columns.length === 0) return nothing
  return section(columns.join(''), { padding: `${block.space}px ${SIDE_PX - 8}px` })
}

/** Where the rule finds nothing at all, the block is empty. */
function ruleOf(block: Extract<Block, { kind: 'product_rule' }>, { look, language }: Made): string {
  const tag = productChoiceTag({
    rule: block.rule,
    count: block.count,
    otherwise: block.otherwise,
    leavesOutBought: block.leaves_out_bought,
    excludedIds: block.excluded_ids,
  })
  return raw(tag) + cardOf(soldAs(block, language), block, { look }) + raw('{% else %}{% endproducts_by %}')
}

const LEFT_OUT = { begin: '{% unless product.is_sold_out %}', end: '{% endunless %}' }

/** A product as it is put into MJML. */
interface Card {
  /** As HTML. */
  title: string
  alt: string
  /** As HTML; empty: nothing is said of it. */
  price: string
  imageUrl: string
  url: string
  /** It may have no picture. */
  mayLackPicture?: boolean
}
interface Cards {
  columns: number
  button: string
}

/** A product as it will be when the mail is sent. */
function soldAs({ shows_price, shows_stock }: { shows_price: boolean; shows_stock: boolean }, language: Locale): Card {
  const { soldOut, left, pieces } = wordsIn(words, language)
  const stock = shows_stock
    ? `{% if product.stock != "" %}<br><span style="font-size:13px">${left}{{ product.stock }}${pieces}</span>{% endif %}`
    : ''
  const price = shows_price ? '<strong>{{ product.price }}</strong>' : ''
  return {
    title: '{{ product.title }}',
    alt: '{{ product.title }}',
    price: `{% if product.is_sold_out %}<strong>${soldOut}</strong>{% else %}${price}${stock}{% endif %}`,
    imageUrl: '{{ product.image_url }}',
    url: '{{ product.url }}',
    mayLackPicture: true,
  }
}

function cardOf(
  { title, alt, price, imageUrl, url, mayLackPicture }: Card,
  cards: Cards,
  { look }: { look: Look },
): string {
  const image = imageUrl
    ? `<mj-image ${attributes({ src: imageUrl, alt, href: url, padding: '0 8px 8px', 'border-radius': `${Math.min(look.radius, 12)}px` })} />`
    : ''
  const picture = mayLackPicture ? `${raw('{% if product.image_url != "" %}')}${image}${raw('{% endif %}')}` : image
  const priced = price === '' ? '' : `<br>${price}`
  const name = `<a href="${asAttribute(url, 'whole')}" style="color:${look.text};text-decoration:none">${title}</a>`
  const button =
    cards.button === ''
      ? ''
      : `<mj-button ${attributes({ href: url, 'background-color': look.accent, color: lightness(look.accent) > 0.6 ? '#1f2a2e' : '#ffffff', 'border-radius': `${look.radius}px`, 'font-size': '14px', 'inner-padding': '10px 18px', padding: '8px' })}>${kept(asText(cards.button))}</mj-button>`
  return `<mj-column ${attributes({ width: `${(100 / cards.columns).toFixed(2)}%`, 'vertical-align': 'top', padding: '0 0 16px' })}>${picture}${text(name + priced, { padding: '0 8px', 'font-size': '14px', 'line-height': '1.6' })}${button}</mj-column>`
}

const NETWORKS: Record<string, string> = {
  instagram: 'Instagram',
  x: 'X',
  facebook: 'Facebook',
  line: 'LINE',
  youtube: 'YouTube',
  tiktok: 'TikTok',
  web: 'Web',
}
const socialOf = ({ links }: Extract<Block, { kind: 'social' }>, { look }: Made): string =>
  links
    .filter(({ link }) => link !== '')
    .map(
      ({ network, link }) =>
        `<a href="${asAttribute(link, 'whole')}" style="display:inline-block;padding:6px 14px;margin:0 4px 8px;border:1px solid ${look.accent};border-radius:${look.radius}px;color:${look.accent};text-decoration:none">${NETWORKS[network]}</a>`,
    )
    // Outlook sets neither padding nor margin of a link: the names would run into each other.
    .join('<!--[if mso]>&nbsp;&nbsp;&nbsp;<![endif]-->')

function footerOf({ why, align }: Extract<Block, { kind: 'footer' }>, { language }: Made): string {
  const { address, contact, stop, stopLink, end, prefer, preferLink, preferEnd } = wordsIn(words, language)
  const link = 'color:#5c666a;text-decoration:underline'
  return text(
    `${asText(why)}<br>${stop}<a href="{{ unsubscribe_url }}" style="${link}">${stopLink}</a>${end}${prefer}<a href="{{ preferences_url }}" style="${link}">${preferLink}</a>${preferEnd}<br><br>{{ store.name }}<br>${address}{{ store.postal_address }}<br>${contact}<a href="mailto:{{ store.contact_email }}" style="${link}">{{ store.contact_email }}</a>{% if store.contact_phone != "" %} / {{ store.contact_phone }}{% endif %}`,
    { align, 'font-size': '12px', 'line-height': '1.7', color: '#5c666a' },
  )
}

const placeholder = (sentence: string): string =>
  cell(asText(sentence), 'border:1px dashed #98a2a0;padding:24px 12px;text-align:center;color:#5c666a;font-size:14px')

const text = (html: string, more: Record<string, string | undefined> = {}): string =>
  `<mj-text ${attributes({ 'css-class': 'ok-text', ...more })}>${kept(html)}</mj-text>`

/** Mail programs know few styles but those that stand at the element. */
const withStyles = (html: string, { accent }: Look): string =>
  html
    .replace(/<p>(?=(?:(?!<p>).)*<\/p>\s*$)/is, '<p style="margin:0">')
    .replaceAll(/<p>/gi, '<p style="margin:0 0 16px">')
    .replaceAll(/<(ul|ol)>/gi, '<$1 style="margin:0 0 16px;padding-left:24px">')
    .replaceAll(/<a (?![^>]*style=)/gi, `<a style="color:${accent};text-decoration:underline" `)

const attributes = (given: Record<string, string | undefined>): string =>
  Object.entries(given)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${asAttribute(value)}"`]))
    .join(' ')
