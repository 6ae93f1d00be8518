import { deflateSync } from 'node:zlib'
import { addRichMenuPicture, getRichMenuPicture } from '@okaeri/contract/rich-menus/routes'
import { expect, test } from 'vitest'
import {
  exif,
  jpegPicture,
  jpegSegment,
  pngChunk,
  pngHeader,
  pngPicture,
  tiffOrientation,
} from '../../../test/picture-files.ts'
import { addMenuPicture } from '../../../test/rich-menu.ts'
import { eachWithMerchant, EMPTY, merchant, withSandbox } from '../../../test/with-okaeri.ts'

withSandbox({ seed: EMPTY })
eachWithMerchant()

const MEGABYTE = 1024 * 1024
const [width, height] = [800, 540]
const jpeg = (shape: Partial<Parameters<typeof jpegPicture>[0]> = {}): Buffer =>
  jpegPicture({ width, height, ...shape })

/** `[reason, field]` of what is refused, or the type, width and height that were read. */
async function judged(bytes: Buffer): Promise<unknown[]> {
  try {
    const { picture } = await merchant.call(addRichMenuPicture, { body: { data: bytes.toString('base64') } })
    return [picture.type, picture.width, picture.height]
  } catch (error) {
    const { status, reason, fields } = error as { status: number; reason: string; fields: Record<string, string> }
    expect(status).toBe(400)
    return [reason, ...Object.keys(fields)]
  }
}
const refused = (reason: string) => [reason, 'data']
async function stored(bytes: Buffer): Promise<Buffer> {
  const id = await addMenuPicture(bytes)
  const { picture } = await merchant.call(getRichMenuPicture, { params: { id } })
  return Buffer.from(picture.data, 'base64')
}

test('whole PNGs and JPEGs are taken as they are, progressive and grey ones too', async () => {
  for (const bytes of [pngPicture(width, height), jpeg(), jpeg({ components: 1 }), jpeg({ frame: 0xc2 })])
    expect((await stored(bytes)).equals(bytes)).toBe(true)
  expect(await judged(jpeg())).toEqual(['image/jpeg', width, height])
})

test('the size of a picture is as the rules say, and so is its file', async () => {
  expect(await judged(pngPicture(799, 300))).toEqual(refused('picture_width'))
  expect(await judged(pngPicture(2501, 300))).toEqual(refused('picture_width'))
  expect(await judged(pngPicture(800, 249))).toEqual(refused('picture_height'))
  expect(await judged(pngPicture(800, 552))).toEqual(refused('picture_aspect'))
  expect(await judged(jpeg({ height: 0 }))).toEqual(refused('picture_height'))
  expect(await judged(Buffer.alloc(MEGABYTE + 1))).toEqual(refused('picture_too_large'))
})

test('a picture that would be huge once unpacked is judged without unpacking it', async () => {
  const declared = Buffer.concat([
    pngHeader(0x7fffffff, 0x7fffffff),
    pngChunk('IDAT', deflateSync(Buffer.alloc(64))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
  expect(await judged(declared)).toEqual(refused('picture_width'))
  expect(await judged(jpeg({ width: 65_535, height: 8 }))).toEqual(refused('picture_width'))
  // A text of 60 MB in 60 kB: it is passed over, as browsers do.
  const text = Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(60 * MEGABYTE))])
  expect(await judged(pngPicture(width, height, pngChunk('zTXt', text)))).toEqual(['image/png', width, height])
  // As many chunks as find room.
  const many = Buffer.concat(Array.from({ length: 80_000 }, () => pngChunk('tEXt', Buffer.alloc(0))))
  expect(await judged(pngPicture(width, height, many))).toEqual(['image/png', width, height])
})

test('what is animated, in the colors of print, or turned by its camera is refused with that reason', async () => {
  expect(await judged(pngPicture(width, height, pngChunk('acTL', Buffer.alloc(8))))).toEqual(
    refused('picture_animated'),
  )
  const adobe = jpegSegment(0xee, Buffer.from('Adobe\0\x64\0\0\0\0\x02', 'latin1'))
  expect(await judged(jpeg({ components: 4, segments: [adobe] }))).toEqual(refused('picture_cmyk'))
  for (const order of ['II', 'MM'] as const) {
    const of = (orientation: number) => judged(jpeg({ segments: [exif(tiffOrientation(orientation, order))] }))
    expect(await of(1)).toEqual(['image/jpeg', width, height])
    for (const orientation of [2, 3, 4, 5, 6, 7, 8]) expect(await of(orientation)).toEqual(refused('picture_rotated'))
    // Of no meaning: browsers leave it as it is.
    expect(await of(9)).toEqual(['image/jpeg', width, height])
    expect(await judged(pngPicture(width, height, pngChunk('eXIf', tiffOrientation(6, order))))).toEqual(
      refused('picture_rotated'),
    )
  }
})

test('what stands in EXIF and leads nowhere is no fault', async () => {
  const far = tiffOrientation(6, 'II')
  far.writeUInt32LE(0xffffffff, 4)
  const long = tiffOrientation(6, 'MM')
  long.writeUInt16BE(0xffff, 8)
  long.writeUInt16BE(0x0111, 10)
  for (const tiff of [far, long, Buffer.alloc(0), Buffer.alloc(7), Buffer.from('II')])
    expect(await judged(jpeg({ segments: [exif(tiff)] }))).toEqual(['image/jpeg', width, height])
})

test('the frame is found behind many segments, and behind bytes that fill a gap', async () => {
  const notes = Array.from({ length: 15 }, () => jpegSegment(0xfe, Buffer.alloc(60_000, 0xff)))
  expect(await judged(jpeg({ segments: [...notes, Buffer.from([0xff, 0xff, 0xff])] }))).toEqual([
    'image/jpeg',
    width,
    height,
  ])
  const small = Array.from({ length: 100_000 }, () => jpegSegment(0xfe, Buffer.alloc(0)))
  expect(await judged(jpeg({ segments: small }))).toEqual(['image/jpeg', width, height])
})

test('what is cut off is refused, wherever it was cut', async () => {
  for (const whole of [pngPicture(width, height), jpeg(), jpeg({ frame: 0xc2 })]) {
    const places = [
      1,
      2,
      3,
      4,
      8,
      9,
      20,
      32,
      33,
      40,
      60,
      100,
      170,
      whole.length - 12,
      whole.length - 2,
      whole.length - 1,
    ]
    for (const place of places) expect(await judged(whole.subarray(0, place))).toEqual(refused('picture_unreadable'))
  }
})

test('what is put together wrongly is refused', async () => {
  const end = pngChunk('IEND', Buffer.alloc(0))
  const second = jpegPicture({ width: 2000, height: 1000 })
  const wrong = [
    // No pixels, a second header, the header not first, a length beyond the end.
    Buffer.concat([pngHeader(width, height), end]),
    pngPicture(width, height, pngHeader(2000, 1000).subarray(8)),
    Buffer.concat([pngHeader(1, 1).subarray(0, 8), pngChunk('tEXt', Buffer.alloc(13)), pngPicture(width, height)]),
    Buffer.concat([pngHeader(width, height), Buffer.from([0xff, 0xff, 0xff, 0xff]), Buffer.from('IDAT'), end]),
    // A second frame, none, pixels that never come, a segment without length, kinds no browser shows.
    jpeg({ segments: [jpegSegment(0xc0, Buffer.from([8, 2, 28, 3, 32, 1, 1, 0x11, 0]))] }),
    Buffer.concat([second.subarray(0, 2), second.subarray(second.length - 2)]),
    jpeg({ segments: [jpegSegment(0xfe, Buffer.alloc(0)).fill(0, 2)] }),
    jpeg({ frame: 0xc3 }),
    jpeg({ frame: 0xc9 }),
    jpeg({ components: 2 }),
    jpeg({ segments: [Buffer.from([0xff, 0xd9])] }),
  ]
  for (const bytes of wrong) expect(await judged(bytes)).toEqual(refused('picture_unreadable'))
})

test('of a file that is two at once only the picture is kept', async () => {
  const page = Buffer.from('PK\x03\x04<script>alert(1)</script>')
  for (const whole of [pngPicture(width, height), jpeg()])
    expect((await stored(Buffer.concat([whole, page]))).equals(whole)).toBe(true)
  expect(await judged(Buffer.concat([page, jpeg()]))).toEqual(refused('picture_unreadable'))
})

test('other kinds are refused whatever they are called', async () => {
  const others = {
    gif: Buffer.from('GIF89a\x20\x03\x1c\x02\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x20\x03\x1c\x02\0\x02\0;', 'latin1'),
    webp: Buffer.from('RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\x1f\x43\x86\0', 'latin1'),
    heic: Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'),
    svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="800" height="540"/>'),
    one: Buffer.from([0]),
  }
  for (const bytes of Object.values(others)) expect(await judged(bytes)).toEqual(refused('picture_unreadable'))
})

test('bytes at random are refused, or read; never a fault', async () => {
  const whole = [pngPicture(width, height), jpeg({ segments: [exif(tiffOrientation(6, 'II'))] })]
  for (let n = 0; n < 100; n += 1) {
    const bytes = Buffer.from(whole[n % 2] as Buffer)
    for (let change = 0; change < 3; change += 1)
      bytes[(n * 7919 + change * 104_729) % 300] = (n * 31 + change * 17) % 256
    expect((await judged(bytes)).length).toBeGreaterThan(1)
  }
})

test('a file of 26 MB is not read to its end', async () => {
  const call = merchant.call(addRichMenuPicture, { body: { data: Buffer.alloc(26 * MEGABYTE).toString('base64') } })
  await expect(call).rejects.toMatchObject({ status: 413, reason: 'body_too_large' })
})

test('text that is no base64 is a fault of its field, however long it is', async () => {
  for (const data of ['', '!', 'AAA', `${'A'.repeat(1_398_000)}!`, `${'A'.repeat(1_398_001)}`, 'データ']) {
    const call = merchant.call(addRichMenuPicture, { body: { data } })
    await expect(call).rejects.toMatchObject({ status: 400, fields: { data: expect.any(String) as string } })
  }
})
