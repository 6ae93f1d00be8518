import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { isPrivate } from './webhook/index.ts'

const TIMEOUT_MS = 5000
const MOST_BYTES = 2000

/**
 * Whether a host that points to us is answered by us, with a certificate that browsers take. `other`: something else answered, or the
 * certificate is wrong; `silent`: nothing answered. The connection goes to the addresses that were looked up, and not into a private network.
 */
export async function askLinkHost(
  url: string,
  { addresses, expected, allowPrivate }: { addresses: readonly string[]; expected: string; allowPrivate: boolean },
): Promise<'ours' | 'other' | 'silent'> {
  const address = addresses.find((one) => allowPrivate || !isPrivate(one, isIP(one)))
  const family = address === undefined ? 0 : isIP(address)
  if (address === undefined || family === 0) return 'other'
  return new Promise((resolve) => {
    const made = (url.startsWith('https:') ? https : http).get(
      url,
      {
        agent: false,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        lookup: (_host, options, answer) =>
          options.all ? answer(null, [{ address, family }]) : answer(null, address, family),
        headers: { 'user-agent': 'Okaeri-Check/1', accept: 'application/json' },
      },
      (answer) => {
        let body = ''
        answer.setEncoding('utf8').on('data', (piece: string) => {
          body += piece
          if (body.length > MOST_BYTES) answer.destroy()
        })
        answer.on('error', () => resolve('silent'))
        answer.on('close', () => resolve(answer.statusCode === 200 && says(body) === expected ? 'ours' : 'other'))
      },
    )
    made.on('error', (error: NodeJS.ErrnoException) => resolve(isOfTls(error.code) ? 'other' : 'silent'))
  })
}

const isOfTls = (code = ''): boolean => /^(?:CERT_|ERR_TLS|ERR_SSL|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code)

function says(body: string): unknown {
  try {
    return (JSON.parse(body) as { domain?: unknown } | null)?.domain
  } catch {
    return null
  }
}
