import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import { randomToken } from '../../kernel/keyring.ts'

/**
 * A browser that signed in before has a cookie: a made-up name of the browser, and for each of the last members a MAC over both. It signs
 * no one in; it keeps guesses from elsewhere from using up the tries of the real member.
 */
const COOKIE = 'okaeri_device'
const LIFE_SECONDS = 365 * 86_400
const MAX_MEMBERS = 5
const MAC_BYTES = 16
const SHAPE = /^([\w-]{22})((?:\.[0-9a-f]{32}){0,5})$/

interface Device {
  id: string
  marks: string[]
}

function readDevice(request: FastifyRequest): Device | null {
  const [, id, marks = ''] = SHAPE.exec(request.cookies[COOKIE] ?? '') ?? []
  return id ? { id, marks: marks.split('.').filter((mark) => mark !== '') } : null
}

const markOf = ({ keyring }: Context, deviceId: string, memberId: string): string =>
  keyring.linkMac(Buffer.from(`known device ${deviceId} ${memberId}`), MAC_BYTES)

/** The browser's name, where the member signed in with it before; else null. */
export function findKnownDevice(context: Context, request: FastifyRequest, memberId: string): string | null {
  const device = readDevice(request)
  if (!device) return null
  const wanted = Buffer.from(markOf(context, device.id, memberId))
  return device.marks.some((mark) => timingSafeEqual(Buffer.from(mark), wanted)) ? device.id : null
}

/** From now on the browser is one the member signed in with. */
export function rememberDevice(
  { context, request, reply }: { context: Context; request: FastifyRequest; reply: FastifyReply },
  memberId: string,
): void {
  const { id, marks } = readDevice(request) ?? { id: randomToken(16), marks: [] }
  const mark = markOf(context, id, memberId)
  const kept = [mark, ...marks.filter((other) => other !== mark)].slice(0, MAX_MEMBERS)
  reply.setCookie(COOKIE, [id, ...kept].join('.'), {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: context.settings.publicUrl.startsWith('https:'),
    maxAge: LIFE_SECONDS,
  })
}
