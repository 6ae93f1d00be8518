import { type Locale, type Localized, toLocale, wordsIn } from '@okaeri/contract/locale'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { maskAddress } from '../../kernel/masked-address.ts'
import { html, type Markup, sendPublicPage, TICK } from '../../kernel/http/public-page.ts'
import type { Addressee } from './addressee.ts'
import { pageWords } from './words.ts'

export type PageName = 'confirm' | 'ok' | 'cancel' | 'subscribe' | 'preferences'
export const pagePath: Record<PageName, string> = {
  confirm: '/pages/unsubscribe/confirm',
  ok: '/pages/unsubscribe/ok',
  cancel: '/pages/unsubscribe/cancel',
  subscribe: '/emails/subscribe',
  preferences: '/pages/preferences',
}

/** The address of a page; `lang` only where the person chose one. */
export function pageAddress(page: PageName, token: string, lang: Locale | undefined): string {
  const query = new URLSearchParams({ ...(token ? { token } : {}), ...(lang ? { lang } : {}) })
  return query.size > 0 ? `${pagePath[page]}?${query}` : pagePath[page]
}

interface Asked {
  page: PageName
  token: string
  lang: Locale | undefined
  request: FastifyRequest
  reply: FastifyReply
}

/** Shows the present state: a page for subscribers shows an unsubscribed visitor that state, and the other way round. */
export function sendSubscriptionPage(
  addressee: Addressee | null,
  { page, token, lang, request, reply }: Asked,
): FastifyReply {
  const language = lang ?? addressee?.language ?? toLocale(request.headers['accept-language'])
  const languages = { ja: pageAddress(page, token, 'ja'), en: pageAddress(page, token, 'en') }
  if (!addressee) {
    if (token === '' && (page === 'ok' || page === 'cancel'))
      return sendGeneralPage(reply, { page, language, languages })
    const { title, body } = wordsIn(pageWords.broken, language)
    return sendPublicPage(reply, { language, title, merchantName: null, body: html`<p>${body}</p>`, languages }, 404)
  }
  const { title, body } = contentOf(shownPage(page, addressee), addressee, { token, lang, language })
  const note = addressee.isTest ? html`<p class="note">${pageWords.test[language]}</p>` : null
  return sendPublicPage(reply, {
    language,
    title,
    merchantName: addressee.merchantName,
    body: html`${note}${body}`,
    languages,
  })
}

/** Asked for without a token: whose mails are meant is unknown, so the page says how to get to one's own. */
function sendGeneralPage(
  reply: FastifyReply,
  { page, language, languages }: { page: 'ok' | 'cancel'; language: Locale; languages: Localized },
): FastifyReply {
  const { titles, body, wayOn } = wordsIn(pageWords.unknown, language)
  return sendPublicPage(reply, {
    language,
    title: titles[page],
    merchantName: null,
    body: html`<p>${body}</p><p>${wayOn}</p>`,
    languages,
  })
}

type Shown = 'confirm' | 'stopped' | 'kept' | 'subscribe' | 'subscribed'
function shownPage(page: PageName, { permission, isTest }: Addressee): Shown {
  // A test changes nothing: each page as it was asked for.
  const { reachable, granted } = isTest ? { reachable: page !== 'ok', granted: false } : permission
  if (page === 'subscribe') return granted ? 'subscribed' : 'subscribe'
  if (page === 'cancel') return reachable ? 'kept' : 'stopped'
  return reachable ? 'confirm' : 'stopped'
}

function contentOf(
  shown: Shown,
  { addressKey, merchantName }: Addressee,
  { token, lang, language }: { token: string; lang: Locale | undefined; language: Locale },
): { title: string; body: Markup } {
  const words = wordsIn(pageWords, language)
  const address = html`<p class="address">${maskAddress(addressKey)}</p>`
  const button = (choice: 'stop' | 'keep' | 'subscribe', label: string, second = false): Markup =>
    html`<button name="choice" value="${choice}"${second ? html` class="second"` : null}>${label}</button>`
  const form = (...buttons: Markup[]): Markup =>
    html`<form method="post" action="${pagePath.confirm}"><input type="hidden" name="token" value="${token}">${
      lang ? html`<input type="hidden" name="lang" value="${lang}">` : null
    }${buttons}</form>`
  switch (shown) {
    case 'confirm': {
      const { title, ask, stop, keep, notYours, stillComing } = words.confirm
      return {
        title,
        body: html`<p>${ask(merchantName)}</p>${address}${form(button('stop', stop), button('keep', keep, true))}
<p class="soft">${stillComing}</p><p class="soft">${notYours}</p>`,
      }
    }
    case 'stopped': {
      const { title, body, onTheWay, mistake, again } = words.stopped
      return {
        title,
        body: html`${TICK}<p>${body(merchantName)}</p>${address}<p class="soft">${onTheWay}</p>
<p class="soft">${mistake}</p>${form(button('subscribe', again, true))}`,
      }
    }
    case 'kept':
      return { title: words.kept.title, body: html`<p>${words.kept.body(merchantName)}</p>${address}` }
    case 'subscribe': {
      const { title, ask, button: label, notYours } = words.subscribe
      return {
        title,
        body: html`<p>${ask(merchantName)}</p>${address}${form(button('subscribe', label))}<p class="soft">${notYours}</p>`,
      }
    }
    case 'subscribed':
      return {
        title: words.subscribed.title,
        body: html`${TICK}<p>${words.subscribed.body(merchantName)}</p>${address}`,
      }
  }
}
