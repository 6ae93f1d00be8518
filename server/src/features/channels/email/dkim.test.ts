import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createEmail } from '@okaeri/contract/emails/routes'
import { starterKeys } from '@okaeri/contract/emails/starters'
import { requestConfirmation } from '@okaeri/contract/merchants/confirmation'
import * as domains from '@okaeri/contract/sender-domains/routes'
import fc from 'fast-check'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { aReservedCampaign } from '../../../../test/builders/campaign.ts'
import { addCustomers, confirmAddresses } from '../../../../test/fixtures.ts'
import { eachWithMerchant, EMPTY, merchant, okaeri, sandbox, withSandbox } from '../../../../test/with-okaeri.ts'
import type { DkimKey } from '../../../integrations/mail/dkim.ts'
import { newId } from '../../../kernel/ids.ts'
import { customerData, exampleCustomer, NO_EVENT, type MailParts } from '../../email-rendering/index.ts'
import { compileMessage, type Recipient, withSignature } from './composing.ts'
import { sendTestMail } from './content.ts'

// Verified by a verifier that is not ours.

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const key: DkimKey = { domain: 'shop.example', selector: 's1', key: pair.privateKey }
const published = `v=DKIM1; p=${createPublicKey(pair.privateKey).export({ type: 'spki', format: 'der' }).toString('base64')}`

type Answers = (name: string, type: string) => Promise<string[][]>
const ofThisFile: Answers = async (name) => (name === 's1._domainkey.shop.example' ? [[published]] : [])

async function verify(mail: Buffer, resolver: Answers = ofThisFile) {
  const { results } = await dkimVerify(mail, { resolver })
  return results.map(({ status, signingDomain, selector }) => ({ result: status.result, signingDomain, selector }))
}
const passed = (domain: string, selector = expect.any(String) as string) => [
  { result: 'pass', signingDomain: domain, selector },
]

const recipient = (texts: readonly string[]): Recipient => ({
  deliveryId: newId(),
  token: 'token',
  bounceToken: 'bounce-token',
  to: ['a@example.com', 'b@example.com'],
  intendedFor: null,
  data: {
    ...NO_EVENT,
    customer: customerData(exampleCustomer.ja, 'ja'),
    store: { name: '', url: '', postal_address: '', contact_email: '', contact_phone: '' },
    sender: { name: '', email: '' },
    unsubscribe_url: '',
    preferences_url: 'https://okaeri.test/pages/preferences?token=x',
  },
  texts,
  chosen: {},
})
const message = { id: newId(), fromName: 'おかえり  商店', fromEmail: 'news@shop.example', replyTo: null }
const at = new Date('2026-11-20T01:02:03Z')

function mailOf(parts: MailParts, texts: readonly string[] = [], from = message): Promise<Buffer> {
  const compose = compileMessage(from, parts, { publicUrl: 'https://okaeri.example', language: 'ja', dkim: key })
  return withSignature(compose(recipient(texts), at, Buffer.alloc(200_000)))
}

describe('whatever a mail says, its signature is verified', () => {
  const anyText = fc
    .oneof(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.stringMatching(/^[ .=\r\n\tあaé-]{0,400}$/),
      fc.constantFrom('', ' ', '\n\n\n', '. \t .\n..\n', `${'long '.repeat(60)}  \n .`, '  a\t\tb  \r\n  \r\n'),
    )
    .map((text) => text.toWellFormed())
  const cases = fc.record({ fixed: anyText, value: anyText, after: anyText, subject: anyText })

  test('in both encodings, with lines broken softly, dots at their beginnings, and any spaces', async () => {
    await fc.assert(
      fc.asyncProperty(cases, fc.boolean(), async ({ fixed, value, after, subject }, inJapanese) => {
        const filler = inJapanese ? '春の新作'.repeat(30) : 'Spring news, '.repeat(20)
        const html = [`<p>${filler}\n`, fixed, { text: 0 }, after, '</p>']
        const mail = await mailOf({ subject: [subject, { text: 1 }], html, text: [fixed, { text: 0 }] }, [value, value])
        expect(await verify(mail)).toEqual(passed('shop.example', 's1'))
      }),
      { numRuns: 150 },
    )
  })

  test('composed into the same memory one after the other, and larger than that memory', async () => {
    const scratch = Buffer.alloc(4000)
    const parts = { subject: ['x'], html: ['<p>  ', { text: 0 }, '</p>'], text: ['x'] }
    const compose = compileMessage({ ...message, replyTo: 'help@shop.example' }, parts, {
      publicUrl: 'https://okaeri.example',
      language: 'en',
      dkim: key,
    })
    for (const value of ['one', 'two  and more', 'x'.repeat(10_000), 'three'])
      expect(await verify(await withSignature(compose(recipient([value]), at, scratch)))).toEqual(
        passed('shop.example'),
      )
  })
})

test('what is changed or added on the way is found out; a relay that only reflows spaces does no harm', async () => {
  const mail = (await mailOf({ subject: ['Sale'], html: ['<p>a  b</p>'], text: ['a  b'] })).toString('latin1')
  const changed = async (from: string | RegExp, to: string) => {
    const other = mail.replace(from, to)
    expect(other).not.toBe(mail)
    return (await verify(Buffer.from(other, 'latin1')))[0]?.result
  }
  expect(await changed('a  b</p>', 'a \t  b</p>')).toBe('pass')
  expect(await changed('a  b</p>', 'a c</p>')).not.toBe('pass')
  expect(await changed('Subject: Sale', 'Subject: Sold')).toBe('fail')
  for (const field of ['From: x@evil.example', 'Subject: Other', 'Reply-To: x@evil.example', 'To: x@evil.example'])
    expect(await changed('From: ', `${field}\r\nFrom: `), field).toBe('fail')
  expect(await changed('List-Unsubscribe-Post: List', 'List-Unsubscribe-Post: Other')).toBe('fail')
})

describe('mail that is sent', () => {
  const keyFile = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-key-')), 'dkim.pem')
  fs.writeFileSync(keyFile, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  withSandbox({
    seed: EMPTY,
    env: {
      DKIM_DOMAIN: 'mail.test',
      DKIM_SELECTOR: 'own',
      DKIM_KEY_FILE: keyFile,
      SYSTEM_SENDER: 'no-reply@mail.test',
    },
  })
  eachWithMerchant()
  beforeAll(() => sandbox.zone.add({ name: 'own._domainkey.mail.test', type: 'TXT', value: published }))

  async function verifyMailTo(address: string) {
    await okaeri.settle()
    const [mail] = sandbox.mailbox.list({ to: address })
    const raw = Buffer.from(await (await fetch(`${sandbox.url}/mail/${mail?.id}/raw`)).arrayBuffer())
    const resolver = new Resolver()
    resolver.setServers([`127.0.0.1:${sandbox.dnsPort}`])
    return verify(raw, (name) => resolver.resolveTxt(name))
  }
  async function verifyDomain(name: string): Promise<void> {
    const { sender_domain } = await merchant.call(domains.addSenderDomain, { body: { sender_domain: { name } } })
    for (const { kind, type, name: at, expected } of sender_domain.records)
      if (expected && (kind === 'ownership' || kind === 'dkim')) sandbox.zone.add({ name: at, type, value: expected })
    expect((await merchant.call(domains.checkSenderDomain, { body: { domain: name } })).result).toBe('success')
  }
  /** A campaign to one customer. Returns their address. */
  async function send(): Promise<string> {
    const email = `${newId()}@reader.test`
    await addCustomers(merchant.scope(), [{ email }])
    await aReservedCampaign(merchant, { send_type: 'immediate' })
    return email
  }

  test('of every template in both languages is signed by the sender’s domain', async () => {
    await verifyDomain('shop.test')
    const sent: [what: string, to: string][] = []
    for (const starter of starterKeys)
      for (const language of ['ja', 'en'] as const) {
        const body = { name: 'x', subject: '春  の  お知らせ', starter, language }
        const { email } = await merchant.call(createEmail, { body })
        const to = `${newId()}@reader.test`
        await confirmAddresses(merchant.scope(), to)
        const from = { fromName: 'おかえり商店', fromEmail: 'shop@shop.test', replyTo: null }
        const content = { ...from, emailId: email.id, subject: email.subject, preheader: '', html: email.content }
        await sendTestMail(merchant.scope(), content, { addresses: [to], customerId: null })
        sent.push([`${starter} in ${language}`, to])
      }
    for (const [what, to] of sent)
      expect([what, await verifyMailTo(to)]).toEqual([what, passed('shop.test', expect.stringMatching(/^okaeri/))])
  })

  test('from an address whose domain is not verified is signed by the installation, as are Okaeri’s own mails', async () => {
    expect(await verifyMailTo(await send())).toEqual(passed('mail.test', 'own'))
    const email = `asked-${newId()}@reader.test`
    await merchant.call(requestConfirmation, { body: { purpose: 'test', email } })
    expect(await verifyMailTo(email)).toEqual(passed('mail.test', 'own'))
  })
})
