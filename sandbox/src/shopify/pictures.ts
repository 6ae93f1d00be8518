import { crc32, deflateSync } from 'node:zlib'
import { hashOf } from './platform.ts'

const side = 480

/** A picture for a product that has none: two soft colours and a shape drawn from its title. PNG, as mail programs show it. */
export function productPicture(title: string): Buffer {
  const hash = hashOf(title)
  const ground = colour(hash % 360, 0.32, 0.9)
  const shape = colour((hash >>> 9) % 360, 0.38, 0.62)
  const kind = (hash >>> 20) % 3
  const rows = Buffer.alloc(side * (side * 3 + 1))
  const middle = side / 2
  for (let y = 0; y < side; y += 1) {
    const start = y * (side * 3 + 1)
    for (let x = 0; x < side; x += 1) {
      const [dx, dy] = [Math.abs(x - middle), Math.abs(y - middle)]
      const inside =
        kind === 0
          ? dx * dx + dy * dy < 150 * 150
          : kind === 1
            ? Math.max(dx, dy) < 130
            : dx < 70 + (y / side) * 90 && dy < 150
      const paint = inside ? shape : ground
      rows.set(paint, start + 1 + x * 3)
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
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
