import { once } from 'node:events'
import net from 'node:net'
import { overTcp } from './postgres.ts'

/**
 * The way from Okaeri to its database, for a test to interrupt: `refusing` (nothing listens), `silent` (what is sent gets nowhere, as in a
 * network that drops it), or the database answers every connection with an error of its own (`57P03`, `53300`).
 */
export interface DatabaseProxy {
  url: string
  /** Connections that were tried since the line was cut last. */
  readonly tried: number
  cut(how: 'refusing' | 'silent' | { code: string; message: string }): Promise<void>
  mend(): Promise<void>
  close(): Promise<void>
}

export async function proxyTo(databaseUrl: string): Promise<DatabaseProxy> {
  const real = overTcp(databaseUrl)
  let state: 'open' | Parameters<DatabaseProxy['cut']>[0] = 'open'
  let tried = 0
  const sockets = new Set<net.Socket>()
  const keep = (socket: net.Socket): net.Socket => {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
    return socket
  }
  const server = net.createServer((near) => {
    tried += 1
    keep(near)
    if (state === 'silent') return
    if (typeof state === 'object') {
      const { code, message } = state
      near.once('data', () => near.end(errorOf(code, message)))
      return
    }
    const far = keep(net.connect(Number(real.port), real.hostname))
    const pass = (from: net.Socket, to: net.Socket): void => {
      from.on('data', (bytes) => {
        if (state !== 'silent') to.write(bytes)
      })
      from.once('close', () => to.destroy())
    }
    pass(near, far)
    pass(far, near)
  })
  const listen = (port: number): Promise<unknown> => once(server.listen(port, '127.0.0.1'), 'listening')
  await listen(0)
  const { port } = server.address() as net.AddressInfo
  const url = overTcp(databaseUrl)
  url.host = `127.0.0.1:${port}`
  const hangUp = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    get tried() {
      return tried
    },
    async cut(how) {
      state = how
      tried = 0
      if (how === 'refusing') {
        server.close()
        hangUp()
      } else if (how !== 'silent') hangUp()
    },
    async mend() {
      state = 'open'
      // What was sent into the silence is lost for good.
      hangUp()
      if (!server.listening) await listen(port)
    },
    async close() {
      hangUp()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** PostgreSQL's ErrorResponse. */
function errorOf(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}
