import type { PictureSize } from '@okaeri/contract/rich-menus/menu'

export type PictureFacts = PictureSize & { type: 'image/png' | 'image/jpeg' }

const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** APP1, where cameras write which way the picture is to be turned. */
const EXIF = 0xe1
const START_OF_SCAN = 0xda
/** Three colours, or shades of grey; four are CMYK, which browsers and phones show differently. */
const SCREEN_COMPONENTS = [1, 3]

/**
 * What a picture's own bytes say, without unpacking it. Null where it is no PNG or JPEG as screens show it: animated, CMYK, turned by EXIF, or
 * cut off.
 */
export const pictureFacts = (bytes: Buffer): PictureFacts | null =>
  bytes.subarray(0, PNG_START.length).equals(PNG_START) ? pngFacts(bytes) : jpegFacts(bytes)

function pngFacts(bytes: Buffer): PictureFacts | null {
  let size: PictureSize | null = null
  for (let place = PNG_START.length; place + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(place)
    const kind = bytes.toString('latin1', place + 4, place + 8)
    if (place + 12 + length > bytes.length || kind === 'acTL') return null
    if (kind === 'IHDR' && length >= 13)
      size = { width: bytes.readUInt32BE(place + 8), height: bytes.readUInt32BE(place + 12) }
    if (kind === 'IEND') return size && { type: 'image/png', ...size }
    place += 12 + length
  }
  return null
}

function jpegFacts(bytes: Buffer): PictureFacts | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null
  let size: PictureSize | null = null
  for (let place = 2; place + 4 <= bytes.length && bytes[place] === 0xff; ) {
    const marker = bytes[place + 1] ?? 0
    const length = bytes.readUInt16BE(place + 2)
    const segment = bytes.subarray(place + 4, place + 2 + length)
    if (marker === START_OF_SCAN) return size && { type: 'image/jpeg', ...size }
    if (marker === EXIF && isTurned(segment)) return null
    if (isFrame(marker)) {
      if (segment.length < 6 || !SCREEN_COMPONENTS.includes(segment[5] ?? 0)) return null
      size = { height: segment.readUInt16BE(1), width: segment.readUInt16BE(3) }
    }
    place += 2 + length
  }
  return null
}

/** SOF0 to SOF15, less the three that are tables. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Tag 0x0112 in the first directory, when it is anything but upright. */
function isTurned(segment: Buffer): boolean {
  if (segment.toString('latin1', 0, 4) !== 'Exif' || segment.length < 16) return false
  const tiff = segment.subarray(6)
  const little = tiff.toString('latin1', 0, 2) === 'II'
  const two = (at: number): number =>
    at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
  const start = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  const count = two(start)
  for (let entry = 0; entry < count && start + 2 + entry * 12 < tiff.length; entry += 1) {
    const at = start + 2 + entry * 12
    if (two(at) === 0x0112) return two(at + 8) > 1
  }
  return false
}
