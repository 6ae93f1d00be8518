import type { FastifyReply } from 'fastify'
import type { StoreScope } from './platform.ts'
import type { StoreState } from './rows.ts'
import { execute, part } from '../sql.ts'

/** Failures of the platform, or of the network to it; switched on by people and tests. */

/** A store that is closed to apps: not paid for, locked, refused, or taken down. */
const closed: Record<Exclude<StoreState, 'open'>, { status: number; errors: string }> = {
  frozen: { status: 402, errors: 'Unavailable Shop' },
  locked: { status: 423, errors: 'This store is unavailable' },
  forbidden: { status: 403, errors: 'Unavailable Shop' },
  gone: { status: 404, errors: 'Not Found' },
}

/** Answers for a closed store; false while it is open. */
export function refuseClosed(reply: FastifyReply, { store }: StoreScope): boolean {
  if (store.state === 'open') return false
  const { status, errors } = closed[store.state]
  void reply.code(status).send({ errors })
  return true
}

/**
 * `cut`: half of it, and a proper end. `cut_line`: a file cut between two lines. `reset`: half of it, then the connection is gone. `stall`:
 * half of it, then nothing. `html`: a gateway's page with 200. `gzip`: what cannot be unpacked. `expired`: the address has run out.
 */
export const breakages = [
  'bad_gateway',
  'html',
  'cut',
  'cut_line',
  'reset',
  'stall',
  'gzip',
  'too_many',
  'security',
  'expired',
] as const
export type Breakage = (typeof breakages)[number]

/** How the next call, or the next file, breaks; counted down. Null: it does not. */
export function takeBreakage({ database, store }: StoreScope, what: 'calls' | 'files'): Breakage | null {
  const left = store[`break_${what}_left`]
  if (left === 0) return null
  const column = part(`break_${what}_left`)
  execute(database)`UPDATE store SET ${column} = ${column} - 1 WHERE id = ${store.id}`
  return breakages.find((one) => one === store[`break_${what}`]) ?? null
}

const page = '<!doctype html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>'

/** Sends what is left of an answer that should have been this. */
export function sendBroken(
  reply: FastifyReply,
  breakage: Breakage,
  whole: { text: string; type: string },
): FastifyReply {
  switch (breakage) {
    case 'bad_gateway':
      return reply.code(502).type('text/html').send(page)
    case 'html':
      return reply.code(200).type('text/html').send(page)
    case 'too_many':
      return reply.code(429).header('retry-after', '1').send({ errors: 'Exceeded 2 calls per second for api client.' })
    case 'security':
      return reply.code(430).send({ errors: 'Shopify Security Rejection' })
    case 'expired':
      return reply.code(403).type('application/xml').send('<Error><Code>ExpiredToken</Code></Error>')
    case 'gzip':
      return reply.code(200).type(whole.type).header('content-encoding', 'gzip').send(Buffer.from('no gzip at all'))
    default:
  }
  const middle = Math.floor(whole.text.length / 2)
  const half = whole.text.slice(0, breakage === 'cut_line' ? whole.text.lastIndexOf('\n', middle) + 1 : middle)
  if (breakage === 'cut' || breakage === 'cut_line') return reply.code(200).type(whole.type).send(half)
  reply.hijack()
  reply.raw.writeHead(200, { 'content-type': whole.type })
  // A stalled one ends when the client leaves.
  reply.raw.write(half, () => breakage === 'reset' && reply.raw.destroy())
  return reply
}
