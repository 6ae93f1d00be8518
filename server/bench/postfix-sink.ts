import { spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import { until } from './installation.ts'

/** Where Debian and others put it; it comes with Postfix. */
const PLACES = ['/usr/sbin/smtp-sink', '/usr/libexec/postfix/smtp-sink', '/usr/local/sbin/smtp-sink']
const NOBODY = 65_534
const BACKLOG = '100'

/**
 * The sink mail people measure with, where it is installed: Postfix's. It reads mails as a mail server does and throws them away. Null
 * where it is not there.
 */
export async function startPostfixSink(): Promise<{ port: number; stop(): void } | null> {
  const program = PLACES.find((place) => fs.existsSync(place))
  if (!program) return null
  const port = await freePort()
  const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const child = spawn(program, [`127.0.0.1:${port}`, BACKLOG], { stdio: 'ignore', cwd: '/', ...identity })
  await until(() => answers(port), { timeoutMs: 5_000, everyMs: 50, what: 'smtp-sink listens' })
  return { port, stop: () => child.kill() }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.end('QUIT\r\n')
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
