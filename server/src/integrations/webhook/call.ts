import { createHmac } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import { BlockList, isIP } from 'node:net'
import { IntegrationError } from '../../kernel/errors.ts'
import { type Address, createNames, systemNames } from './names.ts'

/** A body as it is, to an address that people named. */
export interface CheckedPost {
  /** http or https. */
  url: string
  /** JSON. */
  body: string | Buffer
  headers: Record<string, string>
  timeoutMs: number
  /** Also addresses of this machine and its network; for the sandbox. */
  allowPrivate: boolean
}

export interface WebhookCall extends Omit<CheckedPost, 'headers' | 'body'> {
  body: string
  /** Signs time and body, so that the receiver knows who called and that it is not an old call said again. */
  secret: string
  /** The same at every try: the receiver knows a repeated call by it. */
  id: string
  at: Date
}

/** So much of an answer is read and kept. */
const MAX_ANSWER = 500
/** Too many requests, too early, a time-out: worth another try, as any 5xx is. */
const PASSING = [408, 425, 429]

/** {@link postChecked}, signed by us. */
export const callWebhook = ({ secret, id, at, ...call }: WebhookCall): Promise<{ status: number; answer: string }> =>
  postChecked({
    ...call,
    headers: {
      'user-agent': 'Okaeri-Webhook/1',
      'x-okaeri-id': id,
      'x-okaeri-signature': signatureOf(secret, at, call.body),
    },
  })

/**
 * Posts once and follows no redirect. Returns the status and the beginning of what was said for 2xx; throws
 * {@link IntegrationError} otherwise, `detail` beginning with the status (`500 …`) where there was an answer. The host is resolved once, its addresses are
 * checked, and the connection goes to just those: a name cannot mean another machine a moment later.
 */
export async function postChecked(call: CheckedPost): Promise<{ status: number; answer: string }> {
  const url = URL.parse(call.url)
  if (!url || !/^https?:$/.test(url.protocol)) throw refused('not an http address')
  const address = await addressOf(url, call.allowPrivate)
  const { status, answer } = await post(url, address, call)
  if (status >= 200 && status < 300) return { status, answer }
  const detail = `${status} ${answer}`.trim()
  throw new IntegrationError('webhook', status >= 500 || PASSING.includes(status), detail)
}

/** `t=<seconds>,v1=<hex HMAC-SHA256 of "t.body">` */
export function signatureOf(secret: string, at: Date, body: string): string {
  const seconds = Math.floor(at.getTime() / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

const refused = (detail: string): IntegrationError => new IntegrationError('webhook', false, detail)

const publicNames = createNames()
/** Names that always mean this machine (RFC 6761), even if a name server says otherwise. */
const isLoopbackHost = (host: string): boolean => /(^|\.)localhost\.?$/i.test(host)

/** The host's address that may be called; throws {@link IntegrationError}, not retryable where it is inside our own network. */
export async function addressOf(url: URL, allowPrivate: boolean): Promise<Address> {
  return addressOfHost(url.hostname, allowPrivate)
}

/** The same of a host by itself, an IPv6 address with or without brackets. */
export async function addressOfHost(hostname: string, allowPrivate: boolean): Promise<Address> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const inside = (): IntegrationError => refused(`${host} is an address inside our own network`)
  if (!allowPrivate && isLoopbackHost(host)) throw inside()
  const family = isIP(host)
  const found =
    family === 0
      ? await (allowPrivate ? systemNames : publicNames).addressesOf(host)
      : [{ address: host, family: family === 6 ? 6 : 4 } as const]
  const address = found.find((each) => allowPrivate || !isPrivate(each.address, each.family))
  if (!address) throw inside()
  return address
}

/** IANA's special-purpose registries: nothing there is a shop's server, and some are ours. */
const special = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  special.addSubnet(network, prefix, 'ipv4')
/** Of IPv6 only what is public (2000::/3) may be called, less what stands for an IPv4 address or an example. */
const publicV6 = new BlockList()
publicV6.addSubnet('2000::', 3, 'ipv6')
const specialV6 = new BlockList()
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  specialV6.addSubnet(network, prefix, 'ipv6')

/** Whether an IP address (`family` 4 or 6) is not on the public internet: never called but in the sandbox. */
export const isPrivate = (address: string, family: number): boolean =>
  family === 4 ? special.check(address, 'ipv4') : !publicV6.check(address, 'ipv6') || specialV6.check(address, 'ipv6')

function post(
  url: URL,
  { address, family }: Address,
  { body, headers, timeoutMs }: CheckedPost,
): Promise<{ status: number; answer: string }> {
  const signal = AbortSignal.timeout(timeoutMs)
  return new Promise((done, failed) => {
    let finish: (() => void) | null = null
    const fail = (error: unknown): void => {
      // The status was heard: what is said after it, or never ends, changes nothing, and calling again would do it twice.
      if (finish) return finish()
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer'
      const detail = signal.aborted ? `no answer within ${timeoutMs / 1000} s` : `no connection (${code})`
      failed(new IntegrationError('webhook', true, detail, { cause: error }))
    }
    const request = (url.protocol === 'https:' ? https : http).request(
      url,
      {
        method: 'POST',
        signal,
        agent: false,
        // The address that was checked, even if the name now resolves to another.
        lookup: (_host, options, answer) =>
          options.all ? answer(null, [{ address, family }]) : answer(null, address, family),
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
          ...headers,
        },
      },
      (response) => {
        let answer = ''
        response.setEncoding('utf8')
        finish = () => done({ status: response.statusCode ?? 0, answer: answer.slice(0, MAX_ANSWER) })
        response.on('data', (text: string) => {
          answer += text
          if (answer.length < MAX_ANSWER) return
          finish?.()
          request.destroy()
        })
        response.on('end', finish)
        response.on('error', finish)
      },
    )
    request.on('error', fail)
    // An answer that would go on in another protocol (101) is neither an answer nor an error: it only ends.
    request.on('close', () => {
      if (!finish) fail(null)
    })
    request.end(body)
  })
}
