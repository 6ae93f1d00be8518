import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { filesIn, s3OfTests } from '../../../test/s3.ts'
import { folderStorage } from './folder.ts'
import type { Storage } from './storage.ts'
import { s3Storage } from './s3.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-storage-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const s3 = s3OfTests()
const storages: [string, Storage][] = [
  ['a folder', folderStorage(folder)],
  ...(s3 ? ([['a store that speaks S3', s3Storage(s3)]] as [string, Storage][]) : []),
]

const put = (storage: Storage, key: string, text: string): Promise<void> =>
  storage.put(key, { content: Readable.from([Buffer.from(text)]), type: 'image/png', sizeBytes: text.length })

describe.for(storages)('%s', ([, storage]) => {
  test('keeps what is put, lists it by its beginning, and forgets what is deleted', async () => {
    await storage.ping()
    await put(storage, 'pictures/a/full', 'hello')
    await put(storage, 'pictures/a/full', 'again')
    await put(storage, 'pictures/b/full', 'x')
    const found = await storage.get('pictures/a/full')
    expect(found?.sizeBytes).toBe(5)
    expect(Buffer.concat((await found?.content.toArray()) as Buffer[]).toString()).toBe('again')
    expect(await storage.get('pictures/c/full')).toBeNull()
    expect(await filesIn(storage, 'pictures/a/')).toEqual(['pictures/a/full 5'])
    expect(await filesIn(storage, 'pictures/')).toEqual(['pictures/a/full 5', 'pictures/b/full 1'])
    await storage.delete(['pictures/a/full', 'pictures/b/full', 'pictures/c/full'])
    expect(await filesIn(storage, 'pictures/')).toEqual([])
  })
})

test('in the folder nothing stays of what was cut off, and no name leads out of it', async () => {
  const storage = folderStorage(folder)
  const cutOff = Readable.from(
    (async function* () {
      yield Buffer.from('half')
      throw new Error('cut off')
    })(),
  )
  await expect(storage.put('incoming/a/b', { content: cutOff, type: 'image/png', sizeBytes: 0 })).rejects.toThrow(
    'cut off',
  )
  expect(await filesIn(storage, 'incoming/a/')).toEqual([])
  for (const key of ['../secrets', 'a/../../b', '/etc/passwd', 'a'])
    await expect(storage.get(key)).rejects.toThrow('no key of ours')
})

test.skipIf(!s3)('an address of S3 takes one type and size, and no forged signature', async () => {
  const storage = s3Storage(s3 as NonNullable<typeof s3>)
  const address = (await storage.presign('incoming/a/c', { type: 'image/png', sizeBytes: 3, endsInSeconds: 60 })) ?? ''
  const status = async (body: string, type: string, url = address) =>
    (await fetch(url, { method: 'PUT', headers: { 'content-type': type }, body })).status
  expect(await status('abc', 'text/html')).toBe(403)
  expect(await status('abcd', 'image/png')).toBe(403)
  expect(await status('abc', 'image/png', address.replace(/Signature=..../, 'Signature=0000'))).toBe(403)
  expect(await status('abc', 'image/png')).toBe(200)
  await storage.delete(['incoming/a/c'])
})

test('a store that takes a request and says nothing, or breaks off in the middle of a file, is given up', async () => {
  const server = http.createServer((request, response) => {
    request.resume()
    if (request.url?.startsWith('/pictures/a/half')) response.writeHead(200, { 'content-length': 100 }).write('half')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const settings = {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    bucket: 'pictures',
    accessKeyId: 'key',
    secretAccessKey: 'secret',
    usesPath: true,
  }
  const silent = s3Storage(settings, 50)
  const unanswered = { service: 'storage', retryable: true, detail: 'TimeoutError' }
  await expect(silent.ping()).rejects.toMatchObject(unanswered)
  await expect(silent.get('a/full')).rejects.toMatchObject(unanswered)
  await expect(put(silent, 'a/full', 'x')).rejects.toMatchObject(unanswered)
  await expect(silent.delete(['a/full'])).rejects.toMatchObject(unanswered)
  await expect(filesIn(silent, 'a/')).rejects.toMatchObject(unanswered)
  const breaking = s3Storage(settings, 1000)
  const half = await breaking.get('a/half')
  await expect(half?.content.toArray()).rejects.toThrow('timed out')
  for (const each of [silent, breaking]) each.close()
  server.closeAllConnections()
  server.close()
})
