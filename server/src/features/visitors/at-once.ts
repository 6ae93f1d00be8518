import type { FastifyReply } from 'fastify'
import { headersOf } from '../../kernel/answer-headers.ts'
import type { Context } from '../../kernel/context.ts'

const known = new WeakMap<Context, Record<string, string>>()

/**
 * Answers past Fastify, which would look through the headers one by one: every page of every shop asks for these few. `body` null: the
 * caller has it (304). With the headers of every answer.
 */
export function sendAtOnce(
  context: Context,
  reply: FastifyReply,
  body: Buffer | null,
  headers: Record<string, string>,
): FastifyReply {
  const always = known.get(context) ?? headersOf(context.settings)
  known.set(context, always)
  reply.hijack()
  reply.raw.writeHead(body === null ? 304 : 200, {
    ...always,
    ...headers,
    ...(body === null ? {} : { 'content-length': String(body.length) }),
  })
  reply.raw.end(body ?? undefined)
  return reply
}
