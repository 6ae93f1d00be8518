import { type PictureSize, picture as rules } from '@okaeri/contract/rich-menus/menu'

/** The largest size that is allowed and like the picture; of a tab, the size of the others. */
export function fittingSize({ width, height }: PictureSize, required: PictureSize | null): PictureSize {
  if (required) return required
  const wide = Math.min(Math.max(width, rules.minWidth), rules.maxWidth)
  const high = Math.round((wide * height) / width)
  return { width: wide, height: Math.min(Math.max(high, rules.minHeight), Math.floor(wide / rules.minAspect)) }
}

const QUALITIES = [0.92, 0.85, 0.75, 0.6, 0.45, 0.3]

/** A JPEG of that size within the platform's limit, the middle of the picture filling it; null where the browser cannot. */
export async function converted(picture: ImageBitmap, size: PictureSize): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = size.width
  canvas.height = size.height
  const pen = canvas.getContext('2d')
  if (!pen) return null
  const scale = Math.max(size.width / picture.width, size.height / picture.height)
  const [width, height] = [picture.width * scale, picture.height * scale]
  // What was transparent would be black.
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, size.width, size.height)
  pen.drawImage(picture, (size.width - width) / 2, (size.height - height) / 2, width, height)
  for (const quality of QUALITIES) {
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
    if (blob && blob.size <= rules.maxBytes) return blob
  }
  return null
}

/** The bytes as the API takes them. */
export async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  let text = ''
  // In pieces: a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}
