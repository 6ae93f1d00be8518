import { crc32, deflateSync } from 'node:zlib'
import { hashOf } from './platform.ts'

const side = 480
const drawn = new Map<string, Buffer>()
const kept = 500

/** A picture for a product that has none: two soft colors and a shape drawn from its title. PNG, as mail programs show it. */
export function productPicture(title: string): Buffer {
  const known = drawn.get(title)
  if (known) return known
  if (drawn.size >= kept) drawn.clear()
  const picture = draw(hashOf(title))
  drawn.set(title, picture)
  return picture
}

function draw(hash: number): Buffer {
  const palette = Buffer.from([...colour(hash % 360, 0.32, 0.9), ...colour((hash >>> 9) % 360, 0.38, 0.62)])
  const kind = (hash >>> 20) % 3
  const middle = side / 2
  // Each row: a filter byte, then a palette index per pixel; the shape is one run in its middle.
  const rows = Buffer.alloc(side * (side + 1))
  for (let y = 0; y < side; y += 1) {
    const away = Math.abs(y - middle)
    if (away >= 150) continue
    const half =
      kind === 0 ? Math.sqrt(150 * 150 - away * away) : kind === 1 ? (away < 130 ? 130 : 0) : 70 + (y / side) * 90
    const start = y * (side + 1) + 1
    rows.fill(1, start + Math.round(middle - half), start + Math.round(middle + half))
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts = [
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return Buffer.concat([signature, ...parts])
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

function colour(hue: number, saturation: number, lightness: number): [number, number, number] {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const channel = (offset: number) => {
    const at = (offset + hue / 30) % 12
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1))))
  }
  return [channel(0), channel(8), channel(4)]
}
