import type { FastifyReply } from 'fastify'
import { headersOf } from '../../kernel/http/answer-headers.ts'
import type { Context } from '../../kernel/context.ts'

/** A body with its whole head, made once and sent to everyone. */
export interface Ready {
  body: Buffer
  etag: string
  /** Names and values in turn, as Node takes them. */
  head: string[]
}

/** With the headers of every answer. */
export function makeReady({ settings }: Context, { body, etag }: Pick<Ready, 'body' | 'etag'>, headers: object): Ready {
  const all = { ...headersOf(settings), ...headers, etag, 'content-length': String(body.length) }
  return { body, etag, head: Object.entries(all).flat() }
}

/** Fastify knows of the answer: nothing is left to be sent. */
const ANSWERED = Promise.resolve(undefined as never)

/**
 * Returns past Fastify, which would look through the headers one by one: every page of every shop asks for these few. 304 for who has it.
 */
export function sendReady(reply: FastifyReply, { body, etag, head }: Ready): Promise<never> {
  reply.hijack()
  const { raw, request } = reply
  if (request.headers['if-none-match'] === etag) raw.writeHead(304, head.slice(0, -2)).end()
  else raw.writeHead(200, head).end(body)
  return ANSWERED
}
