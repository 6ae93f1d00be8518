import { NO_PARAMETERS } from '@okaeri/contract/campaigns/campaign'
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { createKeyring } from '../../../kernel/keyring.ts'
import { generateSecrets } from '../../../kernel/secrets-file.ts'
import { makeTokens, makeLinkToken, readBounceToken, readLinkToken } from '../../deliveries/index.ts'
import { prepareContent } from '../../email-rendering/content.ts'
import { compileMail, fillMails } from '../../email-rendering/filling.ts'
import { customerData, exampleCustomer, NO_EVENT } from '../../email-rendering/index.ts'
import { compileMessage, type Recipient } from './composing.ts'
import {
  base64Writer,
  headerMailbox,
  headerText,
  type PartWriter,
  type Piece,
  quotedPrintable,
  quotedPrintableWriter,
} from './encoding.ts'

const keyring = createKeyring(generateSecrets())
const PUBLIC_URL = 'https://okaeri.example'
const at = new Date('2026-11-20T01:02:03Z')

function recipient(over: Partial<Recipient> = {}): Recipient {
  const deliveryId = newId()
  const named = { merchantId: newId(), deliveryId }
  const token = makeLinkToken(keyring, named)
  return {
    deliveryId,
    token,
    bounceToken: makeTokens(keyring, named).bounceToken,
    to: ['hanako@example.com'],
    intendedFor: null,
    data: {
      ...NO_EVENT,
      customer: customerData(exampleCustomer.ja, 'ja'),
      store: {
        name: 'おかえり商店',
        url: 'https://shop.example',
        postal_address: '東京都',
        contact_email: 'a@shop.example',
        contact_phone: '',
      },
      sender: { name: 'おかえり商店', email: 'news@shop.example' },
      unsubscribe_url: `${PUBLIC_URL}/u/${token}`,
      preferences_url: 'https://okaeri.test/pages/preferences?token=x',
    },
    texts: [],
    chosen: {},
    ...over,
  }
}

const html = `<html><body><p>{{ customer.greeting }}</p><p>${'春の新作が届きました。'.repeat(40)}</p>
<a href="https://shop.example/a?x=1&amp;y=2">見る</a> <a href="https://shop.example/b">B</a>
{% if customer.tags contains "VIP" %}<a href="https://shop.example/vip">VIP</a>{% endif %}
.dot at the start of a line
<a href="{{ unsubscribe_url }}">配信停止</a></body></html>`

function compile(source = html, subject = '{{ customer.last_name }}様へ、春のお知らせ🌸') {
  const prepared = prepareContent({
    html: source,
    subject,
    preheader: 'ごあんない',
    trackingEnabled: true,
    trackingParameters: NO_PARAMETERS,
    contentId: 'c1',
  })
  const message = {
    id: newId(),
    fromName: 'おかえり商店、"本店"',
    fromEmail: 'news@shop.example',
    replyTo: 'reply@shop.example',
  }
  const { store, sender } = recipient().data
  const mail = { subject, html: prepared.html, text: prepared.text, shared: { store, sender } }
  const compiled = compileMail(mail)
  if ('failure' in compiled) throw new Error(compiled.failure.message)
  const filledIn = compileMessage(message, compiled.parts, { publicUrl: PUBLIC_URL, language: 'ja' })
  const compose = (to: Recipient, when: Date) => {
    const [filled] = fillMails({ mail, recipients: [to.data] })
    if (!filled || 'failure' in filled) throw new Error('not filled in')
    return filledIn({ ...to, texts: filled.texts }, when).bytes
  }
  return { compose, links: prepared.links }
}

test('a mail carries each recipient’s own links, both parts, and the headers a mailbox asks for', async () => {
  const { compose, links } = compile()
  const to = recipient()
  const raw = compose(to, at)
  const mail = await PostalMime.parse(raw)
  expect(mail.from).toEqual({ name: 'おかえり商店、"本店"', address: 'news@shop.example' })
  expect(mail.subject).toBe('山田様へ、春のお知らせ🌸')
  expect(mail.messageId).toBe(`<${to.bounceToken}@shop.example>`)
  expect(mail.headers.filter(({ key }) => key === 'list-unsubscribe')).toEqual([
    expect.objectContaining({ value: `<${PUBLIC_URL}/u/${to.token}>` }),
  ])
  expect(mail.headers.find(({ key }) => key === 'list-unsubscribe-post')?.value).toBe('List-Unsubscribe=One-Click')
  expect(mail.html).toContain('山田 様')
  expect(mail.html).toContain(`${PUBLIC_URL}/c/${to.token}-0`)
  expect(mail.html).toContain(`${PUBLIC_URL}/o/${to.token}.gif`)
  expect(mail.html).toContain('.dot at the start of a line')
  expect(mail.html).not.toContain('\u0001')
  expect(mail.text).toContain(`${PUBLIC_URL}/c/${to.token}-2`)
  expect(mail.text).not.toContain('\u0001')
  expect(links).toHaveLength(3)
})

test('no line of a mail is longer than 78 characters or begins with a dot, and all end with CRLF', () => {
  const raw = compile().compose(recipient(), at).toString('latin1')
  expect(raw.endsWith('\r\n')).toBe(true)
  for (const line of raw.split('\r\n')) {
    // An address in a header cannot be folded, and an id that is folded is not found by all who look for it.
    if (!/^(?:List-Unsubscribe|Message-ID):/.test(line)) expect(line.length, line).toBeLessThanOrEqual(78)
    expect(line.startsWith('.')).toBe(false)
    expect(line).not.toMatch(/[\r\n\u0080-\u00ff]/)
  }
})

test('a name with line breaks forges no header', async () => {
  const { compose } = compile(html, 'Hi {{ customer.last_name }}')
  const to = recipient()
  const data = { ...to.data, customer: { ...to.data.customer, last_name: 'x\r\nBcc: victim@example.com' } }
  const mail = await PostalMime.parse(compose({ ...to, data }, at))
  expect(mail.bcc ?? []).toEqual([])
  expect(mail.subject).toContain('Bcc: victim')
})

test('in test mode the subject says who it was for, and the mail goes to the test addresses', async () => {
  const mail = await PostalMime.parse(
    compile().compose(recipient({ intendedFor: 'hanako@example.com', to: ['a@shop.example', 'b@shop.example'] }), at),
  )
  expect(mail.subject).toMatch(/^\[テスト: hanako@example.com 宛\] 山田様/)
  expect(mail.to?.map(({ address }) => address)).toEqual(['a@shop.example', 'b@shop.example'])
})

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.stringMatching(/^[ .=\r\n\tあaé-]*$/),
)
function bytesOf<Data>(writePart: PartWriter<Data>, data: Data): Buffer {
  const wire: Buffer[] = []
  writePart(data, { wire, signed: null })
  return Buffer.concat(wire)
}
const crlf = (text: string) => text.replace(/\r\n|\r|\n/g, '\r\n')
const decodeQp = (encoded: string): string =>
  Buffer.from(
    encoded
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

test('whatever is written comes out again: quoted-printable', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const given = crlf(text.toWellFormed())
      const encoded = quotedPrintable(given)
      expect(decodeQp(encoded)).toBe(given)
      for (const line of encoded.split('\r\n')) expect(line).toMatch(/^(?!\.)[\x20-\x7e\t]{0,76}$/)
    }),
  )
})

test('whatever is filled in where, both encodings give the same text', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), anyText), { maxLength: 12 }), (parts) => {
      const well = parts.map(([dynamic, text]) => [dynamic, crlf(text.toWellFormed())] as const)
      // A CR at the end of one piece and an LF at the start of the next would become one line end.
      fc.pre(well.every(([, text], i) => !(text.endsWith('\r') && well[i + 1]?.[1].startsWith('\n'))))
      const whole = well.map(([, text]) => text).join('')
      const pieces = well.map(([dynamic, text]): Piece<null> => (dynamic ? () => text : Buffer.from(text)))
      const base64 = bytesOf(base64Writer(pieces), null)
      expect(Buffer.from(base64.toString('latin1').replaceAll('\r\n', ''), 'base64').toString('utf8')).toBe(whole)
      const out = bytesOf(quotedPrintableWriter(pieces), null).toString('latin1')
      expect(decodeQp(out)).toBe(`${whole}\r\n`)
      for (const line of out.split('\r\n')) expect(line).toMatch(/^(?!\.).{0,76}$/)
    }),
  )
})

interface Values {
  name: string
  token: string
}

test('one mail after another says what is its own, in each place', () => {
  const values = fc.oneof(anyText, fc.constantFrom('', 'same', '山田 様'))
  const mail = fc.record({ name: values, token: values })
  fc.assert(
    fc.property(fc.array(mail, { minLength: 2, maxLength: 8 }), (mails) => {
      const nameOf = ({ name }: Values) => name.toWellFormed()
      const tokenOf = ({ token }: Values) => token.toWellFormed()
      const pieces: Piece<Values>[] = [
        Buffer.from('<'),
        nameOf,
        Buffer.from('|'),
        tokenOf,
        Buffer.from('|'),
        tokenOf,
        Buffer.from('>'),
      ]
      const [quoted, base64] = [quotedPrintableWriter(pieces), base64Writer(pieces)]
      for (const one of mails) {
        const [name, token] = [crlf(nameOf(one)), crlf(tokenOf(one))]
        expect(decodeQp(bytesOf(quoted, one).toString('latin1'))).toBe(`<${name}|${token}|${token}>\r\n`)
        expect(Buffer.from(bytesOf(base64, one).toString('latin1'), 'base64').toString('utf8')).toBe(
          `<${name}|${token}|${token}>`,
        )
      }
    }),
  )
})

test('of products that were made ready once, each mail shows its own, with its own token', () => {
  const cards = fc.array(fc.tuple(anyText, anyText), { minLength: 1, maxLength: 4 })
  const mails = fc.array(fc.record({ token: anyText, shown: fc.array(fc.nat(), { maxLength: 5 }) }), { maxLength: 6 })
  fc.assert(
    fc.property(cards, mails, (cards, mails) => {
      const products = cards.map(([before, after]) => ({ before: before.toWellFormed(), after: after.toWellFormed() }))
      type Mail = { token: string; shown: (typeof products)[number][] }
      const tokenOf = ({ token }: Mail) => token
      const pieces: Piece<Mail>[] = [
        Buffer.from('<'),
        {
          chosen: ({ shown }) => shown,
          piecesOf(one) {
            const { before, after } = one as (typeof products)[number]
            return [Buffer.from(crlf(before)), tokenOf, Buffer.from(`|${crlf(after)}|`)]
          },
        },
        Buffer.from('>'),
      ]
      const [quoted, base64] = [quotedPrintableWriter(pieces), base64Writer(pieces)]
      for (const { token, shown } of mails) {
        const mail = {
          token: `|${token.toWellFormed()}|`,
          shown: shown.flatMap((at) => products[at % cards.length] ?? []),
        }
        const whole = `<${mail.shown.map(({ before, after }) => `${crlf(before)}${crlf(mail.token)}|${crlf(after)}|`).join('')}>`
        const encoded = bytesOf(quoted, mail).toString('latin1')
        expect(decodeQp(encoded)).toBe(`${whole}\r\n`)
        for (const line of encoded.split('\r\n')) expect(line).toMatch(/^(?!\.).{0,76}$/)
        const plain = bytesOf(base64, mail).toString('latin1').replaceAll('\r\n', '')
        expect(Buffer.from(plain, 'base64').toString('utf8')).toBe(whole)
      }
    }),
  )
})

test('a long Japanese subject is cut between characters', async () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[あ🌸é漢]{1,200}$/u), (text) => {
      const words = headerText(text, 7).split('\r\n ')
      const decoded = words.map((word) =>
        Buffer.from(/^=\?UTF-8\?B\?(.*)\?=$/.exec(word)?.[1] ?? '', 'base64').toString('utf8'),
      )
      expect(decoded.join('')).toBe(text)
      for (const word of words) expect(word.length).toBeLessThanOrEqual(75)
    }),
  )
})

test('whatever the sender is called, the mail is from one address and that name', async () => {
  const long = 'Okaeri Tea Shop, Tokyo (the official one) for our "best" friends'
  const printable = fc.string({ unit: fc.stringMatching(/^[ -~]$/), minLength: 1, maxLength: 100 })
  const names = fc.oneof(
    printable,
    fc.constantFrom(long, 'Shop <a@evil.example>', '=?UTF-8?B?5Lu2?=', `${'A'.repeat(60)};`),
  )
  await fc.assert(
    fc.asyncProperty(names, async (given) => {
      const name = given.trim()
      const mail = await PostalMime.parse(`From: ${headerMailbox(name, 'news@shop.example')}\r\n\r\n`)
      expect(mail.from).toEqual({ name, address: 'news@shop.example' })
    }),
  )
})

test('a return path names its delivery, survives a change of letter case, and cannot be made up', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (merchantId, deliveryId) => {
      const token = makeTokens(keyring, { merchantId, deliveryId }).bounceToken
      expect(`b+${token}`).toMatch(/^[a-z2-7+]{1,64}$/)
      expect(readBounceToken(keyring, token)).toEqual({ merchantId, deliveryId })
      expect(readBounceToken(keyring, token.toUpperCase())).toEqual({ merchantId, deliveryId })
    }),
  )
  const given = { merchantId: newId(), deliveryId: newId() }
  const token = makeTokens(keyring, given).bounceToken
  expect(readBounceToken(createKeyring(generateSecrets()), token)).toBeNull()
  // Of the last digit one bit is used.
  for (let i = 0; i < token.length - 1; i += 1)
    expect(readBounceToken(keyring, token.slice(0, i) + (token[i] === 'a' ? 'b' : 'a') + token.slice(i + 1))).toBeNull()
  for (const wrong of ['', 'x', token.slice(1), `${token}a`, token.replace(/.$/, '1')])
    expect(readBounceToken(keyring, wrong)).toBeNull()
  expect(makeTokens(keyring, given).token).toBe(makeLinkToken(keyring, given))
})

test('a token names its delivery and cannot be made up', () => {
  const given = { merchantId: newId(), deliveryId: newId() }
  const token = makeLinkToken(keyring, given)
  expect(readLinkToken(keyring, token)).toEqual(given)
  const other = createKeyring(generateSecrets())
  expect(readLinkToken(other, token)).toBeNull()
  for (let i = 0; i < token.length; i += 1) {
    const changed = token.slice(0, i) + (token[i] === 'A' ? 'B' : 'A') + token.slice(i + 1)
    expect(readLinkToken(keyring, changed)).toBeNull()
  }
  for (const wrong of ['', 'x', token.slice(1), `${token}A`, '../../etc'])
    expect(readLinkToken(keyring, wrong)).toBeNull()
})
