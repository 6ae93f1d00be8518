import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import {
  changeMedia,
  deleteMedia,
  getMedia,
  getMediaUses,
  listMedia,
  presignMedia,
} from '@okaeri/contract/media/routes'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createEmailComponent } from '@okaeri/contract/emails/component-routes'
import { anEmail } from '../../../test/builders/email.ts'
import { aLineMessage } from '../../../test/builders/line-message.ts'
import { addMail } from '../../../test/fixtures.ts'
import { pngHeader, pngChunk } from '../../../test/picture-files.ts'
import { refusal } from '../../../test/refusal.ts'
import { merchant, okaeri, withMerchants } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import { mediaFiles } from './files.ts'
import { uploadLink } from './upload-link.ts'
import { readMediaId } from './media-id.ts'

withMerchants({ env: { MEDIA_MAX_COUNT: '6', MEDIA_MAX_MB: '1' } })

const colours = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 40, b: 90 } } })
const photo = (): Promise<Buffer> => colours(1600, 900).jpeg().toBuffer()

const bomb = (width: number, height: number): Buffer =>
  Buffer.concat([pngHeader(width, height), pngChunk('IDAT', Buffer.alloc(20)), pngChunk('IEND', Buffer.alloc(0))])

const begin = (name = '新茶.jpg', more: { type?: 'image/png'; size_bytes?: number; folder?: string } = {}) =>
  merchant.call(presignMedia, { body: { name, ...more } })
const put = (address: string, bytes: Uint8Array | string, type = 'image/jpeg'): Promise<Response> =>
  fetch(address, { method: 'PUT', headers: { 'content-type': type }, body: bytes as Uint8Array<ArrayBuffer> | string })
async function reasonOf(response: Response): Promise<string> {
  return ((await response.json()) as { error: { reason: string } }).error.reason
}
async function upload(bytes?: Uint8Array, name?: string) {
  const begun = await begin(name)
  const answer = await put(begun.presigned_url, bytes ?? (await photo()))
  expect(answer.status).toBe(200)
  return { ...begun, user_media: ((await answer.json()) as { user_media: typeof begun.user_media }).user_media }
}
const folder = (): string => path.join(okaeri.context.settings.dataDir, 'media')
const files = (below: string): string[] =>
  fs.existsSync(below)
    ? fs.readdirSync(below, { recursive: true, withFileTypes: true }).flatMap((one) => (one.isFile() ? [one.name] : []))
    : []
const filesOfMerchant = (): string[] => [
  ...files(path.join(folder(), 'pictures', merchant.id)),
  ...files(path.join(folder(), 'incoming', merchant.id)),
]

test('a picture is begun, sent without signing in, and shown at its public address with a copy for mails', async () => {
  const begun = await begin()
  expect((await fetch(begun.public_url)).status).toBe(404)
  const answer = await put(begun.presigned_url, await photo())
  expect(answer.status).toBe(200)
  const { data, total, quota } = await merchant.call(listMedia, {})
  expect(total).toBe(1)
  expect(quota).toMatchObject({ count: 1, max_count: 6, max_bytes: 1024 * 1024 })
  const [picture] = data
  expect(picture).toMatchObject({
    name: '新茶.jpg',
    state: 'ready',
    type: 'image/jpeg',
    width: 1600,
    height: 900,
    url: begun.public_url,
    mail: { width: 1200, height: 675 },
  })
  const shown = await fetch(begun.public_url)
  expect(shown.status).toBe(200)
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
  })
  expect((await sharp(Buffer.from(await shown.arrayBuffer())).metadata()).width).toBe(1600)
  const mail = await fetch(picture?.mail?.url ?? '')
  expect((await sharp(Buffer.from(await mail.arrayBuffer())).metadata()).width).toBe(1200)
  const again = await fetch(begun.public_url, { headers: { 'if-none-match': shown.headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
  const head = await fetch(begun.public_url, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, shown.headers.get('content-length')])
  const picked = await okaeri.call(getMedia, { params: { id: picture?.id ?? '' } })
  expect(JSON.stringify(picked)).not.toContain('新茶')
  expect(picked.user_media).toMatchObject({ type: 'image/jpeg', width: 1600 })
})

test('the type is what the bytes say, whatever the name and the browser say', async () => {
  const { user_media } = await upload(await colours(40, 30).png().toBuffer(), 'lies.gif')
  expect(user_media).toMatchObject({ name: 'lies.gif', type: 'image/png' })
  const shown = await fetch(user_media.url)
  expect(shown.headers.get('content-type')).toBe('image/png')
})

test('where a picture was taken is in no copy, and it stands upright', async () => {
  const taken = await colours(300, 200)
    .withExif({ IFD0: { Artist: 'SECRET-ARTIST' }, IFD3: { GPSLatitude: '35/1 39/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  expect(taken.includes('SECRET-ARTIST')).toBe(true)
  const { user_media } = await upload(taken)
  expect(user_media).toMatchObject({ width: 200, height: 300 })
  for (const url of [user_media.url, user_media.mail?.url ?? '', user_media.small_url]) {
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
    expect(bytes.includes('SECRET-ARTIST')).toBe(false)
    expect((await sharp(bytes).metadata()).exif).toBeUndefined()
  }
})

test('an animated GIF goes on moving, a WebP becomes what mails show', async () => {
  const frames = await Promise.all(
    ['#f00', '#0f0', '#00f'].map((background) =>
      sharp({ create: { width: 20, height: 10, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  const moving = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
  const gif = await upload(moving)
  expect(gif.user_media).toMatchObject({ type: 'image/gif', width: 20, height: 10 })
  const shown = Buffer.from(await (await fetch(gif.user_media.mail?.url ?? '')).arrayBuffer())
  expect((await sharp(shown, { animated: true }).metadata()).pages).toBe(3)
  const webp = await upload(await colours(20, 10).webp().toBuffer())
  expect(webp.user_media.type).toBe('image/jpeg')
  const movingWebp = await sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer()
  const refused = await put((await begin()).presigned_url, movingWebp)
  expect([refused.status, await reasonOf(refused)]).toEqual([400, 'picture_moving'])
})

const notPictures: readonly (readonly [string, string, () => Uint8Array | string | Promise<Uint8Array>])[] = [
  [
    'a drawing with scripts',
    'picture_svg',
    () => '<?xml version="1.0"?><svg xmlns="x"><script>alert(1)</script></svg>',
  ],
  ['a page', 'picture_type', () => '<!doctype html><script>alert(1)</script>'],
  ['nothing', 'picture_type', () => ''],
  ['a photo of a phone in its own format', 'picture_heic', () => '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
  ['the beginning of a picture', 'picture_damaged', async () => (await photo()).subarray(0, 2000)],
  ['a picture that is larger than it says', 'picture_pixels', () => bomb(30_000, 30_000)],
  ['a picture without pixels', 'picture_damaged', () => bomb(100, 100)],
]
test.for(notPictures)('%s is refused with words, and nothing is kept of it', async ([, reason, make]) => {
  const begun = await begin()
  const answer = await put(begun.presigned_url, await make())
  expect([answer.status, await reasonOf(answer)]).toEqual([400, reason])
  expect((await merchant.call(listMedia, {})).total).toBe(0)
  expect(filesOfMerchant()).toEqual([])
  expect((await fetch(begun.public_url)).status).toBe(404)
})
test('an address is good for one file, of the type and size that were said, until it ends', async () => {
  const { presigned_url, user_media } = await begin('a.png', { type: 'image/png', size_bytes: 2000 })
  const png = await colours(30, 20).png().toBuffer()
  expect((await put(presigned_url, png, 'image/jpeg')).status).toBe(415)
  expect((await put(presigned_url, png, 'text/html')).status).toBe(415)
  expect(await reasonOf(await put(presigned_url, Buffer.alloc(2001), 'image/png'))).toBe('media_too_large')
  expect((await put(`${presigned_url.slice(0, -3)}AAA`, png, 'image/png')).status).toBe(404)
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(1500)),
  })
  const limited = endless.pipeThrough(takes(3))
  const chunked = await fetch(presigned_url, {
    method: 'PUT',
    headers: { 'content-type': 'image/png' },
    body: limited,
    duplex: 'half',
  } as RequestInit)
  expect([chunked.status, await reasonOf(chunked)]).toEqual([413, 'media_too_large'])
  expect((await put(presigned_url, png, 'image/png')).status).toBe(200)
  const second = await put(presigned_url, png, 'image/png')
  expect([second.status, await reasonOf(second)]).toEqual([409, 'upload_used'])
  const ended = uploadLink(okaeri.context, {
    merchantId: merchant.id,
    id: readMediaId(user_media.id)?.id ?? '',
    type: null,
    maxBytes: 2000,
    endsAt: new Date(okaeri.clock.realNow().getTime() - 1),
  })
  expect(await reasonOf(await put(ended, png, 'image/png'))).toBe('upload_ended')
})
const takes = (count: number): TransformStream => {
  let left = count
  return new TransformStream({
    transform(chunk, controller) {
      if (left-- > 0) controller.enqueue(chunk)
      else controller.terminate()
    },
  })
}

test('on a full disk a picture is refused for that reason, and can be sent again when there is room', async () => {
  const { presigned_url } = await begin()
  const { storage } = okaeri.context.integrations
  okaeri.context.integrations.storage = {
    ...storage,
    put: (_, { content }) => pipeline(content, fs.createWriteStream('/dev/full')),
  }
  const refused = await put(presigned_url, await photo())
  okaeri.context.integrations.storage = storage
  expect([refused.status, await reasonOf(refused)]).toEqual([503, 'disk_full'])
  expect((await put(presigned_url, await photo())).status).toBe(200)
})

test('a file that is not sent to its end is forgotten, and can be sent again', async () => {
  const { presigned_url } = await begin()
  const { hostname, port, pathname } = new URL(presigned_url)
  const socket = net.connect(Number(port), hostname)
  socket.write(`PUT ${pathname} HTTP/1.1\r\nhost: x\r\ncontent-type: image/jpeg\r\ncontent-length: 1000\r\n\r\nhalf`)
  socket.end()
  await once(socket.resume(), 'close')
  expect((await put(presigned_url, await photo())).status).toBe(200)
})

test('a merchant keeps so many pictures and so many bytes, also when many come at once', async () => {
  const begun = await Promise.allSettled(Array.from({ length: 8 }, () => begin()))
  expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(6)
  const other = await okaeri.merchant()
  await other.call(presignMedia, { body: { name: 'x' } })
  const [first] = begun
  if (first?.status !== 'fulfilled') throw new Error('refused')
  const noise = await sharp({
    create: {
      width: 900,
      height: 900,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer()
  const answer = await put(first.value.presigned_url, noise, 'image/png')
  expect([answer.status, await reasonOf(answer)]).toEqual([409, 'media_full'])
  expect(filesOfMerchant()).toEqual([])
})

test('what a picture is called, its folder and its text are changed; the library is searched, sorted and narrowed', async () => {
  const one = await upload(undefined, 'b.jpg')
  const two = await upload(await colours(10, 10).png().toBuffer(), 'a%.png')
  await merchant.call(changeMedia, {
    body: { user_media: { id: one.user_media.id, folder: '夏', alt_text: '茶畑の写真' } },
  })
  const names = async (query: object) => (await merchant.call(listMedia, { query })).data.map(({ name }) => name)
  expect(await names({ sort: 'name', direction: 'asc' })).toEqual(['a%.png', 'b.jpg'])
  expect(await names({ sort: 'size_bytes' })).toEqual(['b.jpg', 'a%.png'])
  expect(await names({ q: '%' })).toEqual(['a%.png'])
  expect(await names({ q: '茶畑' })).toEqual(['b.jpg'])
  expect(await names({ folder: '夏' })).toEqual(['b.jpg'])
  expect(await names({ folder: '' })).toEqual(['a%.png'])
  expect(await names({ for: 'line', sort: 'name' })).toEqual(['b.jpg', 'a%.png'])
  expect((await merchant.call(listMedia, {})).folders).toEqual([{ name: '夏', count: 1 }])
  const other = await okaeri.merchant()
  expect(
    await refusal(other.call(changeMedia, { body: { user_media: { id: two.user_media.id, name: 'x' } } })),
  ).toMatchObject({ status: 404 })
  expect(await refusal(other.call(deleteMedia, { params: { id: two.user_media.id } }))).toMatchObject({ status: 404 })
  expect(await refusal(merchant.as('viewer')(presignMedia, { body: { name: 'x' } }))).toMatchObject({ status: 403 })
})

test('a picture that an email shows is deleted only when that is confirmed, and then is no longer served', async () => {
  const { user_media } = await upload()
  const email = await anEmail(merchant, { content: `<img src="${user_media.mail?.url}">` })
  const uses = await merchant.call(getMediaUses, { params: { id: user_media.id } })
  expect(uses).toEqual({ uses: [{ type: 'email', id: email.id, name: email.name }], messages: 0 })
  const inComponent = await merchant.call(createEmailComponent, {
    body: { name: '見出し', content: `<img src="${user_media.url}">` },
  })
  const line = await aLineMessage(merchant, [
    {
      type: 'image',
      image_url: user_media.url.replace('http:', 'https:'),
      preview_url: '',
      link_url: '',
      ratio: '3:2',
      alt_text: '',
    },
  ])
  const frozen = newId()
  await okaeri.query`insert into messages (merchant_id, id, email_id, tracking_enabled, state, created_at)
    values (${merchant.id}, ${frozen}, ${email.id}, true, 'done', now())`
  await addMail(merchant.scope(), { messageId: frozen, subject: '新茶', html: `<img src="${user_media.mail?.url}">` })
  expect(await merchant.call(getMediaUses, { params: { id: user_media.id } })).toEqual({
    uses: [
      { type: 'email', id: email.id, name: email.name },
      { type: 'email_component', id: inComponent.email_component.id, name: '見出し' },
      { type: 'line_message', id: line.id, name: line.name },
    ],
    messages: 1,
  })
  expect(await refusal(merchant.call(deleteMedia, { params: { id: user_media.id } }))).toMatchObject({
    reason: 'media_in_use',
  })
  await merchant.call(deleteMedia, { params: { id: user_media.id }, query: { in_use: 'delete' } })
  const gone = await fetch(user_media.url)
  expect([gone.status, gone.headers.get('cache-control')]).toEqual([404, 'no-store'])
  expect(filesOfMerchant()).toEqual([])
  expect(await refusal(merchant.call(deleteMedia, { params: { id: user_media.id } }))).toMatchObject({ status: 404 })
})

test('with a merchant its files go, and no other merchant’s', async () => {
  const { user_media } = await upload()
  await begin()
  const other = await okaeri.merchant()
  expect(await mediaFiles.erase(other.scope())).toBe(0)
  expect((await fetch(user_media.url)).status).toBe(200)
  expect(await mediaFiles.erase(merchant.scope())).toBeGreaterThan(0)
  expect(filesOfMerchant()).toEqual([])
  expect((await fetch(user_media.url)).status).toBe(404)
})

test('what was never sent goes after a day', async () => {
  const { user_media } = await begin()
  expect(await refusal(merchant.call(changeMedia, { body: { user_media: { id: user_media.id } } }))).toMatchObject({
    reason: 'upload_missing',
  })
  okaeri.advance(3_600_000)
  await okaeri.settle()
  expect(await refusal(merchant.call(changeMedia, { body: { user_media: { id: user_media.id } } }))).toMatchObject({
    reason: 'upload_missing',
  })
  okaeri.advance(86_400_000)
  await okaeri.settle()
  expect(await refusal(merchant.call(changeMedia, { body: { user_media: { id: user_media.id } } }))).toMatchObject({
    status: 404,
  })
})

test('a file that arrived while the process died is looked at by a worker', async () => {
  const { user_media } = await begin()
  const { id } = readMediaId(user_media.id) ?? { id: '' }
  const incoming = path.join(folder(), 'incoming', merchant.id)
  fs.mkdirSync(incoming, { recursive: true })
  fs.writeFileSync(path.join(incoming, id), await photo())
  okaeri.advance(3 * 60_000)
  await okaeri.settle()
  expect((await merchant.call(listMedia, {})).data).toMatchObject([{ id: user_media.id, state: 'ready' }])
  expect(fs.existsSync(incoming)).toBe(false)
})

test('files and rows are compared: files without a row go after a week, a row without its file is not shown as ready', async () => {
  const [kept, lost] = [await upload(), await upload()]
  const pictures = path.join(folder(), 'pictures', merchant.id)
  const idOf = (one: typeof kept): string => readMediaId(one.user_media.id)?.id ?? ''
  const old = new Date(okaeri.clock.realNow().getTime() - 8 * 86_400_000)
  for (const [name, at] of [
    ['11111111-1111-4111-8111-111111111111', old],
    ['22222222-2222-4222-8222-222222222222', okaeri.clock.realNow()],
  ] as const) {
    fs.mkdirSync(path.join(pictures, name))
    fs.writeFileSync(path.join(pictures, name, 'full'), 'x')
    fs.utimesSync(path.join(pictures, name, 'full'), at, at)
  }
  const away = path.join(pictures, 'away')
  fs.renameSync(path.join(pictures, idOf(lost)), away)
  const sweep = async () => {
    okaeri.advance(25 * 3_600_000)
    await okaeri.settle()
  }
  await sweep()
  expect(fs.readdirSync(pictures).sort()).toEqual(['22222222-2222-4222-8222-222222222222', 'away', idOf(kept)].sort())
  const states = async () =>
    Object.fromEntries((await merchant.call(listMedia, {})).data.map(({ id, state }) => [id, state]))
  expect(await states()).toEqual({ [kept.user_media.id]: 'ready', [lost.user_media.id]: 'missing' })
  expect((await fetch(lost.user_media.url)).status).toBe(404)
  fs.renameSync(away, path.join(pictures, idOf(lost)))
  await sweep()
  expect(await states()).toEqual({ [kept.user_media.id]: 'ready', [lost.user_media.id]: 'ready' })
})
