import { NO_PARAMETERS } from '@okaeri/contract/campaigns/campaign'
import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ContentToPrepare, prepareContent } from './content.ts'
import { NO_EVENT } from './data/event-data.ts'
import { examineMail } from './checks/examination.ts'
import * as liquid from './liquid.ts'
import { customerData, exampleCustomer, greeting, type MessageData } from './data/message-data.ts'
import { type Escape, linkMarker, MARKERS, oneLine, OPEN_MARKER } from './parts.ts'
import { TemplateError } from './checks/template-error.ts'
import { SENDING_STEPS, Work } from './work.ts'

function compileTemplate(source: string, escape: Escape) {
  const { parts, render } = liquid.compileTemplate(source, escape)
  return { parts, render: (shown: MessageData) => render(shown, new Work(SENDING_STEPS)) }
}

const data: MessageData = {
  ...NO_EVENT,
  customer: customerData(exampleCustomer.ja, 'ja'),
  store: {
    name: 'おかえり商店',
    url: 'https://shop.test',
    postal_address: '東京都渋谷区1-2-3',
    contact_email: 'staff@shop.test',
    contact_phone: '',
  },
  sender: { name: 'おかえり商店', email: 'news@shop.test' },
  unsubscribe_url: 'https://okaeri.test/u/token',
  preferences_url: 'https://okaeri.test/pages/preferences?token=x',
}
const named = (customer: Partial<MessageData['customer']>): MessageData => ({
  ...data,
  customer: { ...data.customer, ...customer },
})

const prepare = (html: string, options: Partial<ContentToPrepare> = {}) =>
  prepareContent({
    html,
    subject: 'お知らせ',
    preheader: '',
    trackingEnabled: true,
    trackingParameters: NO_PARAMETERS,
    contentId: 'mail-1',
    ...options,
  })
const examine = (content: string, options: Partial<Parameters<typeof examineMail>[0]> = {}) =>
  examineMail({
    subject: 'お知らせ',
    preheader: '',
    content,
    trackingEnabled: true,
    trackingParameters: NO_PARAMETERS,
    contentId: 'mail-1',
    inCampaign: false,
    metafields: [],
    data,
    publicUrl: 'https://okaeri.test',
    publicSender: false,
    day: '2026-05-01',
    ...options,
  })
const untracked = (html: string, options: Partial<ContentToPrepare> = {}) =>
  prepare(html, { trackingEnabled: false, ...options })
const codes = (prepared: { findings: { code: string }[] }) => prepared.findings.map(({ code }) => code)
const utm = 'utm_source=okaeri&utm_medium=email&utm_content=mail-1'

describe('a template', () => {
  test('keeps what is the same for everyone apart from what differs', () => {
    const { parts, render } = compileTemplate(
      '<b>{{ customer.greeting }}</b>{% if customer.tags contains "VIP" %}♥{% endif %}!',
      'html',
    )
    expect(parts.map((part) => typeof part)).toEqual(['string', 'object', 'string', 'object', 'string'])
    expect(render(data)).toBe('<b>山田 様</b>♥!')
  })

  test('that remembers something between its tags is filled in as a whole', () => {
    const { parts, render } = compileTemplate(
      '{% assign who = customer.name %}a{{ who }}{% cycle "x","y" %}{% cycle "x","y" %}',
      'html',
    )
    expect(parts).toHaveLength(1)
    expect(render(data)).toBe('a山田 花子xy')
  })

  test.each([
    '{{ customer.name }}',
    '{{ customer.name | upcase | downcase }}',
    '{% echo customer.name %}',
    '{% cycle customer.name %}',
    '{% if true %}{{ customer.name }}{% endif %}',
  ])('lets no value carry HTML: %s', (source) => {
    expect(compileTemplate(source, 'html').render(named({ name: `<i a="b">'&` }))).toBe(
      '&lt;i a=&#34;b&#34;&gt;&#39;&amp;',
    )
  })

  test('escapes once where the author escaped already, and not at all in text', () => {
    expect(compileTemplate('{{ customer.name | escape }}', 'html').render(named({ name: '<' }))).toBe('&lt;')
    expect(compileTemplate('{{ customer.name }}', 'text').render(named({ name: '<&' }))).toBe('<&')
  })

  test('lets no value forge a link marker', () => {
    const forged = named({ name: linkMarker(0) })
    for (const source of [
      '{{ customer.name }}',
      '{{ customer.name | append: "" }}',
      '{% assign a = customer.name %}{{ a }}',
    ])
      expect(compileTemplate(source, 'html').render(forged)).toBe('L0')
  })

  test('renders what does not exist as nothing', () => {
    expect(
      compileTemplate('[{{ customer.nope }}{{ a.b.c }}{{ customer }}{{ customer.constructor }}]', 'html').render(data),
    ).toBe('[]')
  })

  test('that is broken says where', () => {
    const broken = (source: string): TemplateError => {
      try {
        compileTemplate(source, 'html')
      } catch (error) {
        if (error instanceof TemplateError) return error
      }
      throw new Error('not broken')
    }
    expect(broken('a\nb\n{% fi %}')).toMatchObject({ line: 3, message: 'tag "fi" not found' })
    expect(broken('{{ customer.name')).toMatchObject({ line: 1 })
    expect(broken('\n{{ a | nope }}')).toMatchObject({ line: 2, message: 'undefined filter: nope' })
    for (const tag of ['include "x"', 'render "x"', 'layout "x"', 'liquid x'])
      expect(broken(`{% ${tag} %}`).message).toMatch(/not found/)
  })

  test('is at fault for whatever the engine throws, whether or not it says where', () => {
    const fail = (): never => {
      throw new Error('odd')
    }
    const nodes = [{ render: fail, arguments: fail }] as never
    const { renderNodes, groupsRead } = liquid.compileTemplate('x', 'html')
    expect(() => renderNodes(nodes, {}, new Work(SENDING_STEPS))).toThrow(TemplateError)
    expect(() => groupsRead(nodes)).toThrow(TemplateError)
  })

  test.each([
    ['a loop over a hundred million', '{% for i in (1..100000000) %}x{% endfor %}'],
    ['loops in loops', '{% for i in (1..5000) %}{% for j in (1..5000) %}x{% endfor %}{% endfor %}'],
    ['a text doubled sixty times', `{% assign a = "x" %}${'{% assign a = a | append: a %}'.repeat(60)}{{ a }}`],
    ['a large block in a loop', `{% for i in (1..100000) %}${'x'.repeat(100_000)}{% endfor %}`],
    ['a thousand conditions in each other', '{% if a %}'.repeat(100_000)],
    ['a million open brackets', '{{'.repeat(500_000)],
    ['a tag of a million letters', `{% if a ${'and a '.repeat(160_000)}%}{% endif %}`],
    ['a hundred thousand tags', '{{ customer.name }}'.repeat(50_000)],
  ])('made to hang us is stopped: %s', (_, source) => {
    expect(() => compileTemplate(source, 'html').render(data)).toThrow(TemplateError)
  })

  test('costs the same on every machine, at every time', () => {
    const { render } = liquid.compileTemplate('{% for i in (1..20) %}{{ customer.name | upcase }}{% endfor %}', 'html')
    const costs = [1, 2, 3].map(() => {
      const work = new Work(SENDING_STEPS)
      render(data, work)
      return work.steps
    })
    expect(new Set(costs).size).toBe(1)
    expect(costs[0]).toBeGreaterThan(40)
  })

  test('a rendered subject is one line, whatever a customer is called', () => {
    const subject = compileTemplate('{{ customer.name }}さんへ', 'text').render(
      named({ name: 'A\r\nBcc: x@y.test\u0000\u2028' }),
    )
    expect(oneLine(subject)).toBe('A Bcc: x@y.test さんへ')
  })
})

describe('a greeting', () => {
  test.each([
    [{ last_name: '山田', first_name: '花子' }, '山田 様', '花子'],
    [{ last_name: null, first_name: '山田\u3000花子' }, '山田 花子 様', '山田 花子'],
    [{ last_name: '山田様', first_name: '' }, '山田 様', '山田'],
    [{ last_name: '山田 様 様', first_name: null }, '山田 様', '山田'],
    [{ last_name: 'Smith', first_name: 'John' }, 'John Smith 様', 'John'],
    [{ last_name: '\u3000', first_name: ' ' }, 'お客様', 'Customer'],
    [{ last_name: null, first_name: 'お客様' }, 'お客様', 'お客'],
    [{ last_name: 'A\r\nB', first_name: null }, 'A B 様', 'A B'],
  ])('%j', (name, ja, en) => {
    expect([greeting(name, 'ja'), greeting(name, 'en')]).toEqual([ja, en])
  })
})

test('a name of a megabyte is greeted at once', () => {
  const endless = `${'さん様'.repeat(300_000)}x`
  expect(greeting({ last_name: endless, first_name: null }, 'ja')).toBe(`${endless} 様`)
  expect(customerData({ ...exampleCustomer.ja, last_name: '様'.repeat(500_000) }, 'ja').last_name).toBe('')
})

test('a name is shown in the order of the language, without the 様 a template adds itself', () => {
  const someone = { ...exampleCustomer.ja, last_name: '山田様' }
  expect(customerData(someone, 'ja')).toMatchObject({ name: '山田 花子', last_name: '山田', greeting: '山田 様' })
  expect(customerData({ ...someone, first_name: null, last_name: null }, 'ja').name).toBe('花子 山田')
  expect(customerData(exampleCustomer.en, 'ja').name).toBe('Hanako Yamada')
})

describe('the links of a mail', () => {
  test('get the tracking parameters, and keep what they say themselves', () => {
    const target = (href: string, parameters = {}) =>
      prepare(`<a href="${href}">x</a>`, {
        trackingParameters: { ...NO_PARAMETERS, ...parameters },
      }).links[0]
    expect(target('https://a.test/b')).toBe(`https://a.test/b?${utm}`)
    expect(target('https://a.test/b?c=1&amp;d=%E3%81%82#e?f')).toBe(`https://a.test/b?c=1&d=%E3%81%82&${utm}#e?f`)
    expect(target('https://a.test/?utm_source=mine&utm_content=mine')).toBe(
      'https://a.test/?utm_source=mine&utm_medium=email&utm_content=mail-1',
    )
    expect(target('https://a.test/?', { source: '春 夏', campaign: 'sale' })).toBe(
      'https://a.test/?utm_source=%E6%98%A5%20%E5%A4%8F&utm_medium=email&utm_campaign=sale&utm_content=mail-1',
    )
  })

  test('are replaced by markers when measured, and only completed when not', () => {
    const html = '<p><A class=x HREF=https://a.test/?a=1&amp;b=2>見る</A></p>'
    expect(prepare(html).html).toBe(`<p><A class=x HREF=${linkMarker(0)}>見る</A></p>${pixel}`)
    expect(untracked(html)).toMatchObject({
      html: `<p><A class=x HREF=https://a.test/?a=1&amp;b=2&amp;${utm.replaceAll('&', '&amp;')}>見る</A></p>`,
      links: [],
    })
  })

  test.each([
    '{{ unsubscribe_url }}',
    'mailto:a@b.test',
    'tel:0312345678',
    '#top',
    'https://a.test/?q={{ customer.email }}',
    '{% if customer.name %}https://a.test{% endif %}',
  ])('that are no web address of ours to count stay: %s', (href) => {
    const prepared = prepare(`<a href="${href}">x</a>`)
    expect(prepared.html).toBe(`<a href="${href}">x</a>${pixel}`)
    expect(codes(prepared).filter((code) => code !== 'no_unsubscribe_link')).toEqual([])
  })

  test('are read around Liquid, line ends and emoji', () => {
    const prepared = prepare(
      '😀\r\n<!-- <a href="https://no.test"> --><a {% if a > "b" %}href="https://a.test/"{% endif %}>1</a>\r\n{{ "<a href=\'https://no.test\'>" }}<area href=\'https://b.test/\'>',
    )
    expect(prepared.links).toEqual([`https://a.test/?${utm}`, `https://b.test/?${utm}`])
    expect(prepared.html).toContain(`href="${linkMarker(0)}"{% endif %}>1</a>\r\n{{ "<a href='https://no.test'>" }}`)
  })

  test('that lead nowhere or travel unprotected are found', () => {
    const prepared = prepare(
      '<a href="">1</a><a href="#">2</a><a href="/shop">3</a><a href="http://a.test/">4</a><a href="https://">5</a>',
    )
    expect(prepared.findings.filter(({ code }) => code === 'links_to_nowhere').map(({ detail }) => detail)).toEqual([
      '',
      '#',
      '/shop',
      'https://',
    ])
    expect(codes(prepared)).toContain('insecure_link')
  })

  test('to this machine itself travel nowhere', () => {
    const prepared = prepare('<a href="http://127.0.0.1:3001/stores/a">1</a><a href="http://localhost/">2</a>')
    expect(codes(prepared)).not.toContain('insecure_link')
  })
})

const pixel = `<img src="${OPEN_MARKER}" width="1" height="1" alt="" style="display:block;border:0;width:1px;height:1px">`

describe('what is sent', () => {
  test('has the preheader first and the pixel last', () => {
    const { html, text } = prepare(
      '<!doctype html><html><head><title>t</title></head><body class="a">本文</body></html>',
      {
        preheader: '先 < {{ customer.name }}',
      },
    )
    expect(html).toMatch(/<body class="a"><div style="display:none[^>]*>先 &lt; \{\{ customer\.name \}\}/)
    expect(html).toContain(`本文${pixel}</body>`)
    expect(text).toBe('本文')
  })

  test('has no scripts, handlers or script addresses; structured data stays', () => {
    const prepared = prepare(
      '<p onclick="a()" class="x">1</p><script>var a = "<a href=https://no.test>"</script><a href="java\nscript:a()">2</a><img alt="" src=x onerror=a()><script type="application/ld+json">{}</script><svg onload=a()>',
    )
    expect(prepared.html).toBe(
      `<p class="x">1</p><a>2</a><img alt="" src=x><script type="application/ld+json">{}</script><svg>${pixel}`,
    )
    expect(prepared.links).toEqual([])
    expect(codes(prepared)).toContain('script_removed')
  })

  test('has a plain text with the same links, values and conditions', () => {
    const { text } = prepare(
      `<h1>セール</h1><table><tr><td>こんにちは、{{ customer.greeting }}。${'とても長い文。'.repeat(40)}</td></tr></table>{% if customer.tags contains "VIP" %}<p><a href="https://a.test/"><img src="i.png" alt="限定"></a></p>{% endif %}<p>{{ unsubscribe_url }} <a href="{{ unsubscribe_url }}">配信停止</a></p>`,
    )
    const rendered = compileTemplate(text, 'text').render(data)
    expect(rendered.split('\n')[0]).toBe('セール')
    expect(rendered).toContain(`こんにちは、山田 様。${'とても長い文。'.repeat(40)}\n`)
    expect(rendered).toContain(`限定 ( ${linkMarker(0)} )`)
    expect(rendered).toContain('https://okaeri.test/u/token 配信停止 ( https://okaeri.test/u/token )')
  })

  test('stays readable as text when a condition stands where text has no place for it', () => {
    const { text } = prepare('{% if a %}<style>b{}{% endif %}</style>本文 {{ customer.name }}')
    expect(text).toBe('本文 {{ customer.name }}')
  })
})

describe('whatever is typed', () => {
  const piece = fc.constantFrom(
    '<a href="https://a.test/?b=1#c">',
    '</a>',
    '<p>',
    "<img src='x'>",
    '{{ customer.name }}',
    '{% if customer.name %}',
    '{% endif %}',
    '{% product "0197a3f0-0000-7000-8000-000000000001" %}',
    '{% endproduct %}',
    '{% only_for "0197a3f0-0000-7000-8000-000000000002" %}',
    '{% endonly_for %}',
    '{{',
    '%}',
    '<!--',
    '-->',
    '<script>',
    '</script>',
    '<',
    '>',
    '"',
    "'",
    '=',
    'href',
    ' ',
    '\r\n',
    '😀',
    'あ',
    '\u0001',
    '<body>',
    '</body>',
    '<style>',
    '</style>',
    '&amp;',
    'onclick=x',
  )
  const typed = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))

  test('without a link, a script or tracking is sent as it was typed', () => {
    fc.assert(
      fc.property(typed, (html) => {
        const prepared = untracked(html)
        if (!codes(prepared).includes('script_removed') && !html.includes('https:'))
          expect(prepared.html).toBe(html.replaceAll('\u0001', ''))
      }),
    )
  })

  test('has one marker for each link, and comes back when they are put in place again', () => {
    fc.assert(
      fc.property(typed, (html) => {
        const { html: sent, links, findings } = prepare(html)
        const positions = [...sent.matchAll(MARKERS)].flatMap(([, position]) =>
          position === undefined ? [] : [Number(position)],
        )
        expect(positions).toEqual(links.map((_, position) => position))
        if (findings.some(({ code }) => code === 'script_removed')) return
        const back = sent.replace(pixel, '').replace(MARKERS, 'https://a.test/?b=1#c')
        expect(back).toBe(html.replaceAll('\u0001', ''))
      }),
    )
  })

  test.each([
    ['divs', '<div>'],
    ['links in links', '<a>'],
    ['badly closed', '<b><p></i>'],
    ['tables in tables', '<table><tr><td>'],
    ['brackets', '<'],
    ['comments', '<!--'],
    ['Liquid', '{{ " '],
    ['links', '<a href="https://a.test">x</a>'],
    ['handlers', '<a onclick=x>'],
    ['tags that are none', '{% raw %}{%{% endraw %}'],
    ['blanks', ' '],
  ])('a megabyte of it is prepared at once: %s', (_, some) => {
    expect(prepare(some.repeat(Math.floor(1_000_000 / some.length))).html.length).toBeGreaterThan(0)
  })
})

const folder = path.join(import.meta.dirname, '../../../../../shared/reference/emails')
const files = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.html')) : []
describe.runIf(files.length > 0)('templates found in the wild', () => {
  test.each(files)('%s changes only where its links are', (name) => {
    const html = fs.readFileSync(path.join(folder, name), 'utf8')
    const prepared = prepare(html)
    expect(codes(prepared)).not.toContain('script_removed')
    const hrefs = [...html.matchAll(/<a\s[^>]*?href="(https?:[^"{]*)"/g)].map(([, href]) => href)
    expect(prepared.links.map((link) => link.split('?')[0])).toEqual(hrefs)
    let next = 0
    const back = prepared.html.replace(pixel, '').replace(MARKERS, () => hrefs[next++] ?? '')
    expect(back).toBe(html)
  })
})

describe('the check before sending', () => {
  const footer =
    '<p>{{ store.name }} {{ store.postal_address }} {{ store.contact_email }} <a href="{{ unsubscribe_url }}">配信停止</a></p>'
  const check = (html: string, changes: Partial<MessageData> = {}, subject = 'お知らせ') => {
    const shown = { ...data, ...changes }
    return examine(html, {
      subject,
      data: shown,
      publicSender: shown.sender.email.endsWith('@gmail.com'),
    }).findings.map(({ code }) => code)
  }

  test('finds nothing in a mail that has all the law asks for', () => {
    expect(check(`<p>本文</p>${footer}`)).toEqual([])
    expect(
      check('<p>おかえり商店 東京都渋谷区１－２－３ 電話 03-1234-5678 <a href="{{ unsubscribe_url }}">停止</a></p>'),
    ).toEqual([])
  })

  test('names everything that is missing', () => {
    expect(check('<p>本文</p>')).toEqual(['no_unsubscribe_link', 'no_postal_address', 'no_contact', 'no_sender_name'])
    expect(check('', {}, '{{ customer.nope }}')).toEqual(
      expect.arrayContaining(['unknown_tag', 'no_subject', 'no_content']),
    )
    expect(check(footer, { store: { ...data.store, postal_address: '' } })).toEqual(['no_postal_address'])
    expect(check(footer, { sender: { name: '', email: '' } })).toEqual(['no_sender_name', 'sender_missing'])
    expect(check(footer, { sender: { name: 'x', email: 'x@gmail.com' } })).toEqual(['sender_domain_public'])
  })

  test('does not count what is hidden', () => {
    expect(check(`<p>本文</p><div style="display: none">${footer}</div>`)).toContain('no_postal_address')
  })

  test('measures the final bytes, links as long as they will be', () => {
    const link = '<a href="https://a.test/">x</a>'
    const prepared = prepare(link)
    const final = prepared.html
      .replace(linkMarker(0), `https://okaeri.test/c/${'x'.repeat(56)}-0`)
      .replace(OPEN_MARKER, `https://okaeri.test/o/${'x'.repeat(56)}.gif`)
    expect(examine(link).sizeBytes).toBe(Buffer.byteLength(final))
    expect(check(footer + 'あ'.repeat(31_000))).toEqual(['size_near_clipping'])
    expect(check(footer + 'あ'.repeat(35_000))).toEqual(['size_clipped'])
  })
})
