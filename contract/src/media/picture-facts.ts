/** What keeps a whole picture from being used as it is: phones and the platform do not show these alike. */
export type PictureFlaw = 'animated' | 'cmyk' | 'rotated'

export interface PictureFacts {
  width: number
  height: number
  type: 'image/png' | 'image/jpeg'
  flaw: PictureFlaw | null
  /** Where the picture ends: bytes behind it are not of it. Null where it is cut off or damaged. */
  endsAt: number | null
}

/**
 * What a picture's own bytes say, without unpacking it; width and height in pixels, as stored. Null where they are neither a PNG nor a JPEG,
 * whatever the file is called.
 */
export function pictureFacts(bytes: Uint8Array): PictureFacts | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return startsWith(bytes, PNG_START) ? pngFacts(view) : startsWith(bytes, JPEG_START) ? jpegFacts(view) : null
}

const PNG_START = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const JPEG_START = [0xff, 0xd8, 0xff]
const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  bytes.length > start.length && start.every((byte, at) => bytes[at] === byte)

const fourAt = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3))

/** Chunks of length, kind, data and checksum: the header first, the end last, pixels between them. */
function pngFacts(view: DataView): PictureFacts | null {
  const [header, length] = [PNG_START.length, 13]
  if (view.byteLength < header + 12 + length || view.getUint32(header) !== length) return null
  if (fourAt(view, header + 4) !== 'IHDR') return null
  const facts: PictureFacts = {
    type: 'image/png',
    width: view.getUint32(header + 8),
    height: view.getUint32(header + 12),
    flaw: null,
    endsAt: null,
  }
  let hasPixels = false
  for (let place = header + 12 + length; place + 12 <= view.byteLength; ) {
    const end = place + 12 + view.getUint32(place)
    if (end > view.byteLength) break
    const kind = fourAt(view, place + 4)
    if (kind === 'IHDR') break
    if (kind === 'IEND') return { ...facts, endsAt: hasPixels ? end : null }
    if (kind === 'IDAT') hasPixels = true
    if (kind === 'acTL') facts.flaw = 'animated'
    if (kind === 'eXIf' && isRotated(view, place + 8, end - 4)) facts.flaw ??= 'rotated'
    place = end
  }
  return facts
}

const START_OF_SCAN = 0xda
const END_OF_IMAGE = 0xd9
/** APP1, where cameras write which way the picture is to be turned. */
const APP1 = 0xe1
/** Baseline, extended and progressive: browsers and phones show no other. */
const FRAMES = [0xc0, 0xc1, 0xc2]
/** SOF3 to SOF15, less the three that are tables. */
const isForeignFrame = (marker: number): boolean =>
  marker > 0xc2 && marker < 0xd0 && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Segments of marker, length and data; behind the header of a scan come its pixels, up to the next marker. */
function jpegFacts(view: DataView): PictureFacts {
  const facts: PictureFacts = { type: 'image/jpeg', width: 0, height: 0, flaw: null, endsAt: null }
  let [hasFrame, hasPixels] = [false, false]
  for (let place = 2; place + 2 <= view.byteLength && view.getUint8(place) === 0xff; ) {
    const marker = view.getUint8(place + 1)
    // As many of these as the writer liked may stand before a marker.
    if (marker === 0xff) {
      place += 1
      continue
    }
    if (marker === END_OF_IMAGE) return { ...facts, endsAt: hasPixels ? place + 2 : null }
    if (place + 4 > view.byteLength) break
    const end = place + 2 + view.getUint16(place + 2)
    if (end < place + 4 || end > view.byteLength) break
    const data = place + 4
    if (FRAMES.includes(marker)) {
      if (hasFrame || end < data + 6) break
      hasFrame = true
      facts.height = view.getUint16(data + 1)
      facts.width = view.getUint16(data + 3)
      const colours = view.getUint8(data + 5)
      if (colours === 4) facts.flaw ??= 'cmyk'
      else if (colours !== 1 && colours !== 3) break
    } else if (isForeignFrame(marker)) break
    if (marker === APP1 && end > data + 6 && fourAt(view, data) === 'Exif' && isRotated(view, data + 6, end))
      facts.flaw ??= 'rotated'
    if (marker === START_OF_SCAN && !hasFrame) break
    if (marker === START_OF_SCAN) hasPixels = true
    place = marker === START_OF_SCAN ? endOfPixels(view, end) : end
  }
  return facts
}

/** Among pixels 0xff is followed by a zero, or by a mark (0xd0 to 0xd7) to begin again at. */
function endOfPixels(view: DataView, from: number): number {
  for (let place = from; place + 1 < view.byteLength; place += 1) {
    if (view.getUint8(place) !== 0xff) continue
    const next = view.getUint8(place + 1)
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return place
  }
  return view.byteLength
}

/** `II`: the least byte of a number comes first. */
const LITTLE = 0x4949

/** Tag 0x0112 in the first directory of what stands there in TIFF's way: 2 to 8 are turned or mirrored. */
function isRotated(view: DataView, start: number, end: number): boolean {
  if (end - start < 8) return false
  const isLittle = view.getUint16(start) === LITTLE
  const two = (at: number): number => (at + 2 <= end ? view.getUint16(at, isLittle) : 0)
  const directory = start + view.getUint32(start + 4, isLittle)
  const count = two(directory)
  for (let entry = directory + 2; entry < directory + 2 + count * 12 && entry + 12 <= end; entry += 12)
    if (two(entry) === 0x0112) return two(entry + 8) >= 2 && two(entry + 8) <= 8
  return false
}
