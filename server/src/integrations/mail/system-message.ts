import type { Locale } from '@okaeri/contract/locale'
import { html } from '../../kernel/http/public-page.ts'

const STYLE = 'font-family:sans-serif;font-size:16px;line-height:1.7;color:#1f2328;max-width:560px;margin:24px auto'
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#1f6f5c;color:#fff;text-decoration:none'

const HEAD = 'font-size:18px;font-weight:bold;padding-bottom:12px;margin:0 0 20px;border-bottom:1px solid #d8dee4'

/**
 * A mail of Okaeri itself, as text and as HTML: paragraphs of lines, then a button, which the text shows as its address, then a last line.
 * `shop`: it is to a customer, who knows the shop and not Okaeri; its name stands above and below.
 */
export function systemMessage(message: {
  language: Locale
  subject: string
  paragraphs: readonly (readonly string[])[]
  button?: { text: string; link: string }
  end?: string
  shop?: string
}): { subject: string; text: string; html: string } {
  const { language, subject, paragraphs, button, end, shop } = message
  const from = shop ?? 'Okaeri'
  const blocks = [...paragraphs, ...(button ? [[button.link]] : []), ...(end ? [[end]] : []), [from]]
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
    html: html`<!doctype html><html lang="${language}"><body><div style="${STYLE}">${shop === undefined ? null : html`<p style="${HEAD}">${shop}</p>`}${lines}
${link}${end ? html`<p>${end}</p>` : null}<p>${from}</p></div></body></html>`.markup,
  }
}
