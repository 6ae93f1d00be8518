import { escapeHtml } from '../../page.ts'
import { drawFlex } from './flex-drawing.ts'
import { isObject, type Json } from '../shapes/shapes.ts'
import type { Taps } from './taps.ts'

/** A message as the phone shows it. */
export function drawMessage(message: Json, taps: Taps): string {
  const word = (name: string): string => (typeof message[name] === 'string' ? (message[name] as string) : '')
  switch (message['type']) {
    case 'text':
      return `<div class="bubble">${withEmojis(word('text'), message['emojis'])}</div>`
    case 'textV2':
      return `<div class="bubble">${escapeHtml(word('text'))}</div>`
    case 'image':
      return `<img class="shown" src="${taps.picture(word('previewImageUrl'))}" alt="">`
    case 'video':
      return `<div class="film shown"><img src="${taps.picture(word('previewImageUrl'))}" alt=""><span>▶</span></div>`
    case 'audio':
      return `<div class="bubble">▶ ${Math.round(Number(message['duration']) / 1000)}″</div>`
    case 'sticker':
      return `<div class="sticker" title="${escapeHtml(`${word('packageId')}/${word('stickerId')}`)}">🐻</div>`
    case 'location':
      return `<div class="bubble"><strong>📍 ${escapeHtml(word('title'))}</strong><br>${escapeHtml(word('address'))}</div>`
    case 'imagemap':
      return drawImagemap(message, taps)
    case 'template':
      return drawTemplate(message['template'] as Json, taps)
    case 'flex':
      return drawFlex(message['contents'] as Json, taps)
    case 'coupon':
      return `<div class="bubble">🎟 ${escapeHtml(word('couponId'))}</div>`
    default:
      return ''
  }
}

/** The platform's own emoji are drawn by it alone; here a face with their number stands for each. */
function withEmojis(text: string, emojis: unknown): string {
  const places = new Map((Array.isArray(emojis) ? (emojis as Json[]) : []).map((emoji) => [emoji['index'], emoji]))
  const parts: string[] = []
  let begin = 0
  for (const [index, emoji] of [...places].sort(([one], [other]) => Number(one) - Number(other))) {
    const name = escapeHtml(`${String(emoji['productId'])} ${String(emoji['emojiId'])}`)
    parts.push(escapeHtml(text.slice(begin, Number(index))), `<span class="line-emoji" title="${name}">☺</span>`)
    begin = Number(index) + 1
  }
  return [...parts, escapeHtml(text.slice(begin))].join('')
}

function drawTemplate(template: Json, taps: Taps): string {
  const ratio = template['imageAspectRatio'] === 'square' ? '1/1' : '1.51/1'
  const fit = template['imageSize'] === 'contain' ? 'contain' : 'cover'
  switch (template['type']) {
    case 'carousel': {
      const columns = (template['columns'] as Json[]).map((column) => card(column, taps, { ratio, fit }))
      return `<div class="sideways" role="group" tabindex="0">${columns.join('')}</div>`
    }
    case 'image_carousel': {
      const columns = (template['columns'] as Json[]).map(
        ({ imageUrl, action }) =>
          `<div class="image-column"><img src="${taps.picture(String(imageUrl))}" alt="">${captionOf(action)}${taps.over(action)}</div>`,
      )
      return `<div class="sideways" role="group" tabindex="0">${columns.join('')}</div>`
    }
    case 'confirm':
      return `<div class="card-of confirm"><p>${escapeHtml(String(template['text']))}</p><div class="pair">${(template['actions'] as Json[]).map((action) => taps.button(action)).join('')}</div></div>`
    default:
      return card(template, taps, { ratio, fit })
  }
}

const captionOf = (action: unknown): string => {
  const label = isObject(action) && typeof action['label'] === 'string' ? action['label'] : ''
  return label === '' ? '' : `<span class="caption">${escapeHtml(label)}</span>`
}

function card(column: Json, taps: Taps, { ratio, fit }: { ratio: string; fit: string }): string {
  const { thumbnailImageUrl: url, title, text, imageBackgroundColor: back = '#ffffff' } = column
  const picture =
    typeof url === 'string'
      ? `<img src="${taps.picture(url)}" alt="" style="${escapeHtml(`aspect-ratio:${ratio};object-fit:${fit};background:${String(back)}`)}">`
      : ''
  const heading = typeof title === 'string' && title !== '' ? `<strong>${escapeHtml(title)}</strong>` : ''
  const actions = (column['actions'] as Json[]).map((action) => taps.button(action))
  return `<div class="card-of"><div class="top-of">${picture}${heading}<p>${escapeHtml(String(text))}</p>${taps.over(column['defaultAction'])}</div>${actions.join('')}</div>`
}

/** The platform asks for the picture in widths up to 1040. */
function drawImagemap(message: Json, taps: Taps): string {
  const { width, height } = message['baseSize'] as { width: number; height: number }
  const areas = (message['actions'] as Json[]).map((action) => {
    const { x, y, width: wide, height: high } = action['area'] as Record<'x' | 'y' | 'width' | 'height', number>
    const { area: _area, linkUri, ...others } = action
    const tapped = linkUri === undefined ? others : { ...others, uri: linkUri }
    return `<div class="area" style="${placeOf({ x, y, width: wide, height: high }, { width, height })}">${taps.over(tapped)}</div>`
  })
  return `<div class="imagemap" style="aspect-ratio:${width}/${height}"><img src="${taps.picture(`${String(message['baseUrl'])}/1040`)}" alt="${escapeHtml(String(message['altText']))}">${areas.join('')}</div>`
}

/** An area of a picture in shares of its size. */
export function placeOf(
  area: { x: number; y: number; width: number; height: number },
  size: { width: number; height: number },
): string {
  const share = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(3)}%`
  return `left:${share(area.x, size.width)};top:${share(area.y, size.height)};width:${share(area.width, size.width)};height:${share(area.height, size.height)}`
}
