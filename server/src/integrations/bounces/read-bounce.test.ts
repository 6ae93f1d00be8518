import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSendgridEvent, readSesNotice } from './notices.ts'
import { readBounce } from './read-bounce.ts'
import type { BounceVerdict } from './report.ts'
import { arf, dsn, freeForms } from '../../../test/bounce-samples.ts'
import { judgeAnswer } from './verdict.ts'

const first = (mail: Uint8Array) => readBounce(mail).reports[0]

test('a report of RFC 3464 says whom it is about, what was answered and by whom, and which mail came back', () => {
  const read = readBounce(
    dsn({ returned: 'Message-ID:\n <abc@shop.example>\nList-Unsubscribe: <https://okaeri.example/u/token>' }),
  )
  expect(read.reports).toEqual([
    {
      verdict: 'hard',
      isDoubted: false,
      isDelay: false,
      recipient: 'hanako@example.jp',
      originalRecipient: 'hanako@example.jp',
      status: '5.1.1',
      diagnostic: '550 5.1.1 <hanako@example.jp>: Recipient address rejected: User unknown',
      server: 'mx.example.jp',
    },
  ])
  expect(read).toMatchObject({
    messageId: 'abc@shop.example',
    unsubscribeLinks: ['https://okaeri.example/u/token'],
    writtenAt: new Date('2026-11-26T01:00:00Z'),
  })
  expect(read.evidence).toContain('Diagnostic-Code: smtp; 550 5.1.1')
})

test.each<[keyof typeof freeForms, BounceVerdict, string | null]>([
  ['exim', 'hard', 'hanako@example.jp'],
  ['qmail', 'full', 'hanako@example.jp'],
  ['exchange', 'hard', 'hanako@example.jp'],
  ['yahoo', 'hard', 'hanako@yahoo.co.jp'],
  ['au', 'soft', 'hanako@ezweb.ne.jp'],
  ['kddiFull', 'full', 'hanako@dion.ne.jp'],
  ['vacation', 'auto_reply', null],
  ['person', 'not_a_bounce', null],
])('what %s writes in words alone is %s', (form, verdict, recipient) => {
  expect(first(freeForms[form])).toMatchObject({ verdict, recipient })
})

test('what a company writes below all its mails counts less than a code about the address', () => {
  const words = '  hanako@example.jp\n\nUnauthorized use is prohibited. Scanned for virus.'
  expect(first(dsn({ status: '5.1.1', diagnostic: '', words }))).toMatchObject({ verdict: 'hard' })
})

test.each([
  [
    'Warning: hanako@example.jp - User unknown!',
    'MDaemon@example.jp',
    'hanako@example.jp - no such user here.',
    'hard',
  ],
  ['邮件传输失败', 'MAILER-DAEMON@example.jp', '邮件无法发送到您指定的地址中\n\n<hanako@example.jp>:', 'soft'],
  [
    'Mail Delivery Warning',
    'Postmaster@example.jp',
    'Delivery to\n<hanako@example.jp>\nhas been postponed due to a full mailbox.\nWe will continue to try to deliver it.',
    'full',
  ],
] as const)('a mail with the subject "%s" came back', (subject, from, text, verdict) => {
  const mail = `From: ${from}\r\nSubject: ${subject}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text.replaceAll('\n', '\r\n')}\r\n`
  expect(first(Buffer.from(mail))).toMatchObject({ verdict, recipient: 'hanako@example.jp' })
})

test('the subject of the mail that came back does not decide', () => {
  // It asks "Spam or not?".
  expect(readBounce(freeForms.exim)).toMatchObject({ messageId: 'abc@shop.example', reports: [{ verdict: 'hard' }] })
})

test.each<[answer: string, status: string, verdict: BounceVerdict]>([
  ['552 5.2.2 Mailbox full', '5.2.2', 'full'],
  ['550 5.7.1 Message rejected as spam', '5.7.1', 'blocked'],
  ['554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org', '5.7.1', 'blocked'],
  ['550-5.7.26 Unauthenticated email is not accepted due to DMARC policy', '5.7.26', 'blocked'],
  ['550 5.1.1 <a@b.c>: user unknown, but you are on a blocklist', '5.1.1', 'blocked'],
  ['552 5.3.4 Message too big', '5.3.4', 'blocked'],
  ['550 5.2.1 The email account that you tried to reach is disabled', '5.2.1', 'soft'],
  ['Host or domain name not found. Name service error: Host not found', '5.4.4', 'hard'],
  ['451 4.4.1 Connection timed out', '4.4.1', 'soft'],
  ['550 5.4.1 Recipient address rejected: Access denied. [x.prod.protection.outlook.com]', '5.4.1', 'hard'],
  ['550 5.2.1 <a@b.c>... User Unknown', '5.2.1 (mailbox disabled, not accepting messages)', 'hard'],
  ['an MX or SRV record indicated no SMTP service', '5.0.0', 'hard'],
  ['501 5.0.0 Invalid domain name', '5.0.0', 'blocked'],
  ['このグループが存在しないか、投稿する権限がない可能性があります', '5.0.0', 'soft'],
  ['smtp; failed', '5.0.0', 'soft'],
  ['521 5.3.2 System not accepting network messages', '5.3.2', 'hard'],
  ['521 5.3.2 Your IP is blocked', '5.3.2', 'blocked'],
  ['452 4.4.5 Insufficient disk space; try again later', '4.4.5', 'soft'],
  ['552 5.2.2 Insufficient disk space', '5.2.2', 'full'],
  ['550 mail box space not enough', '5.0.0', 'full'],
  ["L'adresse de messagerie n'existe pas", '5.0.0', 'hard'],
  ["Le groupe n'existe pas ou vous n'êtes pas autorisé", '5.0.0', 'soft'],
  ['InterScan E-Mail VirusWall: delivery failed', '5.0.0', 'soft'],
])('"%s" is %s %s', (diagnostic, status, verdict) => {
  expect(first(dsn({ diagnostic, status, words: ' ' }))).toMatchObject({ verdict })
})

test.each(['docomo.ne.jp', 'ezweb.ne.jp', 'au.com', 'softbank.ne.jp', 'i.softbank.jp'])(
  '"unknown user" of %s is doubted, its full mailbox is not',
  (domain) => {
    const recipient = `hanako@${domain}`
    expect(first(dsn({ recipient, server: `mx.${domain}` }))).toMatchObject({ verdict: 'soft', isDoubted: true })
    expect(first(dsn({ recipient, status: '5.2.2', diagnostic: '552 mailbox full', words: ' ' }))).toMatchObject({
      verdict: 'full',
      isDoubted: false,
    })
  },
)

test('"unknown user" in answer to the whole mail is doubted: the server had taken the recipient', () => {
  const answer = { status: '5.1.1', words: '550 unknown user', recipient: null, server: null }
  expect(judgeAnswer(answer)).toEqual({ verdict: 'hard', isDoubted: false })
  expect(judgeAnswer({ ...answer, around: '(in reply to end of DATA command)' })).toEqual({
    verdict: 'soft',
    isDoubted: true,
  })
})

test('a refusal of our sender is never the fault of the address', () => {
  expect(first(dsn({ words: '<hanako@example.jp>: 550 no such user (in reply to MAIL FROM command)' }))).toMatchObject({
    verdict: 'blocked',
  })
})

test('a delay ends nothing, and a delivered mail is no bounce', () => {
  expect(first(dsn({ action: 'delayed' }))).toMatchObject({ verdict: 'soft', isDelay: true })
  expect(first(dsn({ action: 'delivered', status: '2.0.0', diagnostic: '250 ok' })).verdict).toBe('not_a_bounce')
})

test.each<[string, BounceVerdict]>([
  ['abuse', 'complaint'],
  ['fraud', 'complaint'],
  ['opt-out', 'complaint'],
  ['not-spam', 'not_a_bounce'],
  ['auth-failure', 'not_a_bounce'],
])('a feedback report of the type %s is %s', (type, verdict) => {
  expect(readBounce(arf(type))).toMatchObject({
    messageId: 'abc@shop.example',
    reports: [{ verdict, recipient: 'hanako@example.jp' }],
  })
})

test('notices of SES and SendGrid are read by the same rules', () => {
  const ses = (bounceType: string, bounceSubType: string, diagnosticCode?: string) =>
    readSesNotice({
      notificationType: 'Bounce',
      bounce: {
        bounceType,
        bounceSubType,
        bouncedRecipients: [{ emailAddress: 'Hanako@docomo.ne.jp', diagnosticCode }],
      },
      mail: { source: 'b+token@bounce.example', headers: [{ name: 'Message-ID', value: '<abc@shop.example>' }] },
    })
  expect(ses('Permanent', 'General')).toMatchObject({
    sender: 'b+token@bounce.example',
    messageId: 'abc@shop.example',
    reports: [{ verdict: 'soft', isDoubted: true, recipient: 'hanako@docomo.ne.jp' }],
  })
  expect(ses('Permanent', 'OnAccountSuppressionList')?.reports[0]).toMatchObject({ verdict: 'hard' })
  expect(ses('Transient', 'MailboxFull')?.reports[0]).toMatchObject({ verdict: 'full' })
  expect(ses('Transient', 'General', 'smtp; 450 user unknown')?.reports[0]).toMatchObject({ verdict: 'soft' })
  expect(readSesNotice({ notificationType: 'Delivery', mail: {} })?.reports[0]?.verdict).toBe('not_a_bounce')
  const event = { email: 'hanako@example.jp', 'smtp-id': '<abc@shop.example>', timestamp: 1_795_000_000 }
  expect(readSendgridEvent({ ...event, event: 'bounce', status: '5.1.1', reason: '550 user unknown' })).toMatchObject({
    messageId: 'abc@shop.example',
    reports: [{ verdict: 'hard' }],
  })
  expect(
    readSendgridEvent({ ...event, event: 'bounce', type: 'blocked', reason: '550 IP in RBL' })?.reports[0]?.verdict,
  ).toBe('blocked')
  expect(readSendgridEvent({ ...event, event: 'spamreport' })?.reports[0]?.verdict).toBe('complaint')
  expect(readSendgridEvent({ ...event, event: 'delivered' })).toBeNull()
})

describe('whatever comes', () => {
  const shapes = [
    'Final-Recipient: rfc822;a@b.c\nAction: failed\n\n',
    '--A1/relay.example\r\n',
    'Content-Type: multipart/mixed; boundary=a\n\n--a\n',
    'Content-Type: message/rfc822\n\n',
    'user unknown ',
    '<a@b.cd>: 550 x\n',
    '{"notificationType":\n',
    '{ "Type" : "Notification", \n',
    '\u001B$B',
    '=?utf-8?B?44OL?= ',
    ' ',
    '\n',
    '<',
    '-',
    'a',
  ]

  test('any bytes are given a verdict and nothing is thrown', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 2_000 }),
      fc
        .array(fc.oneof(fc.constantFrom(...shapes), fc.string()), { maxLength: 60 })
        .map((all) => Buffer.from(all.join(''))),
      fc
        .tuple(
          fc.constantFrom(dsn({}), arf('abuse'), ...Object.values(freeForms)),
          fc.nat(3_000),
          fc.uint8Array({ maxLength: 40 }),
        )
        .map(([mail, at, inserted]) => Buffer.concat([mail.subarray(0, at), inserted, mail.subarray(at + 3)])),
    )
    fc.assert(
      fc.property(bytes, (mail) => {
        const read = readBounce(mail)
        expect(read.reports.length).toBeGreaterThan(0)
        expect(JSON.stringify(read)).not.toContain('\\u0000')
        expect(read.evidence.length).toBeLessThanOrEqual(4_000)
      }),
      { numRuns: 500 },
    )
  })

  test.each(shapes)('a large mail of %j alone is read as fast as any', (shape) => {
    const mail = Buffer.concat([dsn({}).subarray(0, 400), Buffer.alloc(1024 * 1024, shape)])
    const begun = process.cpuUsage()
    readBounce(mail)
    const { user, system } = process.cpuUsage(begun)
    // A quadratic reader would take minutes; the generous limit is for slow machines.
    expect((user + system) / 1000).toBeLessThan(1_000)
  })

  test('of 50 MB the beginning is read', () => {
    const mail = Buffer.concat([dsn({}), Buffer.alloc(50 * 1024 * 1024, 'x')])
    expect(first(mail)).toMatchObject({ verdict: 'hard', recipient: 'hanako@example.jp' })
  })

  test('a report nested ten deep is read', () => {
    let inner = dsn({})
      .toString()
      .replace(/^[\s\S]*?MIME-Version: 1.0\r\n/, '')
    for (let depth = 0; depth < 8; depth += 1)
      inner = `Content-Type: multipart/mixed; boundary="d${depth}"\r\n\r\n--d${depth}\r\n${inner}\r\n--d${depth}--\r\n`
    expect(first(Buffer.from(`From: MAILER-DAEMON@x.example\r\nSubject: failure notice\r\n${inner}`))).toMatchObject({
      verdict: 'hard',
      recipient: 'hanako@example.jp',
    })
  })
})

/** How Sisimai's reasons are called here. What a carrier says of an unknown user stays in doubt (domain.md §9). */
const HARD = ['userunknown', 'hostunknown', 'hasmoved', 'notaccept']
interface Expected {
  file: string
  expected: { reason: string; feedback_type?: string }[]
}
function verdictsOf({ reason, feedback_type }: Expected['expected'][number]): BounceVerdict[] {
  if (reason === 'feedback')
    return ['abuse', 'fraud', 'opt-out'].includes(feedback_type ?? '') ? ['complaint'] : ['not_a_bounce']
  if (reason === 'vacation') return ['auto_reply']
  if (reason === 'delivered') return ['not_a_bounce']
  if (reason === 'mailboxfull') return ['full']
  return HARD.includes(reason) ? ['hard'] : ['soft', 'blocked']
}

const reference = path.resolve(import.meta.dirname, '../../../../../shared/reference/email')
test.runIf(fs.existsSync(reference))('the mails of the reference are judged as a kept library judges them', () => {
  const { selected } = JSON.parse(fs.readFileSync(path.join(reference, 'dsn_expected.json'), 'utf8')) as {
    selected: Expected[]
  }
  const wrong = selected.flatMap(({ file, expected }) => {
    const { reports } = readBounce(fs.readFileSync(path.join(reference, file)))
    const wanted = expected[0] ? verdictsOf(expected[0]) : ['not_a_bounce']
    const [{ verdict, isDoubted }] = reports
    const isRight = wanted.includes(verdict) || (isDoubted && wanted.includes('hard'))
    return isRight ? [] : [`${file}: ${verdict} instead of ${wanted.join(' or ')}`]
  })
  // Of a full mailbox, in words of its own; the library does not read it.
  expect(wrong).toEqual(['dsn/not-a-bounce-rb-issue-368-bug.eml: full instead of not_a_bounce'])
})
