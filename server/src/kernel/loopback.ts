import type { FastifyRequest } from 'fastify'

/** Whether a host name or address can only mean the machine it is used on (RFC 6761 §6.3, RFC 1122 §3.2.1.3). */
export const isLoopbackHost = (host: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)\.?$/i.test(host)

/**
 * Whether a request was made on this machine and meant for it: not forwarded by a proxy, and not from a page whose name resolves to 127.0.0.1
 * (DNS rebinding).
 */
export function isLoopbackRequest({ headers, hostname, socket }: FastifyRequest): boolean {
  const from = socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''
  const handedOn = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'].some((name) => headers[name] !== undefined)
  return !handedOn && isLoopbackHost(from) && isLoopbackHost(hostname)
}
