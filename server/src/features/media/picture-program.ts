import path from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { MAX_PICTURE_PIXELS, pictureTypes } from '@okaeri/contract/media/media'
import type { MadeCopy, PictureOutcome } from './picture-work.ts'

// A program of its own: it unpacks what strangers may have made, so that it can be ended at any moment, and takes its memory along. Called
// with a picture's file and a folder; it writes the copies into the folder and says on one line what they are.

/** What is larger is made smaller: four times the width of a mail. A larger side costs memory: 4096 px took twice as much. */
const MAX_SIDE = 2400
/** Twice the 600 px that mails are wide: sharp on every screen. */
const MAIL_WIDTH = 1200
/** LINE's reference: pictures of templates are 1024 px wide at most. */
const LINE_WIDTH = 1024
const SMALL_SIDE = 320

sharp.cache(false)
sharp.concurrency(1)

class Refused extends Error {
  readonly why: Extract<PictureOutcome, { refused: unknown }>['refused']
  constructor(why: Refused['why']) {
    super(why)
    this.why = why
  }
}

const read = (file: string, frames: 'first' | 'all' = 'first'): Sharp =>
  sharp(file, { limitInputPixels: MAX_PICTURE_PIXELS, failOn: 'error', animated: frames === 'all', unlimited: false })

async function write(picture: Sharp, file: string): Promise<Omit<MadeCopy, 'copy'>> {
  const { format, width, height, pageHeight, size } = await picture.toFile(file)
  return { type: `image/${format}` as MadeCopy['type'], width, height: pageHeight ?? height, sizeBytes: size }
}

async function make(source: string, folder: string): Promise<MadeCopy[]> {
  const seen = await read(source, 'all').metadata()
  if (!(pictureTypes as readonly string[]).includes(`image/${seen.format}`)) throw new Refused('picture_type')
  const isAnimated = (seen.pages ?? 1) > 1
  if (isAnimated && seen.format !== 'gif') throw new Refused('picture_moving')
  // Over all frames: each is unpacked.
  if (seen.width * seen.height > MAX_PICTURE_PIXELS) throw new Refused('picture_pixels')
  const at = (copy: string): string => path.join(folder, copy)
  return isAnimated ? makeAnimated(source, at) : makeStill(source, { hasAlpha: seen.hasAlpha, format: seen.format, at })
}

async function makeStill(
  source: string,
  { hasAlpha, format, at }: { hasAlpha: boolean; format: string; at: (copy: string) => string },
): Promise<MadeCopy[]> {
  const isLossless = hasAlpha || format === 'png' || format === 'gif'
  const upright = read(source)
    .autoOrient()
    .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
  // Codes made for the picture would keep all of it in memory until its end: 24 MB more, for some percent of the file.
  const full = await write(
    isLossless ? upright.png() : upright.jpeg({ quality: 88, optimiseCoding: false }),
    at('full'),
  )
  const narrow = async (copy: 'mail' | 'line', width: number): Promise<MadeCopy[]> => {
    const narrowed = read(at('full')).resize({ width, withoutEnlargement: true })
    const made = await write(hasAlpha ? narrowed.png({ palette: true }) : narrowed.jpeg({ quality: 80 }), at(copy))
    // Where the copy saves nothing, as with drawings of few colours, the picture itself is sent.
    return made.sizeBytes < full.sizeBytes || full.width > width ? [{ copy, ...made }] : []
  }
  return [
    { copy: 'full', ...full },
    ...(await narrow('mail', MAIL_WIDTH)),
    ...(await narrow('line', LINE_WIDTH)),
    await makeSmall(at('full'), at('small')),
  ]
}

async function makeAnimated(source: string, at: (copy: string) => string): Promise<MadeCopy[]> {
  const moving = (): Sharp => read(source, 'all')
  const full = await write(moving().gif(), at('full'))
  const isWide = full.width > MAIL_WIDTH
  const mail = isWide
    ? [{ copy: 'mail' as const, ...(await write(moving().resize({ width: MAIL_WIDTH }).gif(), at('mail'))) }]
    : []
  return [{ copy: 'full', ...full }, ...mail, await makeSmall(source, at('small'))]
}

const makeSmall = async (from: string, to: string): Promise<MadeCopy> => ({
  copy: 'small',
  ...(await write(
    read(from)
      .resize({ width: SMALL_SIDE, height: SMALL_SIDE, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 78 }),
    to,
  )),
})

/** sharp has no codes for these. */
const whyOf = (error: unknown): Refused['why'] =>
  error instanceof Refused
    ? error.why
    : error instanceof Error && /exceeds pixel limit/.test(error.message)
      ? 'picture_pixels'
      : 'picture_damaged'

const [source = '', folder = ''] = process.argv.slice(2)
let outcome: PictureOutcome
try {
  outcome = { made: await make(source, folder) }
} catch (error) {
  // A disk without room is no fault of the picture.
  if (/no space left|quota exceeded/i.test(String(error))) throw error
  outcome = { refused: whyOf(error), detail: String(error).slice(0, 500) }
}
process.stdout.write(JSON.stringify(outcome))
