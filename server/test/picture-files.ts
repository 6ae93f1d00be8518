import { crc32, deflateSync } from 'node:zlib'

// Pictures made of bytes: whole ones that every browser shows, and ones that must be refused.

export function pngChunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  const head = Buffer.alloc(4)
  head.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([head, body, sum])
}

export function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), pngChunk('IHDR', header)])
}

/** A whole PNG of one grey; `extra` stands before its pixels. */
export const pngPicture = (width: number, height: number, extra: Buffer = Buffer.alloc(0)): Buffer =>
  Buffer.concat([
    pngHeader(width, height),
    extra,
    pngChunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])

export function jpegSegment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** As cameras write it: tag 0x0112 is one of eight ways to turn or mirror. */
export function tiffOrientation(orientation: number, order: 'II' | 'MM'): Buffer {
  const tiff = Buffer.alloc(26)
  tiff.write(order, 'latin1')
  const two = (value: number, at: number) =>
    order === 'II' ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at)
  const four = (value: number, at: number) =>
    order === 'II' ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at)
  two(42, 2)
  four(8, 4)
  two(1, 8)
  two(0x0112, 10)
  two(3, 12)
  four(1, 14)
  two(orientation, 18)
  return tiff
}
export const exif = (tiff: Buffer): Buffer => jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiff]))

interface JpegShape {
  width: number
  height: number
  /** 1 grey, 3 colours, 4 CMYK. */
  components?: number
  /** 0xc0 baseline, 0xc2 progressive. */
  frame?: number
  /** Before the frame. */
  segments?: readonly Buffer[]
}

/** A whole JPEG of one grey: each block is two codes of one bit, in a progressive one (its first scan alone) one. */
export function jpegPicture({ width, height, components = 3, frame = 0xc0, segments = [] }: JpegShape): Buffer {
  const isProgressive = frame === 0xc2
  const ids = Array.from({ length: components }, (_, index) => index + 1)
  const head = Buffer.from([8, 0, 0, 0, 0, components, ...ids.flatMap((id) => [id, 0x11, 0])])
  head.writeUInt16BE(height, 1)
  head.writeUInt16BE(width, 3)
  const oneCode = (table: number) => jpegSegment(0xc4, Buffer.from([table, 1, ...Array<number>(15).fill(0), 0]))
  const scan = Buffer.from([components, ...ids.flatMap((id) => [id, 0]), 0, isProgressive ? 0 : 63, 0])
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8) * components
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...segments,
    jpegSegment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)])),
    jpegSegment(frame, head),
    oneCode(0x00),
    oneCode(0x10),
    jpegSegment(0xda, scan),
    Buffer.alloc(Math.ceil((blocks * (isProgressive ? 1 : 2)) / 8)),
    Buffer.from([0xff, 0xd9]),
  ])
}
