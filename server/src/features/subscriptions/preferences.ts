import { languageNames, type Locale, locales, primaryLanguage, wordsIn } from '@okaeri/contract/locale'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DateTime } from 'luxon'
import { maskAddress } from '../../kernel/masked-address.ts'
import { html, type Markup, sendPublicPage } from '../../kernel/http/public-page.ts'
import { findPause, PAUSE_MONTHS } from '../consent/index.ts'
import { listCustomerIdsByAddress } from '../customers/index.ts'
import { getMerchant } from '../merchants/index.ts'
import { countChoice } from './flood.ts'
import type { Addressee } from './addressee.ts'
import { pageAddress, pagePath, sendSubscriptionPage } from './pages.ts'
import { selectLanguage } from './queries.ts'
import { setLanguage, setNotices, setPause, subscribe, unsubscribe } from './subscription.ts'
import { pageWords, WORDING_VERSION } from './words.ts'

interface Asked {
  token: string
  lang: Locale | undefined
  saved: boolean
  request: FastifyRequest
  reply: FastifyReply
}

/** Shows what is so now. Each control says how it was shown, so that an old page changes only what the person changed on it. */
export async function sendPreferences(addressee: Addressee | null, asked: Asked): Promise<FastifyReply> {
  const { token, lang, saved, request, reply } = asked
  if (!addressee) return sendSubscriptionPage(null, { page: 'preferences', token, lang, request, reply })
  const chosen = await languageOf(addressee)
  const language = lang ?? chosen
  const words = wordsIn(pageWords.preferences, language)
  const { scope, addressKey, permission, merchantName } = addressee
  const [{ timezone }, pausedUntil, customerIds] = await Promise.all([
    getMerchant(scope),
    findPause(scope, addressKey),
    listCustomerIdsByAddress(scope, addressKey),
  ])
  const zoned = (at: Date): DateTime => DateTime.fromJSDate(at, { zone: timezone })
  const day = (at: DateTime): string => at.setLocale(language).toLocaleString(DateTime.DATE_FULL)
  const wouldEnd = day(zoned(scope.now).plus({ months: PAUSE_MONTHS }))
  const body = html`${saved ? html`<p class="note" role="status">${words.saved}</p>` : null}
${addressee.isTest ? html`<p class="note">${pageWords.test[language]}</p>` : null}
<p>${words.ask(merchantName)}</p><p class="address">${maskAddress(addressKey)}</p>
<form method="post" action="${pagePath.preferences}">
<input type="hidden" name="token" value="${token}">${lang ? html`<input type="hidden" name="lang" value="${lang}">` : null}
<fieldset><legend>${words.kinds}</legend>
${checkbox('news', permission.granted, words.news, words.newsText)}
${checkbox('notices', permission.notified, words.notices, words.noticesText)}
</fieldset>
<fieldset><legend>${words.pauses}</legend>
${
  pausedUntil
    ? checkbox('pause', true, words.paused(day(zoned(pausedUntil))), words.pausedText)
    : checkbox('pause', false, words.pause, words.pauseText(wouldEnd))
}
</fieldset>
${customerIds.length > 0 ? languages(words.language, chosen) : null}
<button>${words.save}</button>
</form>
${
  permission.granted
    ? html`<p class="soft"><a href="${pageAddress('confirm', token, lang)}">${words.stopAll}</a></p>`
    : null
}`
  return sendPublicPage(reply, {
    language,
    title: words.title,
    merchantName,
    body,
    languages: {
      ja: pageAddress('preferences', token, 'ja'),
      en: pageAddress('preferences', token, 'en'),
    },
  })
}

/** The customer's, as it is now; the mail may have been written in another. */
async function languageOf(addressee: Addressee): Promise<Locale> {
  const known = primaryLanguage(await selectLanguage(addressee.scope, addressee))
  return locales.find((one) => one === known) ?? addressee.language
}

const checkbox = (name: string, isOn: boolean, label: string, text: string): Markup =>
  html`<label class="choice"><input type="checkbox" name="${name}"${isOn ? html` checked` : null}><span>${label}<small>${text}</small></span></label>${
    isOn ? html`<input type="hidden" name="${`${name}_shown`}" value="on">` : null
  }`

const languages = (legend: string, chosen: Locale): Markup =>
  html`<fieldset><legend>${legend}</legend><input type="hidden" name="language_shown" value="${chosen}">${locales.map(
    (one) =>
      html`<label class="choice"><input type="radio" name="language" value="${one}"${one === chosen ? html` checked` : null}><span lang="${one}">${languageNames[one]}</span></label>`,
  )}</fieldset>`

export interface Preferences {
  news: boolean
  notices: boolean
  pause: boolean
  language: Locale | undefined
}

/** Changes what differs from what was shown. */
export async function changePreferences(
  addressee: Addressee,
  { shown, wanted, language }: { shown: Preferences; wanted: Preferences; language: Locale },
): Promise<void> {
  const words = wordsIn(pageWords.preferences, language)
  const page = pagePath.preferences
  const takesBack = (!wanted.news || shown.news) && (!wanted.notices || shown.notices) && wanted.pause === shown.pause
  const keepsLanguage = !wanted.language || !shown.language || wanted.language === shown.language
  if (!takesBack || !keepsLanguage) await countChoice(addressee)
  const said = (label: string, text: string, isOn: boolean): string =>
    `${label}: ${text} [${isOn ? '✓' : '–'}] (${language}, ${WORDING_VERSION})`
  if (wanted.news !== shown.news) {
    const wording = said(words.news, words.newsText, wanted.news)
    if (wanted.news) await subscribe(addressee, { source: 'subscribe_link', wording, page })
    else await unsubscribe(addressee, { source: 'unsubscribe_link', wording, page })
  }
  if (wanted.notices !== shown.notices)
    await setNotices(addressee, wanted.notices, {
      source: wanted.notices ? 'subscribe_link' : 'unsubscribe_link',
      wording: said(words.notices, words.noticesText, wanted.notices),
      page,
    })
  if (wanted.pause !== shown.pause) await setPause(addressee, wanted.pause)
  if (wanted.language && !keepsLanguage) await setLanguage(addressee, wanted.language)
}
