import http from 'node:http'

const agent = new http.Agent({ keepAlive: true })
/** A longer one may be refused while it is still on its way, which `fetch` knows to live with. */
const LONGEST_BODY = 200_000

/**
 * `fetch` to a server of this machine, over the same wire for a third of the computing: tests ask some ten thousand times. What it does not
 * know (forms, streams, long bodies) goes the usual way.
 */
export const lightFetch: typeof fetch = (input, init = {}) => {
  const { method = 'GET', headers = {}, body = null, redirect, signal = null } = init
  const isPlain = body === null || typeof body === 'string' || body instanceof Uint8Array
  if (typeof input !== 'string' || !isPlain || isLong(body) || Array.isArray(headers)) return fetch(input, init)
  const { hostname, port, pathname, search } = new URL(input)
  const given = headers instanceof Headers ? Object.fromEntries(headers) : headers
  return new Promise((resolve, reject) => {
    const request = http.request({
      agent,
      hostname,
      port,
      method,
      path: pathname + search,
      headers: { accept: '*/*', 'user-agent': 'node', ...given },
      ...(signal && { signal }),
    })
    request.on('error', reject)
    request.on('response', (response) => {
      const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = response
      const answered = new Headers()
      for (let at = 0; at < rawHeaders.length; at += 2) answered.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
      const location = answered.get('location')
      if (location !== null && method === 'GET' && redirect !== 'manual') {
        response.resume()
        resolve(fetch(new URL(location, input), init))
        return
      }
      const answerWith = (content: ConstructorParameters<typeof Response>[0]): void =>
        resolve(
          new Response(status === 204 || status === 304 ? null : content, { status, statusText, headers: answered }),
        )
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => answerWith(Buffer.concat(parts)))
      // Cut off on its way: the reader gets the error.
      response.on('error', (error) => answerWith(new ReadableStream({ start: (body) => body.error(error) })))
    })
    request.end(body ?? undefined)
  })
}
const isLong = (body: string | Uint8Array | null): boolean => (body?.length ?? 0) > LONGEST_BODY
