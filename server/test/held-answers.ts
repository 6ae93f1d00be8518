import http from 'node:http'
import type { AddressInfo } from 'node:net'

export interface HeldAnswers {
  /** Of the sandbox's LINE, through here. */
  url: string
  /** The next answer to this path is kept back: resolves when it is here, with what lets it go on. */
  hold(path: string): Promise<() => void>
  close(): Promise<void>
}

/** Stands between a process and an address outside, and keeps answers back that a test wants late. */
export async function holdAnswersOf(outside: string): Promise<HeldAnswers> {
  const held = new Map<string, (letGo: () => void) => void>()
  const server = http.createServer((request, response) => {
    const onward = http.request(
      `${outside}${request.url}`,
      { method: request.method, headers: request.headers },
      (answer) => {
        const passOn = (): void => void answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers))
        const path = (request.url ?? '').replace(/\?.*/, '')
        const arrived = held.get(path)
        held.delete(path)
        if (arrived) arrived(passOn)
        else passOn()
      },
    )
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: (path) => new Promise((resolve) => held.set(path, resolve)),
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
}
