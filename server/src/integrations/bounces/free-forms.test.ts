import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readBounce } from './read-bounce.ts'
import type { BounceVerdict } from './report.ts'

// Mails made here, in the forms that servers write: what they say, to whom, and in which of the forms, by chance.

interface Refusal {
  /** Of the answer; some servers send none. */
  code: string | null
  words: string
  recipient: string
  server: string
}
interface Form {
  mail: (refusal: Refusal) => string
  /** The moment of the answer: when the recipient was named, after the whole mail, or not said. */
  at: 'recipient' | 'data' | 'unsaid'
}

const answer = ({ code, words }: Refusal, smtp = '550'): string => [smtp, code, words].filter(Boolean).join(' ')
const mailOf = (head: readonly string[], body: readonly string[]): string =>
  [...head, '', ...body, ''].join('\r\n').replaceAll(/\r?\n/g, '\r\n')
const original = (refusal: Refusal): string[] => [
  'From: 店 <news@shop.example>',
  `To: ${refusal.recipient}`,
  'Subject: Unknown user? Spam? 送信できませんでした',
  'Message-ID: <abc@shop.example>',
]
const daemon = (subject: string, host = 'relay.example'): string[] => [
  'Return-Path: <>',
  `From: Mail Delivery System <MAILER-DAEMON@${host}>`,
  'To: b+token@bounce.shop.example',
  `Subject: ${subject}`,
]

const report = (refusal: Refusal, text: readonly string[]): string =>
  mailOf(
    [
      ...daemon('Undelivered Mail Returned to Sender'),
      'Content-Type: multipart/report; report-type=delivery-status; boundary="B"',
    ],
    [
      '--B',
      'Content-Type: text/plain; charset=us-ascii',
      '',
      ...text,
      '--B',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; relay.example',
      '',
      `Final-Recipient: rfc822; ${refusal.recipient}`,
      'Action: failed',
      `Status: ${refusal.code ?? '5.0.0'}`,
      `Remote-MTA: dns; ${refusal.server}`,
      `Diagnostic-Code: smtp; ${answer(refusal)}`,
      '--B',
      'Content-Type: message/rfc822',
      '',
      ...original(refusal),
      '--B--',
    ],
  )

const forms = {
  postfix: {
    at: 'recipient',
    mail: (refusal) =>
      report(refusal, [
        'This is the mail system at host relay.example.',
        '',
        `<${refusal.recipient}>: host ${refusal.server}[192.0.2.7] said: ${answer(refusal)} (in reply to`,
        '    RCPT TO command)',
      ]),
  },
  postfixAfterData: {
    at: 'data',
    mail: (refusal) =>
      report(refusal, [
        `<${refusal.recipient}>: host ${refusal.server}[192.0.2.7] said: ${answer(refusal)} (in reply to end of DATA command)`,
      ]),
  },
  exim: {
    at: 'recipient',
    mail: (refusal) =>
      mailOf(
        [...daemon('Mail delivery failed: returning message to sender'), `X-Failed-Recipients: ${refusal.recipient}`],
        [
          'This message was created automatically by mail delivery software.',
          '',
          'A message that you sent could not be delivered to one or more of its',
          'recipients. This is a permanent error. The following address(es) failed:',
          '',
          `  ${refusal.recipient}`,
          `    SMTP error from remote mail server after RCPT TO:<${refusal.recipient}>:`,
          `    host ${refusal.server} [192.0.2.7]: ${answer(refusal)}`,
          '',
          '------ This is a copy of the message, including all the headers. ------',
          '',
          ...original(refusal),
        ],
      ),
  },
  eximAfterData: {
    at: 'data',
    mail: (refusal) =>
      mailOf(
        [...daemon('Mail delivery failed: returning message to sender'), `X-Failed-Recipients: ${refusal.recipient}`],
        [
          'This is a permanent error. The following address(es) failed:',
          '',
          `  ${refusal.recipient}`,
          '    SMTP error from remote mail server after end of data:',
          `    host ${refusal.server} [192.0.2.7]: ${answer(refusal, '554')}`,
          '',
          '------ This is a copy of the message, including all the headers. ------',
          '',
          ...original(refusal),
        ],
      ),
  },
  qmail: {
    at: 'recipient',
    mail: (refusal) =>
      mailOf(daemon('failure notice'), [
        'Hi. This is the qmail-send program at relay.example.',
        "I'm afraid I wasn't able to deliver your message to the following addresses.",
        "This is a permanent error; I've given up. Sorry it didn't work out.",
        '',
        `<${refusal.recipient}>:`,
        '192.0.2.7 does not like recipient.',
        `Remote host said: ${answer(refusal)}`,
        'Giving up on 192.0.2.7.',
        '',
        '--- Below this line is a copy of the message.',
        '',
        ...original(refusal),
      ]),
  },
  sendmail: {
    at: 'recipient',
    mail: (refusal) =>
      mailOf(daemon('Returned mail: see transcript for details'), [
        '   ----- The following addresses had permanent fatal errors -----',
        `<${refusal.recipient}>`,
        '',
        '   ----- Transcript of session follows -----',
        `... while talking to ${refusal.server}.:`,
        `>>> RCPT To:<${refusal.recipient}>`,
        `<<< ${answer(refusal)}`,
        '',
        '   ----- Original message follows -----',
        '',
        ...original(refusal),
      ]),
  },
  mdaemon: {
    at: 'unsaid',
    mail: (refusal) =>
      mailOf(daemon(`Warning: ${refusal.recipient} - delivery failed`), [
        'The following data may contain sections which represent BASE64 encoded file attachments.',
        '',
        'Failed address:',
        '',
        refusal.recipient,
        '',
        '--- Session Transcript ---',
        ` ${answer(refusal)}`,
        '--- End Transcript ---',
      ]),
  },
} satisfies Record<string, Form>
const formNames = Object.keys(forms) as (keyof typeof forms)[]

const locals = fc.oneof(
  fc.stringMatching(/^[a-z][a-z0-9._-]{0,14}[a-z0-9]$/),
  // Words that such mails use themselves.
  fc.constantFrom(
    'tomoko',
    'to.tanaka',
    'user1',
    'userunknown',
    'address',
    'recipient.x',
    'mailbox-full',
    'spam',
    'unknown',
  ),
)
const domains = fc.stringMatching(/^[a-z]{2,10}$/).map((name) => `${name}.example`)
const carriers = fc.constantFrom('docomo.ne.jp', 'ezweb.ne.jp', 'au.com', 'softbank.ne.jp', 'i.softbank.jp')

const unknownUser = fc.constantFrom<[code: string | null, words: string]>(
  ['5.1.1', 'No such user here'],
  ['5.1.1', 'The email account that you tried to reach does not exist'],
  ['5.1.10', 'RESOLVER.ADR.RecipientNotFound; Recipient not found'],
  [null, 'Requested action not taken: mailbox unavailable, unknown user'],
  [null, 'Invalid recipient: no mailbox by that name'],
)
const full = fc.constantFrom<[string | null, string]>(
  ['5.2.2', 'The email account that you tried to reach is over quota'],
  ['4.2.2', 'Mailbox full'],
  [null, 'User mailbox exceeds allowed size: quota exceeded'],
)
const aboutUs = fc.constantFrom<[string | null, string]>(
  ['5.7.1', 'Service unavailable; client host [192.0.2.9] blocked using dnsbl.example'],
  ['5.7.1', 'Message rejected as spam'],
  ['5.7.26', 'Unauthenticated mail is not accepted due to the DMARC policy of shop.example'],
  ['5.7.1', 'Your message was refused by policy; ask an administrator'],
  [null, 'Message size exceeds fixed limit'],
  ['5.1.1', 'Unknown user, or your server is on our blocklist'],
)

const refusals = (
  words: fc.Arbitrary<[string | null, string]>,
  domain: fc.Arbitrary<string> = domains,
): fc.Arbitrary<Refusal> =>
  fc.record({ words, local: locals, domain }).map(({ words: [code, words], local, domain }) => ({
    code,
    words,
    recipient: `${local}@${domain}`,
    server: `mx1.${domain}`,
  }))
const read = (form: keyof typeof forms, what: Refusal) => readBounce(Buffer.from(forms[form].mail(what)))
const verdictOf = (form: keyof typeof forms, what: Refusal): BounceVerdict => read(form, what).reports[0].verdict

test.each(formNames.filter((name) => forms[name].at === 'recipient'))(
  'who does not exist, %s says when it is asked for them',
  (form) => {
    fc.assert(
      fc.property(refusals(unknownUser), (what) => {
        const { reports, messageId } = read(form, what)
        expect(reports).toMatchObject([{ verdict: 'hard', recipient: what.recipient }])
        expect(messageId).toBe('abc@shop.example')
      }),
    )
  },
)

test.each(formNames)('a full mailbox is full, and what is about us blocks: %s', (form) => {
  fc.assert(
    fc.property(refusals(full), refusals(aboutUs), (mailbox, us) => {
      expect(verdictOf(form, mailbox)).toBe('full')
      expect(verdictOf(form, us)).toBe('blocked')
    }),
  )
})

test.each(formNames)(
  'no address is given up because of one mail of a carrier, nor by an answer to the whole mail: %s',
  (form) => {
    fc.assert(
      fc.property(refusals(unknownUser, carriers), refusals(unknownUser), (ofCarrier, what) => {
        expect(read(form, ofCarrier).reports).toMatchObject([
          { verdict: 'soft', isDoubted: true, recipient: ofCarrier.recipient },
        ])
        if (forms[form].at === 'data') expect(verdictOf(form, what)).not.toBe('hard')
      }),
    )
  },
)

test('that an account is none is not a filter, whenever it is said', () => {
  const what = {
    code: null,
    words: "delivery error: dd This user doesn't have a mail.example account",
    recipient: 'a@mail.example',
    server: 'mx.mail.example',
  }
  expect(verdictOf('eximAfterData', what)).toBe('hard')
  expect(verdictOf('eximAfterData', { ...what, recipient: 'a@docomo.ne.jp' })).toBe('soft')
})

test('a notice that Amazon sends by mail is read in both of its forms, its lines cut anywhere', () => {
  const notice = JSON.stringify({
    notificationType: 'Bounce',
    bounce: {
      bounceType: 'Permanent',
      bounceSubType: 'General',
      bouncedRecipients: [{ emailAddress: 'hanako@example.jp', diagnosticCode: 'smtp; 550 5.1.1 user unknown' }],
    },
    mail: { headers: [{ name: 'Message-ID', value: '<abc@shop.example>' }] },
  })
  const envelope = JSON.stringify(
    { Type: 'Notification', TopicArn: 'arn:aws:sns:x', Message: notice, Signature: 'x' },
    null,
    2,
  )
  for (const sent of [notice, envelope.replaceAll('": "', '" : "')])
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 200 }), (width) => {
        const cut = sent.split('\n').map((line) => line.replaceAll(new RegExp(`(.{${width}})(?=.)`, 'g'), '$1\n '))
        const mail = mailOf(['From: SES <no-reply@sns.amazonaws.com>', 'Subject: AWS Notification Message'], cut)
        expect(readBounce(Buffer.from(mail)).reports).toMatchObject([
          { verdict: 'hard', recipient: 'hanako@example.jp' },
        ])
      }),
    )
})

test('who may not write to a mailing list is refused by it', () => {
  const mail = mailOf(
    ['From: friends-admin@list.example', 'Subject: You news@shop.example are not member (friends)'],
    [
      'You are not a member of this mailing list <friends@list.example>.',
      '',
      'Send the word guide to friends-ctl@list.example.',
    ],
  )
  expect(readBounce(Buffer.from(mail)).reports[0].verdict).toBe('blocked')
})

test('a domain that was not found for a while is no refusal of ours', () => {
  const mail = mailOf(daemon('failure notice'), [
    'Hi. This is the qmail-send program at relay.example.',
    "I'm afraid I wasn't able to deliver your message to the following addresses.",
    '',
    '<hanako@example.jp>:',
    'CNAME lookup failed temporarily. (#4.4.3)',
    "I'm not going to try again; this message has been in the queue too long.",
  ])
  expect(readBounce(Buffer.from(mail)).reports[0]).toMatchObject({ verdict: 'soft', recipient: 'hanako@example.jp' })
})
