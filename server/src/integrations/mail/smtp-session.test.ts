import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openSmtpSession, type SmtpServer } from './smtp-session.ts'

const open: { server: net.Server; sockets: Socket[] }[] = []
afterEach(() => {
  for (const { server, sockets } of open.splice(0)) {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
})

/** Says to each line what `answer` makes of it, and nothing where that is null. */
async function mailServer(
  answer: (line: string, socket: Socket) => string | null,
): Promise<SmtpServer & { ended: Promise<unknown> }> {
  const sockets: Socket[] = []
  const ended = Promise.withResolvers<void>()
  const server = net.createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => ended.resolve())
    socket.write('220 here\r\n')
    socket.on('data', (data) => {
      for (const line of data.toString().split('\r\n').filter(Boolean)) {
        const said = answer(line, socket)
        if (said !== null) socket.write(said)
      }
    })
  })
  open.push({ server, sockets })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const user = { name: 'shop', password: 'secret' }
  return {
    host: '127.0.0.1',
    port,
    encryption: 'offered',
    verifies: true,
    user,
    publicOnly: false,
    ended: ended.promise,
  }
}

test.each([
  ['the greeting is answered by nothing', () => null],
  [
    'the sign-in is answered by nothing',
    (line: string) => (line.startsWith('EHLO') ? '250-here\r\n250 AUTH PLAIN\r\n' : null),
  ],
])('%s: the connection is given up and closed', async (_, answer) => {
  const server = await mailServer(answer)
  await expect(openSmtpSession(server, 'okaeri.test', { openMs: 50 })).rejects.toMatchObject({
    name: 'SmtpConnectError',
    message: 'the server did not answer in time',
  })
  await server.ended
})

test.each([
  ['begins an answer and never ends it', '2', 0, 'the server did not answer in time'],
  ['hangs up', null, 60_000, 'the server closed the connection'],
])('a server that lets in and then %s has not been spoken to', async (_, said, answerMs, message) => {
  let greeted = 0
  const server = await mailServer((line, socket) => {
    if (line.startsWith('AUTH')) return '235 come in\r\n'
    greeted += 1
    if (greeted === 1) return '250-here\r\n250 AUTH PLAIN\r\n'
    if (said === null) socket.end()
    return said
  })
  await expect(openSmtpSession(server, 'okaeri.test', { answerMs })).rejects.toMatchObject({
    name: 'SmtpConnectError',
    message,
  })
  await server.ended
})
