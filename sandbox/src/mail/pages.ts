import { escapeHtml, formatTime, page, sandboxNavigation, type Localized, type SandboxLanguage } from '../page.ts'
import { switchNames, type MailSwitches } from './sentinels.ts'
import type { ParsedMail } from './source.ts'
import type { MailPage, MailSummary } from './store.ts'

export const mailPageSize = 50

export const switchLabels: Record<keyof MailSwitches, { name: Localized; effect: Localized }> = {
  tempfail_all: {
    name: { ja: 'すべて一時エラー', en: 'All temporary failure' },
    effect: { ja: 'すべての宛先に 451 4.3.0 を返します', en: 'Every recipient is answered 451 4.3.0' },
  },
  quota_all: {
    name: { ja: '送信数の上限', en: 'Quota for everyone' },
    effect: {
      ja: 'オフにするまで、すべての宛先に 452 4.5.3 を返します',
      en: 'Every recipient is answered 452 4.5.3 until this is switched off',
    },
  },
  refuse_connections: {
    name: { ja: '接続を拒否', en: 'Refuse connections' },
    effect: {
      ja: 'SMTP ポートを閉じ、接続中のものも切断します',
      en: 'The SMTP port is closed and open connections are cut',
    },
  },
  slow: {
    name: { ja: '応答を遅らせる', en: 'Slow' },
    effect: { ja: 'すべてのメールへの応答が 5 秒遅れます', en: 'Every message is answered 5 seconds late' },
  },
}

export interface MailListView {
  filter: { q: string; to: string }
  offset: number
  found: MailPage
  switches: MailSwitches
  smtpUrl: string
  language: SandboxLanguage
}

export function mailListPage(view: MailListView): string {
  const { filter, offset, found, language } = view
  const t = (texts: Localized) => texts[language]
  const title = t({ ja: 'メールボックス', en: 'Mailbox' })
  const filtered = filter.q !== '' || filter.to !== ''
  const body = `<h1>${title}</h1>
${switchWarning(view.switches, language)}
<form class="toolbar" method="get" action="/mail" role="search">
<input type="search" name="q" value="${escapeHtml(filter.q)}" aria-label="${t({ ja: '検索', en: 'Search' })}" placeholder="${t({ ja: '件名・宛先・本文を検索', en: 'Search subject, addresses, text' })}" size="28">
<input type="text" name="to" value="${escapeHtml(filter.to)}" aria-label="${t({ ja: '宛先', en: 'Recipient' })}" placeholder="${t({ ja: '宛先（完全一致）', en: 'Recipient (exact)' })}" size="24" autocomplete="off">
<button class="primary">${t({ ja: '検索', en: 'Search' })}</button>
${filtered ? `<a class="button" href="/mail">${t({ ja: '条件をクリア', en: 'Clear' })}</a>` : ''}
</form>
<div id="mails" data-refresh="${escapeHtml(listAddress(filter, offset))}">
${found.data.length === 0 ? emptyList(view, filtered) : fullList(view)}
</div>
${clearForm(language)}`
  return page({ title, body, lang: language, nav: sandboxNavigation(language, 'mail') })
}

function emptyList({ language, smtpUrl }: MailListView, filtered: boolean): string {
  const t = (texts: Localized) => texts[language]
  if (filtered) {
    return `<div class="card empty"><h2>${t({ ja: '該当するメールはありません', en: 'No mail matches' })}</h2></div>`
  }
  return `<div class="card empty"><h2>${t({ ja: 'メールはまだありません', en: 'No mail yet' })}</h2>
<p>${t({
    ja: `<code>${escapeHtml(smtpUrl)}</code> に送られたメールはすべてここに届きます。実際の宛先には配信されません。`,
    en: `Everything sent to <code>${escapeHtml(smtpUrl)}</code> arrives here. Nothing is delivered to real people.`,
  })}</p></div>`
}

function fullList({ filter, offset, found, language }: MailListView): string {
  const t = (texts: Localized) => texts[language]
  const number = new Intl.NumberFormat(language)
  const rows = found.data
    .map((mail) => {
      const [first = '', ...others] = mail.to
      const more = others.length === 0 ? '' : ` <span class="badge">+${others.length}</span>`
      const to = `<a class="plain" href="${escapeHtml(listAddress({ q: '', to: first }, 0))}" title="${escapeHtml(first)}">${escapeHtml(first)}</a>${more}`
      return `<tr><td><a href="/mail/${mail.id}">${escapeHtml(mail.subject || t(noSubject))}</a><span class="narrow muted small">${to}</span></td>
<td class="wide">${to}</td><td class="wide" title="${escapeHtml(mail.from)}">${escapeHtml(shortName(mail.from))}</td>
<td class="muted">${formatTime(new Date(mail.received_at), language)}</td><td class="num muted wide">${sizeText(mail.size)}</td></tr>`
    })
    .join('\n')
  const last = offset + found.data.length
  const count = t({
    ja: `${number.format(found.total)} 件中 ${number.format(offset + 1)}〜${number.format(last)} 件`,
    en: `${number.format(offset + 1)}–${number.format(last)} of ${number.format(found.total)}`,
  })
  const unread =
    found.unread_texts === 0
      ? ''
      : `<p class="flash warn">${t({
          ja: `古い ${number.format(found.unread_texts)} 件は本文をまだ検索できません。もう一度検索すると続きを読み込みます。`,
          en: `The text of ${number.format(found.unread_texts)} older mails has not been read yet. Search again to go on.`,
        })}</p>`
  return `${unread}<div class="table-wrap"><table class="mails"><thead><tr><th>${t({ ja: '件名', en: 'Subject' })}</th><th class="wide">${t({ ja: '宛先', en: 'To' })}</th><th class="wide">${t({ ja: '差出人', en: 'From' })}</th><th>${t({ ja: '受信日時', en: 'Received' })}</th><th class="num wide">${t({ ja: 'サイズ', en: 'Size' })}</th></tr></thead>
<tbody>${rows}</tbody></table></div>
<nav class="pager" aria-label="${t({ ja: 'ページ', en: 'Pages' })}"><span class="muted">${count}</span>
${offset > 0 ? `<a class="button small" rel="prev" href="${escapeHtml(listAddress(filter, Math.max(0, offset - mailPageSize)))}">${t({ ja: '前へ', en: 'Newer' })}</a>` : ''}
${last < found.total ? `<a class="button small" rel="next" href="${escapeHtml(listAddress(filter, last))}">${t({ ja: '次へ', en: 'Older' })}</a>` : ''}</nav>`
}

/** The name of a From header, or its address where it has no name. */
function shortName(from: string): string {
  const name = from.replace(/\s*<[^<>]*>\s*$/, '').replace(/^"(.*)"$/, '$1')
  return name === '' ? from : name
}

/** Two steps without a script: the button that deletes is inside what the first one opens. */
function clearForm(language: SandboxLanguage): string {
  const t = (texts: Localized) => texts[language]
  return `<details class="danger-zone"><summary>${t({ ja: 'すべて削除…', en: 'Delete all…' })}</summary>
<form method="post" action="/mail/clear" class="card"><p>${t({
    ja: 'メールボックスのメールをすべて削除します。元に戻せません。',
    en: 'This deletes every mail in the mailbox and cannot be undone.',
  })}</p><button class="danger">${t({ ja: 'すべて削除する', en: 'Delete every mail' })}</button></form></details>`
}

function switchWarning(switches: MailSwitches, language: SandboxLanguage): string {
  const on = switchNames.filter((name) => switches[name])
  if (on.length === 0) return ''
  const names = on.map((name) => switchLabels[name].name[language]).join({ ja: '、', en: ', ' }[language])
  return `<p class="flash warn">${{ ja: 'メールサーバーの設定：', en: 'The mail server is set to: ' }[language]}${names} <a href="/#switches">${{ ja: '変更', en: 'Change' }[language]}</a></p>`
}

export const mailTabs = ['html', 'text', 'headers', 'links', 'source'] as const
export type MailTab = (typeof mailTabs)[number]

export interface MailView {
  mail: MailSummary & ParsedMail
  raw: Buffer
  tab: MailTab
  /** How the one-click unsubscribe request went: a status, or `failed` when no answer came. */
  unsubscribed: string | null
  language: SandboxLanguage
}

export function mailPage(view: MailView): string {
  const { mail, tab, language } = view
  const t = (texts: Localized) => texts[language]
  const tabs = mailTabs
    .map((name) => {
      const count = name === 'links' ? ` (${mail.links.length})` : ''
      return `<a href="/mail/${mail.id}?tab=${name}"${name === tab ? ' aria-current="page"' : ''}>${t(tabNames[name])}${count}</a>`
    })
    .join('')
  const title = mail.subject || t(noSubject)
  const body = `<p><a href="/mail">← ${t({ ja: 'メールボックス', en: 'Mailbox' })}</a></p>
<h1>${escapeHtml(title)}</h1>
<dl class="facts">
<dt>${t({ ja: '宛先', en: 'To' })}</dt><dd>${mail.to.map((address) => `<a href="${escapeHtml(listAddress({ q: '', to: address }, 0))}">${escapeHtml(address)}</a>`).join(', ')}</dd>
<dt>${t({ ja: '差出人', en: 'From' })}</dt><dd>${escapeHtml(mail.from)} <span class="muted">(${t({ ja: 'エンベロープ', en: 'envelope' })}: ${escapeHtml(mail.envelope_from || '<>')})</span></dd>
<dt>${t({ ja: '受信日時', en: 'Received' })}</dt><dd>${formatTime(new Date(mail.received_at), language)}</dd>
<dt>${t({ ja: 'サイズ', en: 'Size' })}</dt><dd>${sizeText(mail.size)} <a href="/mail/${mail.id}/raw">${t({ ja: '.eml をダウンロード', en: 'Download .eml' })}</a></dd>
${mail.attachments.length === 0 ? '' : `<dt>${t({ ja: '添付', en: 'Attachments' })}</dt><dd>${mail.attachments.map(({ filename, mime_type, size }) => `${escapeHtml(filename ?? mime_type)} (${sizeText(size)})`).join(', ')}</dd>`}
</dl>
${unsubscribeResult(view)}
<nav class="tabs" aria-label="${t({ ja: '表示', en: 'View' })}">${tabs}</nav>
${tabBody(view)}`
  return page({ title, body, lang: language, nav: sandboxNavigation(language, 'mail') })
}

function tabBody(view: MailView): string {
  const { mail, language } = view
  const t = (texts: Localized) => texts[language]
  const nothing = (texts: Localized) => `<div class="card empty">${t(texts)}</div>`
  switch (view.tab) {
    case 'html':
      if (mail.html === null) return nothing({ ja: 'HTML パートはありません', en: 'This mail has no HTML part' })
      return `<div class="toolbar"><button class="small" data-width="100%" data-for="preview" aria-pressed="true">${t({ ja: 'パソコン', en: 'Desktop' })}</button>
<button class="small" data-width="375px" data-for="preview" aria-pressed="false">${t({ ja: 'スマートフォン', en: 'Phone' })}</button>
<a class="end" href="/mail/${mail.id}/html" target="_blank" rel="noopener">${t({ ja: '別のタブで開く', en: 'Open in a new tab' })}</a></div>
<iframe id="preview" class="mail" title="${t({ ja: 'メールの HTML', en: 'The mail as HTML' })}" src="/mail/${mail.id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`
    case 'text':
      if (mail.text === null) return nothing({ ja: 'テキストパートはありません', en: 'This mail has no text part' })
      return `<pre>${escapeHtml(mail.text)}</pre>`
    case 'headers':
      return `<div class="table-wrap"><table><tbody>${mail.headers
        .map(
          ({ name, value }) =>
            `<tr><th scope="row">${escapeHtml(name)}</th><td class="mono">${escapeHtml(value)}${name.toLowerCase() === 'list-unsubscribe' ? unsubscribeButton(view) : ''}</td></tr>`,
        )
        .join('')}</tbody></table></div>`
    case 'links':
      if (mail.links.length === 0) return nothing({ ja: 'リンクはありません', en: 'There are no links' })
      return `<div class="table-wrap"><table><thead><tr><th>${t({ ja: '文字', en: 'Text' })}</th><th>${t({ ja: 'リンク先', en: 'Goes to' })}</th></tr></thead><tbody>${mail.links
        .map(({ href, text }) => `<tr><td>${escapeHtml(text)}</td><td class="mono">${linkTo(href)}</td></tr>`)
        .join('')}</tbody></table></div>`
    case 'source': {
      const shown = view.raw.toString('utf8', 0, sourceLimitBytes)
      const cut =
        view.raw.length > sourceLimitBytes
          ? `<p class="flash">${t({ ja: '先頭の 1 MB だけを表示しています。', en: 'Only the first megabyte is shown.' })}</p>`
          : ''
      return `${cut}<pre>${escapeHtml(shown)}</pre>`
    }
  }
}

// A browser takes seconds to lay out more than this in one block.
const sourceLimitBytes = 1024 * 1024

function linkTo(href: string): string {
  const safe = /^(https?|mailto|tel):/i.test(href)
  return safe
    ? `<a href="${escapeHtml(href)}" target="_blank" rel="noopener">${escapeHtml(href)}</a>`
    : escapeHtml(href)
}

/** Where RFC 8058 lets a mail program unsubscribe with one POST, or null when the mail does not offer it. */
export function oneClickAddress(headers: ParsedMail['headers']): string | null {
  const value = (wanted: string) => headers.find(({ name }) => name.toLowerCase() === wanted)?.value ?? ''
  if (!/^\s*List-Unsubscribe=One-Click\s*$/i.test(value('list-unsubscribe-post'))) return null
  const addresses = [...value('list-unsubscribe').matchAll(/<([^<>]*)>/g)].map((match) => (match[1] ?? '').trim())
  return addresses.find((address) => /^https?:/i.test(address) && URL.canParse(address)) ?? null
}

function unsubscribeButton({ mail, language }: MailView): string {
  if (oneClickAddress(mail.headers) === null) {
    return `<p class="muted">${{ ja: 'ワンクリック解除（RFC 8058）には対応していません', en: 'Offers no one-click unsubscribe (RFC 8058)' }[language]}</p>`
  }
  return `<form method="post" action="/mail/${mail.id}/unsubscribe"><button class="small">${{ ja: 'ワンクリックで配信停止（POST を送信）', en: 'Unsubscribe with one click (sends the POST)' }[language]}</button></form>`
}

function unsubscribeResult({ unsubscribed, language }: MailView): string {
  if (unsubscribed === null) return ''
  const good = /^2\d\d$/.test(unsubscribed)
  const text = good
    ? {
        ja: `配信停止のリクエストが受け付けられました（${unsubscribed}）。`,
        en: `The unsubscribe request was accepted (${unsubscribed}).`,
      }
    : unsubscribed === 'failed'
      ? { ja: '配信停止のリクエストに応答がありませんでした。', en: 'Nobody answered the unsubscribe request.' }
      : {
          ja: `配信停止のリクエストは ${unsubscribed} で断られました。`,
          en: `The unsubscribe request was answered with ${unsubscribed}.`,
        }
  return `<p class="flash ${good ? 'ok' : 'bad'}" role="status">${escapeHtml(text[language])}</p>`
}

/** The mail's HTML for its frame: links open a new tab. What may load is decided by the response's headers. */
export function framedHtml(html: string): string {
  const base = '<base target="_blank">'
  // Behind the doctype, or the mail would be laid out in quirks mode.
  for (const place of [/<head\b[^>]*>/i, /<html\b[^>]*>/i, /<!doctype[^>]*>/i]) {
    const found = place.exec(html)
    if (found !== null) {
      const at = found.index + found[0].length
      return html.slice(0, at) + base + html.slice(at)
    }
  }
  return base + html
}

const noSubject = { ja: '（件名なし）', en: '(no subject)' }

const tabNames: Record<MailTab, Localized> = {
  html: { ja: 'HTML', en: 'HTML' },
  text: { ja: 'テキスト', en: 'Text' },
  headers: { ja: 'ヘッダー', en: 'Headers' },
  links: { ja: 'リンク', en: 'Links' },
  source: { ja: 'ソース', en: 'Source' },
}

function listAddress(filter: { q: string; to: string }, offset: number): string {
  const query = new URLSearchParams()
  if (filter.q !== '') query.set('q', filter.q)
  if (filter.to !== '') query.set('to', filter.to)
  if (offset > 0) query.set('offset', String(offset))
  const text = query.toString()
  return text === '' ? '/mail' : `/mail?${text}`
}

function sizeText(sizeBytes: number): string {
  if (sizeBytes < 1024) return `${sizeBytes} B`
  const kilobytes = sizeBytes / 1024
  return kilobytes < 1024 ? `${kilobytes.toFixed(1)} kB` : `${(kilobytes / 1024).toFixed(1)} MB`
}
