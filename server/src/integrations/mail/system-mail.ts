import nodemailer from 'nodemailer'
import type { DkimKey } from './dkim.ts'
import { IntegrationError } from '../../kernel/errors.ts'

declare module '../../kernel/context.ts' {
  interface Integrations {
    systemMail: SystemMail
  }
}

interface Mail {
  to: string
  subject: string
  text: string
  html: string
}
/** Mail of Okaeri itself to its members (password reset): never marketing, never to customers, so it passes no ledger. */
export interface SystemMail {
  /** Throws {@link IntegrationError}; a refusal for good (5xx) is not retryable. */
  send(mail: Mail): Promise<void>
  /** The same to a typed address, which the mail server may refuse permanently: returns whether it was accepted. */
  offer(mail: Mail): Promise<boolean>
  /** Whether the server can be reached and talks SMTP; throws when not. */
  ping(): Promise<void>
  close(): void
}

const TIMEOUT_MS = 10_000

/** Sends over the global mailer's server. `sender`: an address, with or without a name. */
export function createSystemMail({
  smtpUrl,
  sender,
  signingKey = null,
}: {
  smtpUrl: string
  sender: string
  /** The installation's. */
  signingKey?: DkimKey | null
}): SystemMail {
  const url = new URL(smtpUrl)
  const rejectUnauthorized = url.searchParams.get('tls') !== 'unverified'
  // A word of ours, which nodemailer would take for one of its own.
  url.searchParams.delete('tls')
  const transport = nodemailer.createTransport({
    url: url.href,
    tls: { rejectUnauthorized },
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(signingKey && {
      dkim: {
        domainName: signingKey.domain,
        keySelector: signingKey.selector,
        privateKey: signingKey.key.export({ type: 'pkcs8', format: 'pem' }).toString(),
      },
    }),
  })
  const explain = (error: unknown): IntegrationError => {
    const { responseCode, code } = error as { responseCode?: number; code?: string }
    const forGood = responseCode !== undefined && responseCode >= 500
    return new IntegrationError('smtp', !forGood, String(responseCode ?? code ?? 'failed'), { cause: error })
  }
  const hand = (mail: Mail): Promise<unknown> =>
    transport.sendMail({
      ...mail,
      from: sender,
      // RFC 3834: out-of-office robots leave it alone.
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
  return {
    async send(mail) {
      try {
        await hand(mail)
      } catch (error) {
        throw explain(error)
      }
    },
    async offer(mail) {
      try {
        await hand(mail)
        return true
      } catch (error) {
        const { code, command } = error as { code?: string; command?: string }
        const refusal = explain(error)
        if (code === 'EENVELOPE' && command === 'RCPT TO' && !refusal.retryable) return false
        throw refusal
      }
    },
    async ping() {
      try {
        await transport.verify()
      } catch (error) {
        throw explain(error)
      }
    },
    close: () => transport.close(),
  }
}
