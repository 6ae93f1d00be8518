import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ifAbsent } from '../kernel/absent.ts'
import { AppError } from '../kernel/errors.ts'

/** `uploadOrigin`: where browsers put pictures directly, if not here. */
const pagePolicy = (uploadOrigin: string | null) => ({
  'content-security-policy': `default-src 'self'; connect-src 'self'${uploadOrigin ? ` ${uploadOrigin}` : ''}; img-src 'self' https: http: data: blob:; style-src 'self' 'unsafe-inline'; frame-src 'self' blob:; worker-src 'self' blob:; frame-ancestors 'self'; base-uri 'self'; form-action 'self'`,
})

const SHORT_ADDRESSES = ['/login', '/actions/view/:id', '/emails/view/:id', '/settings']

/** What is served here, by reading only. */
export const webAddresses: readonly RegExp[] = ['/', '/_app', '/_app/.*', ...SHORT_ADDRESSES].map(
  (address) => new RegExp(`^${address.replace(':id', '[^/]+')}/?$`),
)

const NO_INDEX = '<head>\n    <meta name="robots" content="noindex, nofollow">'

const DOORSTEPS = /^\/_app\/(login|signup|forgot|reset|confirm|store)(\/|\?|$)/

/**
 * What the skeleton in index.html must know before any script runs: the language and colors chosen last (web/src/before-first-paint.js
 * keeps them as cookies), and whether a member is signed in or is signing in.
 */
function skeletonOf({ url, headers }: FastifyRequest): string {
  const cookies = new Map(
    (headers.cookie ?? '').split(/;\s*/).map((pair): [string, string] => {
      const [name = '', value = ''] = pair.split('=', 2)
      return [name, value]
    }),
  )
  const scheme = cookies.get('color_scheme')
  const isSignedIn = Boolean(cookies.get('access_token') || cookies.get('refresh_token'))
  return [
    `<html lang="${cookies.get('language') === 'en' ? 'en' : 'ja'}"`,
    ...(scheme === 'dark' || scheme === 'light' ? [`data-mantine-color-scheme="${scheme}"`] : []),
    ...(isSignedIn && !DOORSTEPS.test(url) ? [] : ['data-page="door"']),
  ].join(' ')
}

const packers = { br: promisify(brotliCompress), gzip: promisify(gzip) }
type Packing = keyof typeof packers

/** Of the two encodings a page is packed in, the first the browser names; a weight of zero excludes it (RFC 9110 §12.5.3). */
const packingFor = (accepted: string | string[] | undefined): Packing | null =>
  (['br', 'gzip'] as const).find((packing) =>
    String(accepted ?? '')
      .split(',')
      .some((one) => one.split(';')[0]?.trim() === packing && !/;\s*q=0(\.0*)?\s*$/.test(one)),
  ) ?? null

/** The web application under /_app/, and the short addresses that lead into it (interface.md: Addresses). */
export async function serveWeb(
  app: FastifyInstance,
  options: { folder: string; staging: boolean; uploadOrigin: string | null },
): Promise<void> {
  const policy = pagePolicy(options.uploadOrigin)
  const index = path.join(options.folder, 'index.html')
  await app.register(fastifyStatic, {
    root: path.join(options.folder, 'assets'),
    prefix: '/_app/assets/',
    immutable: true,
    maxAge: '365d',
    preCompressed: true,
    schemaHide: true,
    // A worker's script brings its own policy.
    setHeaders: (reply) => void reply.headers(policy),
  })
  // Only a few: the forms of the page, each compressed once until the pages are built again.
  let packed = { from: '', pages: new Map<string, Buffer>() }
  const page = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // It is missing for a moment while the pages are built beside a running server.
    const built = await fs.readFile(index, 'utf8').catch(ifAbsent(null))
    if (!built) throw new AppError('unavailable', 'unavailable', 'the pages are being built; reload in a moment')
    if (built !== packed.from) packed = { from: built, pages: new Map() }
    // Who packs what was built before, slowly, must not put it beside what is built now.
    const { pages } = packed
    const skeleton = skeletonOf(request)
    const html = built.replace('<html lang="ja"', skeleton).replace('<head>', options.staging ? NO_INDEX : '<head>')
    reply
      .headers({ ...policy, 'cache-control': 'no-cache', vary: 'accept-encoding, cookie' })
      .type('text/html; charset=utf-8')
    const packing = packingFor(request.headers['accept-encoding'])
    if (packing === null) return reply.send(html)
    const key = `${packing} ${skeleton}`
    const content = pages.get(key) ?? (await packers[packing](html))
    pages.set(key, content)
    return reply.header('content-encoding', packing).send(content)
  }
  const schema = { hide: true } as const
  app.get('/_app', { schema }, page)
  app.get('/_app/*', { schema }, page)
  app.get('/', { schema }, (_request, reply) => reply.redirect('/_app/'))
  for (const from of SHORT_ADDRESSES)
    app.get(from, { schema }, (request, reply) => reply.redirect(`/_app${request.url}`))
}
