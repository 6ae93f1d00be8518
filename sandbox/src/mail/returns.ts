import { createTransport } from 'nodemailer'

/** Addresses whose mail is taken and comes back later, as servers return it: the local part starts with the word, as in sentinels.ts. */
const returns = {
  'bounce-full': { status: '5.2.2', diagnostic: '552 5.2.2 Mailbox full' },
  'bounce-soft': { status: '4.4.1', diagnostic: '451 4.4.1 Connection timed out' },
  'bounce-blocked': { status: '5.7.1', diagnostic: '554 5.7.1 Message rejected: blocked using a spam blocklist' },
  bounce: { status: '5.1.1', diagnostic: '550 5.1.1 Recipient address rejected: User unknown' },
  complain: 'complaint',
  vacation: 'auto-reply',
} as const
type Return = (typeof returns)[keyof typeof returns]

/** How a mail to this address comes back; null: it does not. */
export function findReturn(address: string): Return | null {
  const local = address.toLowerCase()
  for (const [word, found] of Object.entries(returns))
    if (local.startsWith(word) && !/[a-z]/.test(local.charAt(word.length))) return found
  return null
}

export interface Returned {
  from: string
  to: string
  raw: Buffer
  at: Date
}

/** Sends a mail back to the envelope's sender, through the server that takes mail for it. */
export async function sendBack({ from, to, raw, at }: Returned, how: Return, port: number): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true, name: 'mx.sandbox.okaeri.test' })
  try {
    await transport.sendMail({ envelope: { from: '', to: from }, raw: reportOf({ from, to, raw, at }, how) })
  } finally {
    transport.close()
  }
}

const BOUNDARY = 'sandbox-report'
const crlf = (lines: readonly string[]): string => `${lines.join('\r\n')}\r\n`

function reportOf({ from, to, raw, at }: Returned, how: Return): Buffer {
  const date = `Date: ${at.toUTCString().replace('GMT', '+0000')}`
  if (how === 'auto-reply')
    return Buffer.from(
      crlf([
        `From: <${to}>`,
        `To: <${from}>`,
        date,
        'Subject: =?UTF-8?B?6Ieq5YuV6L+U5L+h?=',
        'Auto-Submitted: auto-replied',
        'Content-Type: text/plain; charset=utf-8',
        '',
        '休業中のため、ご返信が遅れます。',
      ]),
    )
  const isComplaint = how === 'complaint'
  const type = isComplaint ? 'feedback-report' : 'delivery-status'
  const fields = isComplaint
    ? ['Feedback-Type: abuse', 'User-Agent: Sandbox/1', 'Version: 1', `Original-Rcpt-To: <${to}>`]
    : [
        'Reporting-MTA: dns; mx.sandbox.okaeri.test',
        '',
        `Final-Recipient: rfc822; ${to}`,
        'Action: failed',
        `Status: ${how.status}`,
        'Remote-MTA: dns; mx.sandbox.okaeri.test',
        `Diagnostic-Code: smtp; ${how.diagnostic}`,
      ]
  const head = raw.toString('latin1').split('\r\n\r\n', 1)[0] ?? ''
  return Buffer.from(
    crlf([
      'From: Mail Delivery System <MAILER-DAEMON@mx.sandbox.okaeri.test>',
      `To: <${from}>`,
      date,
      `Subject: ${isComplaint ? 'FW: complaint' : 'Undelivered Mail Returned to Sender'}`,
      'Auto-Submitted: auto-replied',
      'MIME-Version: 1.0',
      `Content-Type: multipart/report; report-type=${type}; boundary="${BOUNDARY}"`,
      '',
      `--${BOUNDARY}`,
      'Content-Type: text/plain; charset=us-ascii',
      '',
      isComplaint ? 'This is an email abuse report.' : `<${to}>: ${how.diagnostic} (in reply to RCPT TO command)`,
      '',
      `--${BOUNDARY}`,
      `Content-Type: message/${type}`,
      '',
      ...fields,
      '',
      `--${BOUNDARY}`,
      'Content-Type: text/rfc822-headers',
      '',
      head,
      '',
      `--${BOUNDARY}--`,
    ]),
    'latin1',
  )
}
