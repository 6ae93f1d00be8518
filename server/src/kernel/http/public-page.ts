import { languageNames, type Locale, type Localized, toLocale } from '@okaeri/contract/locale'
import type { FastifyReply } from 'fastify'

/** Markup that is safe in a page; created only by {@link html}. */
export interface Markup {
  readonly markup: string
}
type Piece = string | number | Markup | readonly Markup[] | null

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

/** Escapes text, keeps {@link Markup}, drops null. */
export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  const text = (piece: Piece): string => {
    if (piece === null) return ''
    if (typeof piece === 'string' || typeof piece === 'number') return escaped(String(piece))
    return 'markup' in piece ? piece.markup : piece.map(({ markup }) => markup).join('')
  }
  return { markup: parts.reduce((all, part, i) => all + text(pieces[i - 1] ?? null) + part) }
}

/** A page for customers who follow a link in a mail. No script, nothing from another host, light and dark. */
export interface PublicPage {
  language: Locale
  title: string
  /** The merchant's name above the card; null if unknown. */
  merchantName: string | null
  body: Markup
  /** Addresses of the same page in each language. */
  languages: Localized | null
  /** An automatic redirect; the body has a link there too. */
  goesOnTo?: string
  /** An origin that pictures may come from. */
  picturesFrom?: string | null
}

const STYLE = `
:root{color-scheme:light dark;--ground:#f4f3f0;--card:#fff;--ink:#25231f;--soft:#67625a;--line:#dedad2;--act:#25231f;--on-act:#fff;--mark:#2f6f4f}
@media (prefers-color-scheme:dark){:root{--ground:#171614;--card:#22211e;--ink:#f1eee8;--soft:#aaa49a;--line:#3b3833;--act:#f1eee8;--on-act:#1c1b19;--mark:#7fc7a2}}
*{box-sizing:border-box}
html{font:16px/1.75 system-ui,-apple-system,"Hiragino Sans","Hiragino Kaku Gothic ProN","Noto Sans JP","Noto Sans CJK JP","Yu Gothic UI",Meiryo,sans-serif;background:var(--ground);color:var(--ink)}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;align-items:center;justify-content:center;padding:1.5rem 1rem}
header{font-weight:600;font-size:1.05rem;margin-bottom:1rem;text-align:center;overflow-wrap:anywhere;text-wrap:balance;word-break:auto-phrase}
main{display:flex;flex-direction:column;width:100%;max-width:29rem;background:var(--card);border:1px solid var(--line);border-radius:14px;padding:2rem}
h1{font-size:1.3rem;line-height:1.5;margin:0 0 .9rem;text-wrap:balance;word-break:auto-phrase}
p{margin:0 0 1rem;overflow-wrap:anywhere;text-wrap:pretty;word-break:auto-phrase}
p:last-child{margin-bottom:0}
.soft{color:var(--soft);font-size:.875rem}
.address,.note{border:1px solid var(--line);border-radius:10px;padding:.7rem 1rem}
.address{font-weight:600;font-size:1.05rem;text-align:center;font-variant-numeric:tabular-nums}
.note{border-color:var(--mark);font-size:.875rem}
form,.ways{display:grid;gap:.7rem;margin:1.4rem 0 1rem}
form:last-child,.ways:last-child{margin-bottom:0}
button,.button{font:inherit;font-weight:600;min-height:3rem;padding:.6rem 1rem;border-radius:10px;border:1px solid var(--act);background:var(--act);color:var(--on-act);cursor:pointer;text-align:center;text-decoration:none}
.second{background:transparent;color:var(--ink);border-color:var(--line)}
button:hover,.button:hover{opacity:.88}
a{color:inherit;text-underline-offset:.2em}
:focus-visible{outline:3px solid var(--mark);outline-offset:2px}
fieldset{border:0;padding:0;margin:0 0 .5rem;display:grid;gap:.7rem}
legend{font-weight:600;font-size:.9rem;padding:0;margin-bottom:.5rem}
.choice{display:flex;gap:.8rem;align-items:flex-start;border:1px solid var(--line);border-radius:10px;padding:.7rem 1rem;cursor:pointer}
.choice input{flex:none;width:1.25rem;height:1.25rem;margin:.25rem 0 0;accent-color:var(--mark)}
.choice small{display:block;color:var(--soft);font-size:.85rem;line-height:1.6}
.sign{order:-1;display:grid;place-items:center;width:3rem;height:3rem;border-radius:50%;border:2px solid var(--mark);color:var(--mark);margin-bottom:1rem}
.sign svg{width:1.5rem;height:1.5rem}
.who{display:flex;align-items:center;justify-content:center;gap:.7rem}
.who img{width:2.5rem;height:2.5rem;border-radius:50%;object-fit:cover}
nav{margin-top:1rem;font-size:.875rem;color:var(--soft);display:flex;gap:1rem}
nav a,nav span{display:inline-block;padding:.4rem .3rem}
nav span{color:var(--ink);font-weight:600}
@media (max-width:30rem){main{padding:1.5rem 1.25rem}}
`

/** The sign for success. */
export const TICK = html`<div class="sign" aria-hidden="true"><svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"><path d="M5 12.5l4.5 4.5L19 7.5"/></svg></div>`

const labels = { language: { ja: '言語', en: 'Language' } }

/** The whole document. */
export function renderPublicPage({ language, title, merchantName, body, languages, goesOnTo }: PublicPage): string {
  const switches = languages
    ? html`<nav aria-label="${labels.language[language]}">${(['ja', 'en'] as const).map((other) =>
        other === language
          ? html`<span aria-current="true">${languageNames[other]}</span>`
          : html`<a href="${languages[other]}" lang="${other}" hreflang="${other}">${languageNames[other]}</a>`,
      )}</nav>`
    : null
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
${goesOnTo === undefined ? null : html`<meta http-equiv="refresh" content="0; url=${goesOnTo}">`}
<title>${merchantName ? `${title} | ${merchantName}` : title}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
${merchantName ? html`<header>${merchantName}</header>` : null}
<main>
<h1>${title}</h1>
${body}
</main>
${switches}
</body>
</html>
`.markup
}

/** Sends it; not cached, not framed, and nothing is loaded except pictures of the given origin. */
export function sendPublicPage(reply: FastifyReply, page: PublicPage, status = 200): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'${page.picturesFrom ? `; img-src ${page.picturesFrom}` : ''}`,
      'content-language': page.language,
      'cache-control': 'no-store',
    })
    .type('text/html; charset=utf-8')
    .send(renderPublicPage(page))
}

interface Message {
  title: Localized
  body: Localized
}

/** The reader is unknown, so both languages, the browser's first. */
export function sendInBoth(
  reply: FastifyReply,
  acceptLanguage: string | undefined,
  { title, body }: Message,
  status: number,
): FastifyReply {
  const language = toLocale(acceptLanguage)
  const other: Locale = language === 'ja' ? 'en' : 'ja'
  const both = html`<p>${body[language]}</p>
<div lang="${other}" class="soft"><p><strong>${title[other]}</strong></p><p>${body[other]}</p></div>`
  return sendPublicPage(
    reply,
    { language, title: title[language], merchantName: null, body: both, languages: null },
    status,
  )
}

const tryLater: Message = {
  title: { ja: 'しばらくしてからもう一度お試しください', en: 'Please try again in a moment' },
  body: {
    ja: '現在このページを表示できません。30秒ほどしてから、再読み込みしてください。',
    en: 'This page is not available right now. Please reload it in about 30 seconds.',
  },
}

const failed: Message = {
  title: { ja: 'ページを表示できません', en: 'This page is not available' },
  body: {
    ja: 'エラーが発生しました。しばらくしてからもう一度お試しください。',
    en: 'An error occurred. Please try again later.',
  },
}

/** For a person with an invalid address or form. */
export const sendFailed = (reply: FastifyReply, acceptLanguage: string | undefined, status: number): FastifyReply =>
  sendInBoth(reply, acceptLanguage, failed, status)

const nothingHere: Message = {
  title: { ja: 'ページが見つかりません', en: 'Page not found' },
  body: {
    ja: 'アドレスが間違っているか、ページが移動または削除された可能性があります。リンクから開いた場合は、リンクが途中で切れていないかお確かめください。',
    en: 'The address may be wrong, or the page was moved or deleted. If you followed a link, check that it is complete.',
  },
}

/** 404, for a person at an address where nothing is: a customer with a cut link, or a member who mistyped. */
export const sendNothingHere = (reply: FastifyReply, acceptLanguage: string | undefined): FastifyReply => {
  const language = toLocale(acceptLanguage)
  const body = html`<p>${nothingHere.body[language]}</p>`
  const title = nothingHere.title[language]
  return sendPublicPage(reply, { language, title, merchantName: null, body, languages: null }, 404)
}

/** 503, for a person who follows a link during an outage. */
export const sendTryLater = (reply: FastifyReply, acceptLanguage: string | undefined): FastifyReply =>
  sendInBoth(reply, acceptLanguage, tryLater, 503)
