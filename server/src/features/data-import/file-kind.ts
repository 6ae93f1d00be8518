import type { Reason } from '@okaeri/contract/errors'

/** Beginnings of files that are not text. An .xlsx is a ZIP too; the name of its first entry shows which. */
const signatures: readonly { bytes: readonly number[]; reason: Reason }[] = [
  { bytes: [0x50, 0x4b, 0x03, 0x04], reason: 'import_is_archive' },
  { bytes: [0x50, 0x4b, 0x05, 0x06], reason: 'import_is_archive' },
  { bytes: [0x1f, 0x8b], reason: 'import_is_archive' },
  { bytes: [0x42, 0x5a, 0x68], reason: 'import_is_archive' },
  { bytes: [0x37, 0x7a, 0xbc, 0xaf], reason: 'import_is_archive' },
  { bytes: [0x52, 0x61, 0x72, 0x21], reason: 'import_is_archive' },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a], reason: 'import_is_archive' },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], reason: 'import_is_archive' },
  // Excel up to 2003.
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], reason: 'import_is_spreadsheet' },
  { bytes: [0x25, 0x50, 0x44, 0x46, 0x2d], reason: 'import_is_binary' },
  { bytes: [0x89, 0x50, 0x4e, 0x47], reason: 'import_is_binary' },
  { bytes: [0xff, 0xd8, 0xff], reason: 'import_is_binary' },
  // UTF-32, which begins like UTF-16.
  { bytes: [0xff, 0xfe, 0, 0], reason: 'import_is_binary' },
]

/** Why a file with this beginning is refused; null for text. Archives are never unpacked. */
export function refusalOf(beginning: Buffer): Reason | null {
  const found = signatures.find(({ bytes }) => bytes.every((byte, index) => beginning[index] === byte))
  if (
    found?.reason === 'import_is_archive' &&
    /\[Content_Types\]\.xml|xl\/|mimetype/.test(beginning.toString('latin1', 30, 120))
  )
    return 'import_is_spreadsheet'
  if (found) return found.reason
  return wideEncodingOf(beginning) === null && beginning.includes(0) ? 'import_is_binary' : null
}

/** By its byte order mark. Without one, UTF-16 cannot be distinguished from a binary file. */
export function wideEncodingOf(beginning: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (beginning[0] === 0xff && beginning[1] === 0xfe) return 'utf-16le'
  if (beginning[0] === 0xfe && beginning[1] === 0xff) return 'utf-16be'
  return null
}
