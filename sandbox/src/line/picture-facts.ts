/** What a picture's own header says; null where it is neither a PNG nor a JPEG. */
export function pictureFacts(
  bytes: Buffer,
): { type: 'image/png' | 'image/jpeg'; width: number; height: number } | null {
  if (bytes.length > 24 && bytes.subarray(0, 8).equals(pngStart) && bytes.toString('latin1', 12, 16) === 'IHDR')
    return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  const size = bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8 ? jpegSize(bytes) : null
  return size && { type: 'image/jpeg', ...size }
}
const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** In the frame header (SOF0 to SOF15, less the three that are tables). */
function jpegSize(bytes: Buffer): { width: number; height: number } | null {
  for (let place = 2; place + 9 < bytes.length && bytes[place] === 0xff; ) {
    const marker = bytes[place + 1] ?? 0
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { height: bytes.readUInt16BE(place + 5), width: bytes.readUInt16BE(place + 7) }
    place += 2 + bytes.readUInt16BE(place + 2)
  }
  return null
}
