import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import { randomToken } from '../../kernel/keyring.ts'

/** Tells the browser that began a sign-in through the store from any other that is lured into finishing it. */
export const BROWSER_KEY_COOKIE = 'okaeri_browser'
const LIFE_SECONDS = 900

/** The browser's key, made where it has none. `lax`: it must come along when the store platform sends the browser back to us. */
export function keepBrowserKey(context: Context, request: FastifyRequest, reply: FastifyReply): string {
  const held = request.cookies[BROWSER_KEY_COOKIE]
  const key = held && /^[\w-]{43}$/.test(held) ? held : randomToken()
  reply.setCookie(BROWSER_KEY_COOKIE, key, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: context.settings.publicUrl.startsWith('https:'),
    maxAge: LIFE_SECONDS,
  })
  return key
}

export const browserKeyOf = (request: FastifyRequest): string | null => request.cookies[BROWSER_KEY_COOKIE] ?? null
