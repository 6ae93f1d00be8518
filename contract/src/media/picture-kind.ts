import type { PictureType } from './media.ts'

/** What a file is by its first bytes: a picture that can be kept, or one that cannot, and then which. Null: no picture. */
export type PictureKind = PictureType | 'svg' | 'heic'

/** As many bytes of a file as {@link pictureKind} looks at. */
export const KIND_BYTES = 1024

const text = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, Math.min(to, bytes.length)))

/** ISO 14496-12: a box `ftyp` with the kind of the file. Phones write these. */
const HEIC_BRANDS = /^(heic|heix|heim|heis|hevc|hevx|mif1|msf1|avif|avis)$/

export function pictureKind(bytes: Uint8Array): PictureKind | null {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg'
  if (bytes[0] === 0x89 && text(bytes, 1, 8) === 'PNG\r\n\x1a\n') return 'image/png'
  if (/^GIF8[79]a$/.test(text(bytes, 0, 6))) return 'image/gif'
  if (text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 12) === 'WEBP') return 'image/webp'
  if (text(bytes, 4, 8) === 'ftyp' && HEIC_BRANDS.test(text(bytes, 8, 12))) return 'heic'
  return /<svg[\s>]/i.test(text(bytes, 0, KIND_BYTES).replaceAll('\0', '')) ? 'svg' : null
}
