import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Network } from '../rows.ts'

/**
 * Between the storefront's visitors and the app: with a switch on, pages name this address in place of the app's, so that the browser itself
 * meets the slow or broken network, in whatever the app's script does. On this machine only.
 */
export interface Relays {
  /** The address under which visitors reach the app now. */
  addressOf(appUrl: string, network: Network): Promise<string>
  close(): Promise<void>
}

const dropped = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-encoding', 'content-length', 'host'])

export function createRelays({ slowMs }: { slowMs: number }): Relays {
  const open = new Map<string, Promise<{ server: Server; url: string }>>()

  const listen = async (appUrl: string, network: Network): Promise<{ server: Server; url: string }> => {
    const server = createServer((request, response) => {
      answer(appUrl, network, request, response).catch(() => response.destroy())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }

  async function answer(
    appUrl: string,
    network: Network,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (network === 'dead') {
      request.socket.destroy()
      return
    }
    const isAsset = request.url?.startsWith('/assets/') ?? false
    if (network === 'failing' && !isAsset) {
      // As from what stands before an app that is down: no word of the app's own, and so none for other origins.
      response.writeHead(503, { 'content-type': 'text/html; charset=utf-8' }).end('<h1>503 Service Unavailable</h1>')
      return
    }
    if (network === 'slow') await new Promise((resolve) => setTimeout(resolve, slowMs))
    const body = request.method === 'GET' || request.method === 'HEAD' ? undefined : await buffer(request)
    const answer = await fetch(`${appUrl}${request.url}`, {
      method: request.method ?? 'GET',
      redirect: 'manual',
      headers: Object.entries(request.headers).flatMap(([name, value]) =>
        dropped.has(name) || typeof value !== 'string' ? [] : [[name, value] as [string, string]],
      ),
      ...(body && body.length > 0 ? { body: new Uint8Array(body) } : {}),
    })
    const headers = [...answer.headers].filter(([name]) => !dropped.has(name))
    response.writeHead(answer.status, Object.fromEntries(headers)).end(Buffer.from(await answer.arrayBuffer()))
  }

  return {
    async addressOf(appUrl, network) {
      if (network === 'normal') return appUrl
      const key = `${network} ${appUrl}`
      const opening = open.get(key) ?? listen(appUrl, network)
      open.set(key, opening)
      return (await opening).url
    },
    async close() {
      for (const opening of open.values()) {
        const { server } = await opening
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    },
  }
}
