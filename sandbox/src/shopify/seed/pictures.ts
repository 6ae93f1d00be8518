import { crc32, deflateSync } from 'node:zlib'
import { type Layer, personShape, plainShape, shapes, type Tone } from './picture-shapes.ts'
import { hashOf } from '../platform.ts'

const side = 480
const drawn = new Map<string, Buffer>()
const kept = 500

/** A picture for a product that has none, drawn from its title: what it is, in the color it names. PNG, as mail programs show it. */
export const productPicture = (title: string): Buffer =>
  drawnOnce(`product ${title}`, () =>
    draw(title, shapes.find(([words]) => words.some((word) => title.includes(word)))?.[1] ?? plainShape),
  )

/** The picture of a person, the same for the same name. */
export const personPicture = (name: string): Buffer => drawnOnce(`person ${name}`, () => draw(name, personShape))

function drawnOnce(key: string, make: () => Buffer): Buffer {
  const known = drawn.get(key)
  if (known) return known
  if (drawn.size >= kept) drawn.clear()
  const picture = make()
  drawn.set(key, picture)
  return picture
}

type Color = [red: number, green: number, blue: number]

const dyes: readonly (readonly [word: string, color: Color])[] = [
  ['藍', [52, 78, 126]],
  ['生成り', [222, 208, 178]],
  ['墨', [74, 74, 78]],
  ['若草', [146, 176, 88]],
  ['柚子', [228, 184, 72]],
  ['桜', [228, 168, 180]],
  ['檜', [190, 146, 98]],
  ['月', [206, 204, 190]],
  ['星', [96, 110, 160]],
  ['波', [118, 168, 186]],
]
const walls: readonly Color[] = [
  [238, 231, 219],
  [229, 233, 226],
  [233, 228, 231],
  [226, 232, 236],
  [240, 232, 224],
]
const paper: Color = [250, 246, 236]
const wood: Color = [196, 158, 112]

const mixed = (from: Color, to: Color, part: number): Color =>
  from.map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * part)) as Color

const order: readonly Tone[] = ['body', 'dark', 'light', 'paper', 'wood']
/** Where the tones begin in the palette: after wall, table and shadow. */
const firstTone = 3
const table = 352

function draw(title: string, layers: Layer[]): Buffer {
  const hash = hashOf(title)
  const wall = walls[hash % walls.length] ?? paper
  const body = dyes.find(([word]) => title.includes(word))?.[1] ?? dyes[(hash >>> 8) % dyes.length]?.[1] ?? wood
  const top = mixed(wall, [120, 100, 80], 0.22)
  const tones: Record<Tone, Color> = {
    body,
    dark: mixed(body, [20, 16, 14], 0.35),
    light: mixed(body, [255, 252, 244], 0.5),
    paper,
    wood,
  }
  const palette = Buffer.from([wall, top, mixed(top, [20, 16, 14], 0.25), ...order.map((tone) => tones[tone])].flat())
  return png(palette, pixels(layers))
}

/** Each row: a filter byte, then a palette index per pixel. */
function pixels(layers: Layer[]): Buffer {
  const rows = Buffer.alloc(side * (side + 1))
  const reversed = layers.toReversed()
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1) {
      const found = reversed.find(([, inside]) => inside(x, y))
      const ground = ((x - 252) / 176) ** 2 + ((y - 376) / 20) ** 2 <= 1 ? 2 : y >= table ? 1 : 0
      rows[y * (side + 1) + 1 + x] = found ? firstTone + order.indexOf(found[0]) : ground
    }
  return rows
}

function png(palette: Buffer, rows: Buffer): Buffer {
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
