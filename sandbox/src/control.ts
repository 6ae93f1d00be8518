import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { MovableClock } from './clock.ts'
import { acceptOwnForms, refuse } from './http.ts'
import {
  escapeHtml,
  formatTime,
  languageOf,
  page,
  sandboxNavigation,
  type Localized,
  type SandboxLanguage,
} from './page.ts'
import { switchLabels } from './mail/pages.ts'
import { switchNames, type MailSwitches } from './mail/sentinels.ts'
import type { SandboxSmtp } from './mail/smtp.ts'
import type { MailStore } from './mail/store.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const steps: { ms: number; label: Localized }[] = [
  { ms: hourMs, label: { ja: '+1 時間', en: '+1 hour' } },
  { ms: dayMs, label: { ja: '+1 日', en: '+1 day' } },
  { ms: 7 * dayMs, label: { ja: '+7 日', en: '+7 days' } },
  { ms: 30 * dayMs, label: { ja: '+30 日', en: '+30 days' } },
]

const moveSchema = {
  type: 'object',
  properties: { advance_ms: { type: 'number' }, to: { type: 'string', maxLength: 40 } },
}
const followSchema = { type: 'object', properties: { unless_offset_ms: { type: 'number' } } }
const longestWaitMs = 20_000
interface Move {
  advance_ms?: number
  to?: string
}

/** The sandbox's first page, its clock, and the one script its pages use. */
export async function mountControl(
  app: FastifyInstance,
  {
    clock,
    store,
    smtp,
    smtpUrl,
    publicUrl,
    appUrl,
    settle,
  }: {
    clock: MovableClock
    store: MailStore
    smtp: SandboxSmtp
    smtpUrl: string
    publicUrl: () => string
    appUrl?: string
    /** Does what is under way to its end; returns whether there was any. */
    settle: () => Promise<boolean>
  },
): Promise<void> {
  const script = readFileSync(new URL('./assets/sandbox.js', import.meta.url), 'utf8')
  const presentTime = () => ({ now: clock.now().toISOString(), offset_ms: clock.offsetMs() })

  /** After the next move, or soon enough that the caller is still there. */
  const moved = (): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        waiting.delete(done)
        resolve()
      }
      const timer = setTimeout(done, longestWaitMs)
      waiting.add(done)
    })
  const waiting = new Set<() => void>()
  clock.onMove(() => {
    for (const done of waiting) done()
  })

  function move({ advance_ms, to }: Move): void {
    if ((advance_ms === undefined) === (to === undefined)) {
      throw refuse(422, 'clock_invalid', 'Give either advance_ms or to.')
    }
    if (advance_ms !== undefined) clock.advance(advance_ms)
    else if (to !== undefined) clock.set(instantOf(to))
  }

  await app.register(async (scope) => {
    await acceptOwnForms(scope)

    scope.get('/', async (request, reply) => {
      const language = languageOf(request, reply)
      reply.type('text/html; charset=utf-8')
      return controlPage({
        language,
        now: clock.now(),
        offsetMs: clock.offsetMs(),
        switches: smtp.switches(),
        mails: store.total(),
        addresses: { publicUrl: publicUrl(), smtpUrl, appUrl },
      })
    })

    scope.get('/assets/sandbox.js', async (_request, reply) => {
      reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache')
      return script
    })

    scope.get<{ Querystring: { unless_offset_ms?: number } }>(
      '/clock.json',
      { schema: { querystring: followSchema } },
      async ({ query }) => {
        if (query.unless_offset_ms === clock.offsetMs()) await moved()
        return presentTime()
      },
    )

    scope.post<{ Body: Move }>('/clock.json', { schema: { body: moveSchema } }, async (request) => {
      move(request.body)
      return presentTime()
    })

    scope.post('/settle.json', async () => ({ worked: await settle() }))

    scope.post<{ Body: Move }>('/clock', { schema: { body: moveSchema } }, async (request, reply) => {
      move(request.body)
      return reply.redirect('/#clock', 303)
    })
  })
}

/** An ISO time; one without a zone, as a date-time field sends it, is Japanese time, in which the pages show it. */
function instantOf(text: string): Date {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text)) throw refuse(422, 'clock_invalid', 'That is not an ISO 8601 time.')
  return new Date(/(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}+09:00`)
}

function controlPage(view: {
  language: SandboxLanguage
  now: Date
  offsetMs: number
  switches: MailSwitches
  mails: number
  addresses: { publicUrl: string; smtpUrl: string; appUrl: string | undefined }
}): string {
  const { language, now, offsetMs, switches, addresses } = view
  const t = (texts: Localized) => texts[language]
  const title = t({ ja: 'サンドボックス', en: 'Sandbox' })
  const store = '/stores/okaeri-sandbox.myshopify.com'
  const local = new Date(now.getTime() + 9 * hourMs).toISOString().slice(0, 16)
  const body = `<h1>${title}</h1>
<p class="muted">${t({
    ja: 'Okaeri の外側の世界です。ストアもメールサーバーも LINE も DNS もここで動いていて、実在の人やサービスには何も届きません。',
    en: 'The world outside Okaeri: a store, a mail server, LINE and DNS, which run here. Nothing reaches real people or services.',
  })}</p>
<div class="grid">
<section class="card"><h2>${t({ ja: '動いているもの', en: 'What runs here' })}</h2>
<ul class="places">
<li><a href="${store}/admin">${t({ ja: 'ストア管理', en: 'Store admin' })}</a><br><span class="muted">${t({ ja: '注文、顧客、同意、在庫、送信した Webhook', en: 'Orders, customers, consent, stock, webhooks sent' })}</span></li>
<li><a href="${store}">${t({ ja: 'ストア', en: 'Storefront' })}</a><br><span class="muted">${t({ ja: '顧客が見るお店', en: 'The shop as its customers see it' })}</span></li>
<li><a href="/mail">${t({ ja: 'メールボックス', en: 'Mailbox' })}</a> <span class="badge">${new Intl.NumberFormat(language).format(view.mails)}</span><br><span class="muted">${t({ ja: '送信されたすべてのメール', en: 'Every mail that was sent' })}</span></li>
<li><a href="/line">LINE</a><br><span class="muted">${t({ ja: '公式アカウントと、友だちのスマートフォン', en: 'Official account and the phones of its friends' })}</span></li>
<li><a href="/dns">DNS</a><br><span class="muted">${t({ ja: 'すべてのドメインのレコード', en: 'The records of every domain' })}</span></li>
</ul>
<dl class="facts"><dt>HTTP</dt><dd class="mono">${escapeHtml(addresses.publicUrl)}</dd><dt>SMTP</dt><dd class="mono">${escapeHtml(addresses.smtpUrl)}</dd>
${addresses.appUrl === undefined ? '' : `<dt>Okaeri</dt><dd class="mono"><a href="${escapeHtml(addresses.appUrl)}">${escapeHtml(addresses.appUrl)}</a></dd>`}</dl>
</section>
<section class="card" id="clock"><h2>${t({ ja: '時計', en: 'Clock' })}</h2>
<p><span class="big" id="now" data-refresh="/">${formatTime(now, language)}</span> <span class="muted">${t({ ja: '日本時間', en: 'Japan' })}</span></p>
<p class="muted">${offsetMs === 0 ? t({ ja: '実際の時刻どおりです。', en: 'The same as the real time.' }) : aheadText(offsetMs, language)}</p>
<form method="post" action="/clock" class="row">${steps.map(({ ms, label }) => `<button name="advance_ms" value="${ms}">${t(label)}</button>`).join('')}</form>
<form method="post" action="/clock"><label for="to">${t({ ja: '指定の日時まで進める（日本時間）', en: 'Move to (Japan time)' })}</label>
<div class="row"><input type="datetime-local" id="to" name="to" min="${local}" value="${local}" required><button>${t({ ja: '進める', en: 'Move' })}</button></div></form>
<p class="muted small">${t({ ja: '時計は進めることしかできません。', en: 'The clock only moves forward.' })}</p>
</section>
</div>
<section class="card spaced" id="switches"><h2>${t({ ja: 'メールサーバー', en: 'Mail server' })}</h2>
<div class="table-wrap"><table><tbody>${switchNames.map((name) => switchRow(name, switches[name], language)).join('')}</tbody></table></div>
</section>
<section class="card"><h2>${t({ ja: '特別な宛先', en: 'Addresses that misbehave' })}</h2>
<p class="muted">${t({
    ja: 'ローカル部がこの語で始まる宛先（例：<code>reject-1@example.jp</code>）は、決まった失敗をします。直後に英字が続く宛先（例：<code>fuller@…</code>）は普通の宛先です。',
    en: 'A recipient whose local part starts with one of these words (<code>reject-1@example.jp</code>) fails in its own way. With a letter right behind it (<code>fuller@…</code>) it is an ordinary address.',
  })}</p>
<div class="table-wrap"><table><tbody>${sentinelTexts.map(([words, effect]) => `<tr><th scope="row" class="mono">${words}</th><td>${t(effect)}</td></tr>`).join('')}</tbody></table></div>
</section>`
  return page({ title, body, lang: language, nav: sandboxNavigation(language, 'home') })
}

function switchRow(name: keyof MailSwitches, on: boolean, language: SandboxLanguage): string {
  const { name: label, effect } = switchLabels[name]
  const state = on
    ? `<span class="badge warn">${{ ja: 'オン', en: 'On' }[language]}</span>`
    : `<span class="badge">${{ ja: 'オフ', en: 'Off' }[language]}</span>`
  const action = on ? { ja: 'オフにする', en: 'Switch off' } : { ja: 'オンにする', en: 'Switch on' }
  return `<tr><td><strong>${label[language]}</strong> ${state}<br><span class="muted">${effect[language]}</span></td>
<td class="num"><form method="post" action="/mail/switches" class="inline"><button class="small" name="${name}" value="${String(!on)}" aria-label="${label[language]}: ${action[language]}">${action[language]}</button></form></td></tr>`
}

function aheadText(offsetMs: number, language: SandboxLanguage): string {
  const days = Math.floor(offsetMs / dayMs)
  const hours = Math.floor((offsetMs % dayMs) / hourMs)
  const minutes = Math.floor((offsetMs % hourMs) / 60_000)
  return {
    ja: `実際の時刻より ${days} 日 ${hours} 時間 ${minutes} 分進んでいます。`,
    en: `${days} d ${hours} h ${minutes} min ahead of the real time.`,
  }[language]
}

const sentinelTexts: readonly [words: string, effect: Localized][] = [
  ['tempfail', { ja: '毎回 451 4.3.0（一時エラー）', en: '451 4.3.0, a temporary failure, every time' }],
  [
    'tempfail-once, tempfail-twice',
    { ja: '最初の 1 回／2 回だけ 451 4.3.0', en: '451 4.3.0 the first time, or the first two' },
  ],
  ['reject, unknown', { ja: '550 5.1.1（宛先が存在しない）', en: '550 5.1.1, no such address' }],
  ['full', { ja: '552 5.2.2（メールボックスが満杯）', en: '552 5.2.2, mailbox full' }],
  [
    'quota, quota-once',
    { ja: '452 4.5.3（送信上限）毎回／最初だけ', en: '452 4.5.3, sending quota; every time, or once' },
  ],
  [
    'quota-daily, quota-421',
    { ja: '450／421 4.7.28（1 日の上限。421 は切断も）', en: '450 or 421 4.7.28, daily limit; 421 also hangs up' },
  ],
  [
    'busy, busy-once',
    {
      ja: '421 4.7.0（受信側の流量制限）毎回／最初だけ',
      en: '421 4.7.0, the receiver accepts fewer; every time, or once',
    },
  ],
  ['spam', { ja: 'DATA の後に 554 5.7.1', en: '554 5.7.1 after DATA' }],
  ['drop', { ja: '保存してから、応答せずに切断', en: 'Stored, then the connection is cut without an answer' }],
  ['drop-lost', { ja: '保存せず、応答せずに切断', en: 'Not stored; cut without an answer after the whole mail' }],
  ['cut', { ja: 'DATA の途中で切断', en: 'Cut in the middle of DATA' }],
  ['slow, slow-rcpt', { ja: 'DATA の後／RCPT で 5 秒遅れて応答', en: 'Answers 5 seconds late, after DATA or at RCPT' }],
]
