import fs from 'node:fs/promises'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ifAbsent } from '../kernel/absent.ts'
import { AppError } from '../kernel/errors.ts'

const PAGE_POLICY = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' https: http: data: blob:; style-src 'self' 'unsafe-inline'; frame-src 'self' blob:; worker-src 'self' blob:; frame-ancestors 'self'; base-uri 'self'; form-action 'self'",
}

const NO_INDEX = '<head>\n    <meta name="robots" content="noindex, nofollow">'

/** The web application under /_app/, and the short addresses that lead into it (interface.md: Addresses). */
export async function serveWeb(app: FastifyInstance, options: { folder: string; staging: boolean }): Promise<void> {
  const index = path.join(options.folder, 'index.html')
  await app.register(fastifyStatic, {
    root: path.join(options.folder, 'assets'),
    prefix: '/_app/assets/',
    immutable: true,
    maxAge: '365d',
    schemaHide: true,
    // A worker's script brings its own policy.
    setHeaders: (reply) => void reply.headers(PAGE_POLICY),
  })
  const page = async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // Away for a moment while the pages are built anew beside a running server.
    const html = await fs.readFile(index, 'utf8').catch(ifAbsent(null))
    if (!html) throw new AppError('unavailable', 'unavailable', 'the pages are being built; reload in a moment')
    return reply
      .headers({ ...PAGE_POLICY, 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(options.staging ? html.replace('<head>', NO_INDEX) : html)
  }
  const schema = { hide: true } as const
  app.get('/_app', { schema }, page)
  app.get('/_app/*', { schema }, page)
  app.get('/', { schema }, (_request, reply) => reply.redirect('/_app/'))
  for (const from of ['/login', '/actions/view/:id', '/emails/view/:id', '/settings'])
    app.get(from, { schema }, (request, reply) => reply.redirect(`/_app${request.url}`))
}
