import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseExportLine, readExportLines } from './export-file.ts'

let server: Server
let url: string
let answer: (response: ServerResponse) => void
beforeAll(async () => {
  server = createServer((_, response) => answer(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const FILE = '{"id":"gid://shopify/Customer/1"}\n{"id":"gid://shopify/Customer/2","名":"😀"}\n'
const whole = { bytes: Buffer.byteLength(FILE), objects: 2 }
async function read(size: typeof whole | null = whole, silenceMs = 30_000): Promise<string[]> {
  const lines: string[] = []
  for await (const line of readExportLines(url, size, { silenceMs })) {
    parseExportLine(line, JSON.parse)
    lines.push(line)
  }
  return lines
}
const broken = { service: 'shopify', retryable: true, detail: expect.stringMatching(/^file_(broken|gone)/) }

test('a file comes line by line, in whatever parts its bytes come', async () => {
  const bytes = Buffer.from(FILE)
  answer = (response) => {
    for (const byte of bytes) response.write(Buffer.from([byte]))
    response.end()
  }
  expect(await read()).toEqual(FILE.trimEnd().split('\n'))
})

test('fewer bytes are no matter where the lines are all there, nor fewer lines where the bytes are', async () => {
  answer = (response) => response.end(FILE.trimEnd())
  expect(await read()).toHaveLength(2)
  answer = (response) => response.end(FILE)
  expect(await read({ bytes: whole.bytes, objects: 3 })).toHaveLength(2)
})

test.each([
  ['says nothing', (response: ServerResponse) => response.flushHeaders()],
  ['does not even begin', () => undefined],
  ['says half and then nothing', (response: ServerResponse) => void response.write(FILE.slice(0, 40))],
  ['ends early, between two lines', (response: ServerResponse) => response.end(FILE.split('\n', 1)[0] + '\n')],
  ['ends early, within a line', (response: ServerResponse) => response.end(FILE.slice(0, 50))],
  ['is empty', (response: ServerResponse) => response.end()],
  ['is cut off', (response: ServerResponse) => response.write(FILE.slice(0, 40), () => response.destroy())],
  ['is not packed as told', (response: ServerResponse) => response.setHeader('content-encoding', 'gzip').end(FILE)],
  ['is not there any more', (response: ServerResponse) => response.writeHead(403).end('<Error/>')],
  ['is a gateway’s fault', (response: ServerResponse) => response.writeHead(502).end('<html>')],
])('a file that %s is a broken file, to be read again', async (_, answers) => {
  answer = answers
  await expect(read(whole, 60)).rejects.toMatchObject(broken)
})

test.each(['{"id":"gid://shop', '<!doctype html>', 'null', '[]', '"x"', '{"errors":"Not Found"}'])(
  'the line %s is a broken file',
  (line) => {
    expect(() => parseExportLine(line, JSON.parse)).toThrow(expect.objectContaining(broken))
  },
)

test('a file that is one line without end is broken, long before memory is full', async () => {
  const part = Buffer.alloc(1024 * 1024, 'x')
  const left = new Promise<void>((resolve) => {
    answer = (response) => {
      response.on('close', resolve)
      const more = (): void => void (response.destroyed || response.write(part, more))
      more()
    }
  })
  await expect(read(null)).rejects.toMatchObject({ ...broken, detail: 'file_broken: a line without end' })
  await left
})
