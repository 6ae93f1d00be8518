import dgram from 'node:dgram'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { callWebhook, createNames } from './index.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function receiver(answer: http.RequestListener): Promise<string> {
  const server = http.createServer(answer)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
// So long that an answer which is there is heard on a busy machine too.
const call = (url: string, timeoutMs = 60_000) =>
  callWebhook({ url, body: '{}', secret: 's', id: 'i', at: new Date(0), timeoutMs, allowPrivate: true })

test('A receiver that took the call and never ends what it says about it has taken the call', async () => {
  const url = await receiver((_request, response) => {
    response.writeHead(202)
    response.write('thank')
  })
  expect(await call(url, 3_000)).toEqual({ status: 202, answer: 'thank' })
})

test('A receiver that breaks off in the middle of its answer has answered', async () => {
  const url = await receiver((_request, response) => {
    response.writeHead(200, { 'content-length': 1000 })
    response.write('half', () => response.destroy())
  })
  expect(await call(url)).toMatchObject({ status: 200 })
})

test('A body without an end is read as far as it is kept', async () => {
  const url = await receiver((_request, response) => {
    const more = (): void => void (response.writable && response.write('x'.repeat(65_536), more))
    response.writeHead(200)
    more()
  })
  const { answer } = await call(url)
  expect(answer).toBe('x'.repeat(500))
})

test('A receiver that would rather speak another protocol has not answered, and keeps no one waiting', async () => {
  const url = await receiver((request) => {
    request.socket.end(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: another\r\n\r\nits first words',
    )
  })
  await expect(call(url)).rejects.toMatchObject({ retryable: true, detail: 'no connection (no answer)' })
})

test('A redirect is no answer, wherever it leads', async () => {
  const url = await receiver((_request, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end())
  await expect(call(url)).rejects.toMatchObject({ retryable: false, detail: '307' })
})

test('A name server that never answers is given up, and delays no one else', async () => {
  const silent = dgram.createSocket('udp4')
  await new Promise<void>((listening) => silent.bind(0, '127.0.0.1', listening))
  closing.push(() => silent.close())
  const names = createNames({ servers: [`127.0.0.1:${silent.address().port}`], timeoutMs: 20 })
  await expect(names.addressesOf('shop.example')).rejects.toMatchObject({
    retryable: true,
    detail: 'shop.example was not found (ETIMEOUT)',
  })
})

test.each([
  [3, 'ENOTFOUND'],
  [2, 'ESERVFAIL'],
])('An unknown name is distinguished from a failed lookup (answer %i)', async (code, said) => {
  const server = dgram.createSocket('udp4')
  await new Promise<void>((listening) => server.bind(0, '127.0.0.1', listening))
  closing.push(() => server.close())
  server.on('message', (asked, { port, address }) => {
    const answer = Buffer.from(asked)
    answer.writeUInt16BE(0x8180 | code, 2)
    server.send(answer, port, address)
  })
  const names = createNames({ servers: [`127.0.0.1:${server.address().port}`], timeoutMs: 60_000 })
  await expect(names.addressesOf('shop.example')).rejects.toMatchObject({
    detail: `shop.example was not found (${said})`,
  })
})
