import type { Locale } from '@okaeri/contract/locale'
import { html } from '../../kernel/http/public-page.ts'

const STYLE = 'font-family:sans-serif;font-size:16px;line-height:1.7;color:#1f2328;max-width:560px;margin:24px auto'
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#1f6f5c;color:#fff;text-decoration:none'

/** A mail of Okaeri itself, as text and as HTML: paragraphs of lines, then a button, which the text shows as its address, then a last line. */
export function systemMessage(message: {
  language: Locale
  subject: string
  paragraphs: readonly (readonly string[])[]
  button?: { text: string; link: string }
  end?: string
}): { subject: string; text: string; html: string } {
  const { language, subject, paragraphs, button, end } = message
  const blocks = [...paragraphs, ...(button ? [[button.link]] : []), ...(end ? [[end]] : []), ['Okaeri']]
  const lines = paragraphs.map(
    (paragraph) => html`<p>${paragraph.map((line, at) => html`${at > 0 ? html`<br>` : null}${line}`)}</p>`,
  )
  const link = button
    ? html`<p><a href="${button.link}" style="${BUTTON}">${button.text}</a></p>
<p style="font-size:13px;word-break:break-all">${button.link}</p>`
    : null
  return {
    subject,
    text: blocks.flatMap((block) => [...block, '']).join('\n'),
    html: html`<!doctype html><html lang="${language}"><body><div style="${STYLE}">${lines}
${link}${end ? html`<p>${end}</p>` : null}<p>Okaeri</p></div></body></html>`.markup,
  }
}
