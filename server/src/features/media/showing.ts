import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { merchantScope } from '../../kernel/merchant-scope.ts'
import { pictureKey } from './files.ts'
import { readSlug } from './media-id.ts'
import { listShownCopies } from './queries.ts'

/** What is at an address never changes. */
const A_YEAR = 'public, max-age=31536000, immutable'

/**
 * Answers with a picture that is ready. Others are 404 without a picture, so that a mail shows the text that stands for it: a grey one would
 * hide that.
 */
export async function showImage(
  context: Context,
  slug: string,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const named = readSlug(slug)
  if (!named) throw noPicture()
  const scope = merchantScope(context, named.merchantId)
  const copies = await listShownCopies(scope, named.id)
  // Where a smaller copy would have saved nothing there is none.
  const copy = copies.find((one) => one.copy === named.copy) ?? copies.find((one) => one.copy === 'full')
  if (!copy) throw noPicture()
  const tag = `"${copy.copy}"`
  const headers = { 'cache-control': A_YEAR, etag: tag, 'cross-origin-resource-policy': 'cross-origin' }
  if (request.headers['if-none-match']?.split(/,\s*/).includes(tag)) return reply.headers(headers).code(304).send()
  reply.headers({ ...headers, 'content-length': copy.size_bytes }).type(copy.type)
  // For an empty reply, Fastify would send a length of zero.
  if (request.method === 'HEAD') return reply.send(Readable.from([]))
  const file = await context.integrations.storage.get(pictureKey(scope, named.id, copy.copy))
  if (!file) {
    // The library says so after the next comparison of rows and files.
    reply.removeHeader('content-length').header('cache-control', 'no-store')
    throw noPicture()
  }
  return reply.header('content-length', file.sizeBytes).send(file.content)
}

const noPicture = () => notFound('there is no such picture')
