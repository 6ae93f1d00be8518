import { READ_BYTES } from '../../integrations/bounces/mail-parts.ts'
import { type InboundPort, listenInboundMail, type TlsFiles } from '../../integrations/inbound-mail/inbound-mail.ts'
import type { Context } from '../../kernel/context.ts'
import { createThrottledReport } from '../../kernel/throttled-report.ts'
import { readReturnPath, receiveMail } from './intake.ts'

/** Takes mails that come back to the return paths that name a delivery. Each is answered once what follows from it is stored. */
export function listenForBounces(
  context: Context,
  { host, port, domain, tls }: { host: string; port: number; domain: string; tls: TlsFiles | null },
): Promise<InboundPort> {
  let last: unknown
  const failed = createThrottledReport((mails) =>
    context.log.error({ mails, error: last }, 'mails that came back could not be stored; their servers will try again'),
  )
  return listenInboundMail({
    host,
    port,
    domain,
    tls,
    keptBytes: READ_BYTES,
    isKnown: (localPart) => readReturnPath(context, localPart) !== null,
    async store(mail, recipients) {
      for (const localPart of recipients) await receiveMail(context, mail, { way: 'smtp', returnPaths: [localPart] })
    },
    onError(error) {
      last = error
      failed.add()
    },
  })
}
