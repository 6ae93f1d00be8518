import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NO_EVENT } from '../data/event-data.ts'
import { compileMail, fillMails, type MailToFill, makeCards } from '../filling.ts'
import { compileTemplate } from '../liquid.ts'
import {
  customerData,
  exampleCustomer,
  type MailProduct,
  type MessageData,
  type ProductLists,
} from '../data/message-data.ts'
import { linkMarker, plainValue } from '../parts.ts'
import { isFreeOfScripts, withoutScripts } from './scripts.ts'
import { SENDING_STEPS, Work } from '../work.ts'

const data: MessageData = {
  ...NO_EVENT,
  customer: customerData(exampleCustomer.ja, 'ja'),
  store: {
    name: 'おかえり商店',
    url: 'https://shop.test',
    postal_address: '東京',
    contact_email: 'a@shop.test',
    contact_phone: '',
  },
  sender: { name: 'おかえり商店', email: 'news@shop.test' },
  unsubscribe_url: 'https://okaeri.test/u/token',
  preferences_url: 'https://okaeri.test/pages/preferences?token=x',
}

/** The HTML as it is sent to a recipient. */
function sent(html: string, to: MessageData = data): string {
  return joined({ subject: '', html, text: '', shared: { store: to.store, sender: to.sender } }, to, 'html')
}
/** What the parts of a mail say to a recipient together. */
function joined(mail: MailToFill, to: MessageData, escape: 'html' | 'text'): string {
  const compiled = compileMail(mail)
  const [filled] = fillMails({ mail, recipients: [to] })
  if ('failure' in compiled || !filled || 'failure' in filled) throw new Error('not filled in')
  const cardOf = (product: MailProduct, card: number): string => {
    const [made] = makeCards({ mail, products: [product] })
    return made && 'texts' in made ? (made.texts[card] ?? '') : ''
  }
  return compiled.parts[escape]
    .map((part) => {
      if (typeof part === 'string') return part
      if ('value' in part) return plainValue(part, to, escape)
      if ('text' in part) return filled.texts[part.text] ?? ''
      const products = to.own_products?.[part.choice] ?? []
      return products.length === 0 ? part.otherwise : products.map((one) => cardOf(one, part.card)).join('')
    })
    .join('')
}
const SCRIPT = /<script|<img[^>]*\bonerror|onclick|javascript:/i

describe('a script hidden by tags', () => {
  test.each([
    '<scr{% comment %}x{% endcomment %}ipt>alert(1)</script>',
    '<scr{% if true %}ipt>alert(1)</scr{% endif %}ipt>',
    '<{% comment %}{% endcomment %}script>alert(1)</script>',
    '<{{ customer.nope }}script>alert(1)</script>',
    '<{% if true %}script{% else %}b{% endif %}>alert(1)</script>',
    '<p on{% if true %}click{% endif %}="alert(1)">x</p>',
    '<p {% if true %}onclick="alert(1)"{% endif %}>x</p>',
    '<p {{ "onclick=alert(1)" }}>x</p>',
    '<p title={{ "x onclick=alert(1)" }}>x</p>',
    '<a href="java{% comment %}{% endcomment %}script:alert(1)">x</a>',
    '<a href="{{ "java" | append: "script:alert(1)" }}">x</a>',
    '<a href="{{ customer.first_name }}">x</a>',
    '<a href="{% if true %}javascript:alert(1){% else %}https://a.test{% endif %}">x</a>',
    '<a href="&#106;ava{{ "script" }}:alert(1)">x</a>',
    '{% if false %}<!--{% endif %}<img src=x onerror=alert(1)>{% if false %}-->{% endif %}',
    '{% if false %}<style>{% endif %}<img src=x onerror=alert(1)>{% if false %}</style>{% endif %}',
    '<!-- a -{% comment %}{% endcomment %}-><img src=x onerror=alert(1)> -->',
    '<b title="{% if false %}"{% endif %} x="><script>alert(1)</script>',
    '<sty{% comment %}{% endcomment %}le><img src=x onerror=alert(1)></style>',
    '<svg><style><img src=x onerror=alert(1)></style></svg>',
    '<<script></script>img src=x onerror=alert(1)>',
    '<<<script></script><script></script>script>alert(1)</script>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  ])('is in no mail: %s', (html) => {
    const to = { ...data, customer: { ...data.customer, first_name: 'javascript:alert(1)' } }
    expect(sent(html, to)).not.toMatch(SCRIPT)
    const rendered = compileTemplate(html, 'html').render(to, new Work(SENDING_STEPS))
    expect(withoutScripts(rendered).html).not.toMatch(SCRIPT)
  })

  test('made to outlast every pass loses its brackets', () => {
    // Each pass leaves one script fewer around the next.
    let scripts = '<script></script>'
    for (let pass = 1; pass < 30; pass += 1) scripts = `<${scripts}script></script>`
    const html = `<${scripts}img src=x onerror=alert(1)>`
    expect(withoutScripts(html).html).not.toMatch(/<img/)
  })
})

const SEGMENT = '0197a3f0-0000-7000-8000-000000000001'
const PRODUCT = '0197a3f0-0000-7000-8000-000000000002'
const product: MailProduct = {
  id: '7000001',
  title: '',
  price: '¥4,800',
  url: 'https://shop.test/products/shirt',
  image_url: 'https://cdn.test/shirt.jpg',
  stock: '5',
  vendor: '',
  is_sold_out: false,
}

describe('a mail that can hold none, whatever its values are,', () => {
  test.each([
    '<p>{{ customer.name }}</p>',
    '<p title="{{ customer.name }}">{% if customer.name %}<b>x</b>{% else %}y{% endif %}</p>',
    '<td style="color:{% if customer.tags %}red{% else %}blue{% endif %}">x</td>',
    '<a href="{{ unsubscribe_url }}">x</a><a href="https://a.test/?q={{ customer.email }}">y</a>',
    '<ul>{% for line in event.lines %}<li>{{ line.title }}</li>{% endfor %}</ul><img src="{{ event.product_image_url }}">',
    '<style>p{color:{% if customer.tags %}red{% endif %}}</style>',
    '<!-- {{ customer.name }} -->',
    `{% product "${PRODUCT}" %}<p>{{ product.title }}</p><img src="{{ product.image_url }}" alt="">{% endproduct %}`,
    `{% only_for "${SEGMENT}" %}<p>x</p>{% else %}<p>y</p>{% endonly_for %}`,
    // A tracked link to a product that a rule chose.
    `{% products_by "favorites" %}<a href="${linkMarker(0)}?p={{ product.id }}">{{ product.title }}</a>{% endproducts_by %}`,
  ])('is not looked at for each recipient: %s', (html) => expect(isFreeOfScripts(html)).toBe(true))

  const piece = fc.constantFrom(
    '<a href="',
    '">',
    '</a>',
    '<p title="',
    '<p ',
    '>',
    '<',
    '"',
    "'",
    '<!--',
    '-->',
    '-',
    '!',
    '<style>',
    '</style>',
    '<textarea>',
    '</textarea>',
    '<svg>',
    '<script>',
    '</script>',
    'script',
    'onclick=x',
    'javascript:',
    'https:',
    ' ',
    'x',
    '=',
    '/',
    '<img src=x onerror=y>',
    '{{ customer.name }}',
    '{% if customer.name %}',
    '{% if customer.nope %}',
    '{% else %}',
    '{% endif %}',
    '{% comment %}',
    '{% endcomment %}',
    `{% only_for "${SEGMENT}" %}`,
    '{% endonly_for %}',
    `{% product "${PRODUCT}" %}`,
    '{{ product.title }}',
    '{{ product.url }}',
    '{% endproduct %}',
  )
  const names = fc.constantFrom('', 'x', '"><script>', 'javascript:x', ' onclick=x ', '--', '<!--')

  test('has none in any rendering, by whatever it is made of', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), names, (pieces, name) => {
        const html = pieces.join('')
        let rendered: string
        try {
          rendered = compileTemplate(html, 'html').render(
            {
              ...data,
              customer: { ...data.customer, name },
              memberships: { [SEGMENT]: name !== '' },
              products: { [PRODUCT]: { ...product, title: name } },
            },
            new Work(SENDING_STEPS),
          )
        } catch {
          // Broken: nothing of it is sent.
          return
        }
        if (isFreeOfScripts(html)) expect(withoutScripts(rendered)).toEqual({ html: rendered, removed: [] })
        expect(withoutScripts(withoutScripts(rendered).html).removed).toEqual([])
      }),
      { numRuns: 3000 },
    )
  })
})

test('values looked up and values filled in by the engine are the same, whatever they are', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constantFrom('<b>', '\u0001L0\u0001', 'a\r\nb', '&amp;', '様'),
  )
  const path = fc.constantFrom(
    'customer.name',
    'customer.email',
    'store.name',
    'event.total',
    'coupon.code',
    'unsubscribe_url',
    'customer.nope',
    'event.lines',
  )
  const text = fc.constantFrom('', ' ', 'x', '<p>', '\n')
  const otherwise = fc.constantFrom('', ' | default: "<b>お客様"', " | default:''")
  fc.assert(
    fc.property(fc.array(fc.tuple(text, path, otherwise), { minLength: 1, maxLength: 6 }), value, (places, said) => {
      const to: MessageData = {
        ...data,
        customer: { ...data.customer, name: said, email: said },
        store: { ...data.store, name: said },
        event: { ...data.event, total: said },
        coupon: { ...data.coupon, code: said },
        unsubscribe_url: said,
      }
      const plain = places.map(([before, name, otherwise]) => `${before}{{ ${name}${otherwise} }}`).join('')
      // The same to say, but not plain: the engine says it.
      const engine = places
        .map(([before, name, otherwise]) => `${before}{{ ${name}${otherwise} | append: "" }}`)
        .join('')
      for (const escape of ['html', 'text'] as const) {
        const [one, other] = [plain, engine].map((source) =>
          compileTemplate(source, escape).render(to, new Work(SENDING_STEPS)),
        )
        expect(one).toBe(other)
      }
    }),
  )
})

test('blocks that are the same for everybody are filled in once, those for members for each, as the engine fills the whole', () => {
  const shown = fc.constantFrom(
    'x',
    `{% product "${PRODUCT}" %}{{ product.title }} {{ product.price }}{% endproduct %}`,
    `{% only_for "${SEGMENT}" %}{{ customer.name }}{% else %}-{% endonly_for %}`,
    `{% except_for "${SEGMENT}" %}{{ customer.name }}{% endexcept_for %}`,
    '{% products_by "new" %}{{ product.title }}{{ customer.name }}{% break %}{% else %}-{% endproducts_by %}',
    '{% products_by "favorites" %}{{ product.title }}{% if product.is_sold_out %}!{% endif %}{% else %}<b>{% endproducts_by %}',
    '{% products_by "favorites" %}{{ product.title }}{{ customer.name }}{% else %}-{% endproducts_by %}',
    `{% only_for "${SEGMENT}" %}{% product "${PRODUCT}" %}{{ product.title }}{{ customer.name }}{% endproduct %}{% endonly_for %}`,
    `{% product "${PRODUCT}" %}{{ customer.name }}{% only_for "${SEGMENT}" %}{{ product.stock }}{% endonly_for %}{% endproduct %}`,
  )
  const OWN = 'favorites 3 nothing false'
  const memberships = fc.constantFrom<Record<string, boolean>>({}, { [SEGMENT]: true }, { [SEGMENT]: false })
  fc.assert(
    fc.property(
      fc.array(shown, { maxLength: 5 }),
      memberships,
      fc.string(),
      fc.boolean(),
      (pieces, memberships, title, isSold) => {
        const html = pieces.join('')
        const products: Record<string, MailProduct> = isSold ? { [PRODUCT]: { ...product, title } } : {}
        const own = products[PRODUCT]
        const own_products: ProductLists = own ? { [OWN]: [own, { ...own, id: '2', is_sold_out: true }] } : {}
        const to = { ...data, memberships, own_products, products }
        const mail = { subject: '', html, text: html, shared: { store: to.store, sender: to.sender, products } }
        for (const escape of ['html', 'text'] as const)
          expect(joined(mail, to, escape)).toBe(compileTemplate(html, escape).render(to, new Work(SENDING_STEPS)))
        const compiled = compileMail(mail)
        if (!('parts' in compiled)) throw new Error('it can be filled in')
        if (!html.includes('only_for') && !html.includes('customer'))
          expect(compiled.parts.html.every((part) => typeof part === 'string' || 'card' in part)).toBe(true)
      },
    ),
  )
})
