import type { Finding } from '@okaeri/contract/emails/email'
import { pastDatesIn } from '../data/dates-in-text.ts'
import { finding } from './finding.ts'
import { scanHtml } from '../html-scan.ts'
import { liquidSpans } from './liquid-spans.ts'
import { MARKERS } from '../parts.ts'

/** Per kind; more would not help. */
const MAX_PER_CODE = 5
/** Letters; below it a word like SALE or a brand is no shouting. */
const SHOUTING_LETTERS = 10
const SHOUTING_SHARE = 0.8
const MANY_EXCLAMATIONS = 3
/** So many Latin letters, or half as many Japanese signs, are hardly a text. */
const HARDLY_A_TEXT = 120
/** Narrower pictures are logos and signs. */
const BIG_PICTURE_PIXELS = 300
/** WCAG 2.2 asks for 3 of large text; below it text is not read at all. */
const LEAST_CONTRAST = 3
/** Behind a mail in dark mode: Apple Mail #1e1e1e, Gmail #1f1f1f, Outlook #292929. */
const DARK = '#1f1f1f'

export interface MailToAdviseOn {
  subject: string
  preheader: string
  /** The content as typed. */
  content: string
  /** The template of its plain text part. */
  text: string
  /** The merchant's day on which it would be sent: `2026-11-03`. */
  day: string
}

/** What can be said of a mail without a recipient, and keeps nothing back. */
export function adviceOn({ subject, preheader, content, text, day }: MailToAdviseOn): Finding[] {
  const lineOf = (part: string): number | undefined => {
    const at = content.indexOf(part)
    return at < 0 ? undefined : content.slice(0, at).split('\n').length
  }
  const inTexts = (find: (template: string) => string[], code: Finding['code']): Finding[] => {
    const found = new Map<string, Finding>()
    for (const template of [subject, preheader, text])
      for (const part of find(template))
        found.set(part, finding(code, part, template === text ? lineOf(part) : undefined))
    return [...found.values()].slice(0, MAX_PER_CODE)
  }
  return [
    ...(isShouted(subject) ? [finding('subject_in_capitals', subject)] : []),
    ...(exclamationsIn(subject) >= MANY_EXCLAMATIONS ? [finding('too_many_exclamations', subject)] : []),
    ...inTexts((template) => pastDatesIn(template, day).map((date) => date.text), 'past_date'),
    ...inTexts(unreadableIn, 'unreadable_characters'),
    ...pictureAdvice(content, text),
    ...contrastAdvice(content),
  ]
}

const withoutTags = (template: string): string => {
  let out = ''
  let from = 0
  for (const { start, end } of liquidSpans(template)) {
    out += `${template.slice(from, start)} `
    from = end
  }
  return out + template.slice(from)
}

/** In Latin letters only: Japanese has no capitals, and a word of English in it is a style. */
export function isShouted(subject: string): boolean {
  const text = withoutTags(subject).normalize('NFKC')
  if (/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(text)) return false
  const letters = text.match(/\p{L}/gu) ?? []
  const capitals = letters.filter((letter) => letter !== letter.toLowerCase())
  return letters.length >= SHOUTING_LETTERS && capitals.length / letters.length >= SHOUTING_SHARE
}

export const exclamationsIn = (subject: string): number =>
  (withoutTags(subject).match(/[!！❗❕]/gu) ?? []).length + 2 * (subject.match(/‼/gu) ?? []).length

/**
 * Signs that no two devices show alike: those of private use (self-made characters, the emoji of old phones, Apple's logo), those Unicode has not given out, and the
 * sign for what was lost in copying. ①, ㈱ and 髙 are not among them: mails leave as UTF-8, and the last phones whose gateways made
 * another code of that are out of service.
 */
export const unreadableIn = (text: string): string[] => [
  ...new Set(withoutMarkers(text).match(/[\p{Co}\p{Cn}\uFFFD]/gu) ?? []),
]

const withoutMarkers = (text: string): string => text.replace(MARKERS, ' ')

function pictureAdvice(content: string, text: string): Finding[] {
  const { pictures } = scanHtml(content, liquidSpans(content))
  const missing = pictures.filter(({ src }) => src.trim() === '' || src.trim() === '#')
  const big = pictures.some(({ width }) => width === null || width >= BIG_PICTURE_PIXELS)
  return [
    ...missing.slice(0, MAX_PER_CODE).map(({ start }) => finding('picture_missing', null, lineAt(content, start))),
    ...(big && lengthOf(text) < HARDLY_A_TEXT ? [finding('mostly_picture')] : []),
  ]
}

const lineAt = (content: string, at: number): number => content.slice(0, at).split('\n').length

/** What a reader without pictures has: without tags, addresses and the footer that every mail needs. */
function lengthOf(text: string): number {
  const own = text
    .split('\n')
    .filter(
      (line) =>
        !/unsubscribe_url|preferences_url|postal_address|contact_(?:email|phone)|配信停止|unsubscribe/i.test(line),
    )
    .join('\n')
  const read = withoutTags(withoutMarkers(own)).replace(/https?:\S+|\s+/g, '')
  const wide = read.match(/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/gu)?.length ?? 0
  return read.length + wide
}

/**
 * Two simple rules, of colours written at the elements themselves. A text colour on its own element's background must be readable on it. And where
 * no element has a background, mail programs put a dark one behind in dark mode but many leave written text colours: dark text is not
 * seen then.
 */
function contrastAdvice(content: string): Finding[] {
  const { colours } = scanHtml(content, liquidSpans(content))
  const found: Finding[] = []
  for (const { text, background, start } of colours) {
    if (!text || !background) continue
    const ratio = contrastOf(text, background)
    if (ratio !== null && ratio < LEAST_CONTRAST && found.length < MAX_PER_CODE)
      found.push(finding('low_contrast', `${text} / ${background}`, lineAt(content, start)))
  }
  if (!colours.some(({ background }) => background !== null && background !== 'transparent')) {
    const dark = colours.find(({ text }) => text !== null && (contrastOf(text, DARK) ?? 21) < LEAST_CONTRAST)
    if (dark) found.push(finding('dark_mode_contrast', dark.text, lineAt(content, dark.start)))
  }
  return found
}

const NAMED: Record<string, string> = {
  black: '#000000',
  white: '#ffffff',
  navy: '#000080',
  gray: '#808080',
  red: '#ff0000',
}

/** WCAG's ratio, 1 to 21; null for a colour written another way than `#rgb`, `#rrggbb`, `rgb()` or a common name. */
export function contrastOf(one: string, other: string): number | null {
  const [a, b] = [luminanceOf(one), luminanceOf(other)]
  return a === null || b === null ? null : (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function luminanceOf(colour: string): number | null {
  const parts = channelsOf(NAMED[colour] ?? colour)
  if (!parts) return null
  const [r = 0, g = 0, b = 0] = parts.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function channelsOf(colour: string): number[] | null {
  const rgb = /^rgb\( {0,3}(\d{1,3})[ ,]{1,3}(\d{1,3})[ ,]{1,3}(\d{1,3}) {0,3}\)$/.exec(colour)
  if (rgb) return rgb.slice(1).map(Number)
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(colour)
  if (short) return short.slice(1).map((digit) => Number.parseInt(digit + digit, 16))
  const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(colour)
  return long ? long.slice(1).map((pair) => Number.parseInt(pair, 16)) : null
}
