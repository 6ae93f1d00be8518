import type { Block, Design } from '@okaeri/contract/emails/design'
import { starterDesign } from '@okaeri/contract/emails/starter-design'
import { starterKeys } from '@okaeri/contract/emails/starters'
import { type DefaultTreeAdapterMap, parse } from 'parse5'
import { describe, expect, test } from 'vitest'
import { compileDesign } from './design.ts'

// What is known of Outlook on Windows, which lays mails out as Word does: it reads what stands in its conditional comments, sets padding of table
// cells alone, knows neither `inherit` nor flexible boxes nor pictures behind, and takes the width of pictures from their attribute.

type Element = DefaultTreeAdapterMap['element']

const CONDITION = /<!--\[if ([^\]]*)\]>(<!-->)?|(?:<!--)?<!\[endif\]-->/g
/** The mail as Outlook reads it, or as all others do. */
function seenBy(program: 'outlook' | 'others', html: string): string {
  let seen = ''
  let last = 0
  let open: { reads: boolean } | null = null
  for (const found of html.matchAll(CONDITION)) {
    const [mark, condition] = found
    if (!open || open.reads) seen += html.slice(last, found.index)
    last = found.index + mark.length
    if (condition === undefined) {
      if (!open) throw new Error(`ends where nothing began: …${html.slice(found.index - 60, last)}`)
      open = null
      continue
    }
    if (open) throw new Error(`within another: …${html.slice(found.index - 60, last)}`)
    const isForOutlook = condition.includes('!mso') ? false : !condition.includes('lte mso 11')
    open = { reads: program === 'outlook' ? isForOutlook : condition.includes('!mso') }
  }
  if (open) throw new Error('a condition never ends')
  return seen + html.slice(last)
}

const VOID = new Set(['meta', 'img', 'br', 'hr', 'link', 'o:allowpng/', 'input'])
/** Elements that are opened and not closed in their order; Word is less forgiving than browsers. */
function unbalanced(html: string): string[] {
  const open: string[] = []
  const wrong: string[] = []
  for (const [, end, name = '', itself] of html
    .replaceAll(/<style[\s\S]*?<\/style>|<!--[\s\S]*?-->|<!doctype[^>]*>/gi, '')
    .matchAll(/<(\/?)([a-z][\w:]*)(?:"[^"]*"|'[^']*'|[^"'>/]|\/(?!>))*(\/?)>/gi)) {
    const tag = name.toLowerCase()
    if (VOID.has(tag) || itself === '/') continue
    if (end === '') open.push(tag)
    else if (open.at(-1) === tag) open.pop()
    else wrong.push(`</${tag}> within <${open.at(-1)}>`)
  }
  return [...wrong, ...open.map((tag) => `<${tag}> is not closed`)]
}

const stylesOf = (element: Element): Map<string, string> =>
  new Map(
    (element.attrs.find(({ name }) => name === 'style')?.value ?? '').split(';').flatMap((one) => {
      const [name = '', value = ''] = one.split(/:(.*)/s)
      return name.trim() === '' ? [] : [[name.trim().toLowerCase(), value.trim()] as const]
    }),
  )
function elementsIn(html: string): Element[] {
  const found: Element[] = []
  const walk = (node: DefaultTreeAdapterMap['node']): void => {
    if ('tagName' in node) found.push(node)
    if ('childNodes' in node) node.childNodes.forEach(walk)
  }
  walk(parse(html))
  return found
}

/** What Outlook would not show as it was meant. */
function relied(html: string): string[] {
  return elementsIn(html).flatMap((element) => {
    const { tagName } = element
    const styles = stylesOf(element)
    const attribute = (wanted: string) => element.attrs.find(({ name }) => name === wanted)?.value
    const wrong: string[] = []
    for (const [name, value] of styles) {
      if (value === 'inherit') wrong.push(`<${tagName}> ${name}: inherit`)
      if (name === 'background-image' || (name === 'background' && value.includes('url(')))
        wrong.push(`<${tagName}> a picture behind`)
      if (name === 'display' && /flex|grid/.test(value)) wrong.push(`<${tagName}> display: ${value}`)
      if (name === 'position' || name === 'float') wrong.push(`<${tagName}> ${name}`)
    }
    // Its buttons are cells, whose padding is said a second time for it.
    const padding = styles.get('padding') ?? '0'
    if (tagName === 'div' && !/^0(?:px)?(?: 0(?:px)?)*$/.test(padding)) wrong.push(`<div> padding: ${padding}`)
    if (tagName === 'img' && !/^\d+$/.test(attribute('width') ?? '')) wrong.push('<img> without a width')
    if (tagName === 'h2' && !/^\d+px$/.test(styles.get('font-size') ?? '')) wrong.push('<h2> as large as Outlook likes')
    return wrong
  })
}

const base = { space: 12, background: null, shown_to: null }
const everyKind: Block[] = [
  { ...base, id: 'h', kind: 'heading', text: '見出し', size: 'large', align: 'center', color: null },
  {
    ...base,
    id: 't',
    kind: 'text',
    html: '<p>本文</p><ul><li>一</li></ul>',
    size: 'medium',
    align: 'left',
    color: null,
  },
  {
    ...base,
    id: 'p',
    kind: 'picture',
    url: 'https://x.example/a.png',
    alt: 'a',
    link: 'https://x.example',
    width: 60,
    align: 'center',
    wide: false,
  },
  {
    ...base,
    id: 'w',
    kind: 'picture',
    url: 'https://x.example/b.png',
    alt: 'b',
    link: '',
    width: 100,
    align: 'center',
    wide: true,
  },
  {
    ...base,
    id: 'b',
    kind: 'button',
    label: '見る',
    link: 'https://x.example',
    align: 'center',
    wide: true,
    color: null,
  },
  { ...base, id: 'd', kind: 'divider', color: null },
  { ...base, id: 's', kind: 'spacer', height: 24 },
  {
    ...base,
    id: 'o',
    kind: 'social',
    links: [
      { network: 'instagram', link: 'https://i.example' },
      { network: 'line', link: 'https://l.example' },
    ],
    align: 'center',
  },
  {
    ...base,
    id: 'c',
    kind: 'coupon',
    title: '5%OFF',
    source: 'typed',
    code: 'ABC',
    ends_on: '2026-12-31',
    note: '一回',
  },
  { ...base, id: 'e', kind: 'event_items', shows_pictures: true, shows_prices: true },
  {
    ...base,
    id: 'r',
    kind: 'product_rule',
    rule: 'best_sold',
    count: 4,
    otherwise: 'best_sold',
    leaves_out_bought: false,
    excluded_ids: [],
    columns: 2,
    shows_price: true,
    button: '見る',
    shows_stock: true,
  },
  {
    ...base,
    id: 'k',
    kind: 'columns',
    widths: [6, 6],
    columns: [
      [{ ...base, id: 'k1', kind: 'coupon', title: '送料無料', source: 'scenario', code: '', ends_on: null, note: '' }],
      [
        {
          ...base,
          id: 'k2',
          kind: 'picture',
          url: 'https://x.example/c.png',
          alt: 'c',
          link: '',
          width: 100,
          align: 'center',
          wide: false,
        },
      ],
    ],
  },
]

/** What is wrong with a design as Outlook reads it, and how large it is. */
async function checked(design: Design): Promise<{ html: string; wrong: string[]; bytes: number }> {
  const html = await compileDesign({ design, products: {} })
  const [outlook, others] = [seenBy('outlook', html), seenBy('others', html)]
  const wrong = [...unbalanced(outlook), ...unbalanced(others), ...relied(outlook)]
  // A wide screen is all it has: what is 600 wide elsewhere stands in a table of that width.
  if (!outlook.includes('width="600"')) wrong.push('no width')
  if (!/<style>table,td[^{}]*\{font-family:'Yu (?:Gothic|Mincho)',[^{}]*'MS PM?(?:Gothic|incho)'/.test(outlook))
    wrong.push('no font of Outlook’s own')
  if (others.includes('MS P')) wrong.push('a font of Outlook’s own for others')
  return { html, wrong, bytes: Buffer.byteLength(html) }
}

describe('as Outlook reads it', () => {
  test.each(starterKeys)(
    'the template %s is whole, and relies on nothing that Outlook does not know',
    async (starter) => {
      for (const language of ['ja', 'en'] as const) {
        const { wrong, bytes } = await checked(starterDesign({ starter, language, storeUrl: 'https://shop.example' }))
        expect(wrong).toEqual([])
        // Gmail cuts mails at 102 kB; beside this there is room for products and a preheader.
        expect(bytes).toBeLessThan(60_000)
      }
    },
  )

  test('so is every kind of block, and links beside each other are apart', async () => {
    const design = starterDesign({ starter: 'letter', language: 'ja', storeUrl: 'https://shop.example' })
    const { html, wrong } = await checked({ ...design, blocks: [...everyKind, ...design.blocks] })
    expect(wrong).toEqual([])
    const outlook = seenBy('outlook', html)
    expect(outlook.slice(outlook.indexOf('Instagram</a>'), outlook.indexOf('LINE</a>'))).toContain('&nbsp;')
    expect(seenBy('others', html)).not.toMatch(/Instagram<\/a>&nbsp;/)
  })
})
