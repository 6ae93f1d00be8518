import net, { type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createMailers } from './mailer.ts'
import { smtpServerOf } from './smtp-session.ts'

test('a server that takes a mail and never answers is given up while the person who tries it waits', async () => {
  const server = net.createServer((socket) => {
    socket.on('error', () => {})
    let inData = false
    socket.write('220 test\r\n')
    socket.setEncoding('latin1').on('data', (text: string) => {
      if (inData) return
      const lines = text.split('\r\n').slice(0, -1)
      inData = lines.includes('DATA')
      socket.write(lines.map((line) => (line === 'DATA' ? '354 go on\r\n' : '250 ok\r\n')).join(''))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
  const mailers = createMailers({
    smtpUrl: url,
    smtpUrlDomestic: null,
    connections: 1,
    heloName: 'test',
    signingKey: null,
    now: () => new Date(),
  })
  try {
    const mail = {
      from: { name: 'Shop', address: 'shop@example.jp' },
      to: 'me@example.jp',
      subject: 'Test',
      text: 'Test\r\n',
    }
    expect(await mailers.tryOut(smtpServerOf(url), mail, 200)).toEqual({
      kind: 'uncertain',
      detail: 'the server did not answer in time',
    })
  } finally {
    mailers.close()
    await new Promise<void>((resolve) => void server.close(() => resolve()))
  }
})
