import type { FastifyReply, FastifyRequest } from 'fastify'

export type SandboxLanguage = 'ja' | 'en'

/** A text in both languages of the sandbox's pages. */
/** What people read, in both languages side by side. */
export type Localized = { ja: string; en: string }

export interface NavigationItem {
  href: string
  label: string
  active?: boolean
}

const languageCookie = 'sandbox_lang'

/** Makes a value safe inside text and inside a quoted attribute. */
export function escapeHtml(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/**
 * The language of a page: `?lang=ja|en` first (and remembered in the cookie `sandbox_lang`), then the cookie, then the
 * browser's own preference, Japanese when it has none.
 */
export function languageOf(request: FastifyRequest, reply: FastifyReply): SandboxLanguage {
  const asked = (request.query as Record<string, unknown> | undefined)?.lang
  if (asked === 'ja' || asked === 'en') {
    reply.header('set-cookie', `${languageCookie}=${asked}; Path=/; Max-Age=31536000; SameSite=Lax`)
    return asked
  }
  const remembered = /(?:^|;\s*)sandbox_lang=(ja|en)(?:;|$)/.exec(request.headers.cookie ?? '')?.[1]
  if (remembered === 'ja' || remembered === 'en') return remembered
  const preferred = (request.headers['accept-language'] ?? '').toLowerCase()
  return preferred.startsWith('en') ? 'en' : 'ja'
}

/** A time in the zone the seeded store lives in, readable in the page's language. */
export function formatTime(at: Date, language: SandboxLanguage): string {
  return new Intl.DateTimeFormat(language === 'ja' ? 'ja-JP' : 'en-GB', {
    timeZone: 'Asia/Tokyo',
    dateStyle: 'medium',
    timeStyle: 'medium',
  }).format(at)
}

/** The navigation every page of the sandbox shows unless it brings its own. */
export function sandboxNavigation(
  language: SandboxLanguage,
  active?: 'home' | 'admin' | 'store' | 'mail' | 'line' | 'dns',
) {
  const store = '/stores/okaeri-sandbox.myshopify.com'
  const items: { key: string; href: string; label: Localized }[] = [
    { key: 'home', href: '/', label: { ja: 'サンドボックス', en: 'Sandbox' } },
    { key: 'admin', href: `${store}/admin`, label: { ja: 'ストア管理', en: 'Store admin' } },
    { key: 'store', href: store, label: { ja: 'ストア', en: 'Storefront' } },
    { key: 'mail', href: '/mail', label: { ja: 'メールボックス', en: 'Mailbox' } },
    { key: 'line', href: '/line', label: { ja: 'LINE', en: 'LINE' } },
    { key: 'dns', href: '/dns', label: { ja: 'DNS', en: 'DNS' } },
  ]
  return items.map(({ key, href, label }): NavigationItem => ({ href, label: label[language], active: key === active }))
}

/**
 * One whole HTML page of the sandbox. `title` and the navigation's labels are text and escaped here; `body` is markup
 * and the caller has escaped what is inside. Classes at hand: `card`, `grid`, `row`, `toolbar`, `badge` (`ok`, `warn`,
 * `bad`, `info`), `button` (`primary`, `danger`, `small`), `muted`, `mono`, `num`, `empty`, `tabs`, `pager`, `table-wrap`, `flash`.
 * Scripts come only from `/assets/sandbox.js`: `data-confirm="…"` on a form asks first, `data-refresh="URL"` on an
 * element replaces it when the same element (by id) at that URL differs.
 */
export function page(input: { title: string; body: string; nav?: NavigationItem[]; lang?: SandboxLanguage }): string {
  const language = input.lang ?? 'ja'
  const navigation = input.nav ?? sandboxNavigation(language)
  const links = navigation
    .map(
      ({ href, label, active }) =>
        `<a href="${escapeHtml(href)}"${active === true ? ' aria-current="page"' : ''}>${escapeHtml(label)}</a>`,
    )
    .join('')
  const other: SandboxLanguage = language === 'ja' ? 'en' : 'ja'
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(input.title)}</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%23b4690e'/%3E%3Cpath d='M4 11V7l4-3 4 3v4z' fill='white'/%3E%3C/svg%3E">
<style>${styles}</style>
<script src="/assets/sandbox.js" defer></script>
</head>
<body>
<header class="top"><nav aria-label="${{ ja: 'メイン', en: 'Main' }[language]}">${links}</nav>
<a class="language" href="?lang=${other}" lang="${other}" hreflang="${other}">${{ ja: '日本語', en: 'English' }[other]}</a></header>
<main>
${input.body}
</main>
</body>
</html>
`
}

const styles = `
:root{color-scheme:light dark;
--bg:#f6f5f2;--surface:#fff;--raised:#faf9f7;--line:#dfdcd5;--text:#1f1d1a;--muted:#6a655c;--accent:#935308;--accent-bg:#a05a08;--accent-text:#fff;
--ok:#1c6b3a;--ok-bg:#e2f3e8;--warn:#7a4d00;--warn-bg:#fdf0d5;--bad:#a3231f;--bad-bg:#fbe6e4;--info:#1f4f87;--info-bg:#e3edf8}
@media (prefers-color-scheme:dark){:root{
--bg:#171614;--surface:#211f1c;--raised:#2a2824;--line:#3d3a34;--text:#eeebe5;--muted:#a9a398;--accent:#f0b266;--accent-bg:#d08a35;--accent-text:#1a1207;
--ok:#85d6a2;--ok-bg:#193725;--warn:#f2c572;--warn-bg:#3d2f12;--bad:#f59a94;--bad-bg:#45201e;--info:#96c2f2;--info-bg:#1a2f47}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--text);font:15px/1.6 system-ui,-apple-system,"Segoe UI","Hiragino Sans","Hiragino Kaku Gothic ProN","Noto Sans JP","Noto Sans CJK JP","Yu Gothic UI",Meiryo,sans-serif}
main{max-width:1120px;margin:0 auto;padding:24px 20px 64px}
.top{display:flex;align-items:center;gap:12px;background:var(--surface);border-bottom:1px solid var(--line);padding:0 20px}
.top nav{display:flex;gap:4px;overflow-x:auto;flex:1}
.top a{padding:12px 10px;color:var(--muted);text-decoration:none;white-space:nowrap;border-bottom:2px solid transparent}
.top a:hover{color:var(--text)}
.top a[aria-current]{color:var(--text);font-weight:600;border-bottom-color:var(--accent-bg)}
a{color:var(--accent)}
a:focus-visible,button:focus-visible,input:focus-visible,select:focus-visible,textarea:focus-visible,summary:focus-visible{outline:2px solid var(--accent-bg);outline-offset:2px}
h1{font-size:24px;line-height:1.3;margin:0 0 16px;overflow-wrap:anywhere}
h2{font-size:17px;line-height:1.4;margin:0 0 12px}
h3{font-size:15px;margin:0 0 8px}
p{margin:0 0 12px}
.card{background:var(--surface);border:1px solid var(--line);border-radius:10px;padding:18px;margin:0 0 18px}
.card>:last-child{margin-bottom:0}
.grid{display:grid;gap:18px;grid-template-columns:repeat(auto-fit,minmax(min(320px,100%),1fr));align-items:start}
.grid>.card{margin:0}
.row,.toolbar{display:flex;flex-wrap:wrap;gap:8px;align-items:center}
.toolbar{margin:0 0 14px}
.toolbar .end,.row .end{margin-left:auto}
.muted{color:var(--muted)}
.small{font-size:13px}
.num{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.mono,code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Noto Sans Mono CJK JP",monospace;font-size:13px}
.big{font-size:22px;font-weight:600;font-variant-numeric:tabular-nums}
pre{background:var(--raised);border:1px solid var(--line);border-radius:8px;padding:14px;margin:0 0 12px;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere}
.table-wrap{overflow-x:auto;background:var(--surface);border:1px solid var(--line);border-radius:10px;margin:0 0 18px}
.card .table-wrap{border-radius:8px}
table{border-collapse:collapse;width:100%}
th,td{padding:9px 14px;text-align:left;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
th{font-size:13px;font-weight:600;color:var(--muted);background:var(--raised);white-space:nowrap}
tr:last-child>td,tr:last-child>th{border-bottom:0}
tbody tr:hover{background:var(--raised)}
.nowrap{white-space:nowrap}
label{display:block;font-size:13px;font-weight:600;margin:0 0 4px}
label.check{display:flex;gap:8px;align-items:flex-start;font-weight:400;font-size:15px;margin:0 0 10px}
label.check input{margin-top:5px}
input[type=text],input[type=search],input[type=email],input[type=number],input[type=tel],input[type=url],input[type=password],input[type=date],input[type=datetime-local],input:not([type]),select,textarea{font:inherit;color:inherit;background:var(--surface);border:1px solid #8c867a;border-radius:8px;padding:7px 10px;max-width:100%;min-height:38px}
textarea{width:100%;min-height:96px}
input[type=checkbox],input[type=radio]{accent-color:var(--accent-bg);width:16px;height:16px;flex:none}
.field{margin:0 0 12px}.field input:not([type=checkbox]),.field select{width:100%}
form{margin:0 0 12px}form.inline{display:inline-flex;flex-wrap:wrap;gap:8px;margin:0}
button,.button{display:inline-flex;align-items:center;justify-content:center;gap:6px;font:inherit;font-weight:600;line-height:1.4;cursor:pointer;text-decoration:none;color:var(--text);background:var(--surface);border:1px solid #8c867a;border-radius:8px;padding:7px 14px;min-height:38px;white-space:nowrap}
button:hover,.button:hover{background:var(--raised)}
button.primary,.button.primary{background:var(--accent-bg);border-color:var(--accent-bg);color:var(--accent-text)}
button.primary:hover,.button.primary:hover{filter:brightness(1.08)}
button.danger,.button.danger{color:var(--bad);border-color:var(--bad)}
button.small,.button.small{min-height:30px;padding:3px 10px;font-size:13px}
button:disabled{opacity:.5;cursor:not-allowed}
button[aria-pressed=true]{background:var(--accent-bg);border-color:var(--accent-bg);color:var(--accent-text)}
.badge{display:inline-block;font-size:12px;font-weight:600;line-height:1.5;padding:1px 9px;border-radius:999px;background:var(--raised);border:1px solid var(--line);white-space:nowrap}
.badge.ok{background:var(--ok-bg);color:var(--ok);border-color:transparent}
.badge.warn{background:var(--warn-bg);color:var(--warn);border-color:transparent}
.badge.bad{background:var(--bad-bg);color:var(--bad);border-color:transparent}
.badge.info{background:var(--info-bg);color:var(--info);border-color:transparent}
.flash{padding:10px 14px;border-radius:8px;margin:0 0 16px;background:var(--info-bg);color:var(--info)}
.flash.bad{background:var(--bad-bg);color:var(--bad)}.flash.ok{background:var(--ok-bg);color:var(--ok)}.flash.warn{background:var(--warn-bg);color:var(--warn)}
.empty{text-align:center;color:var(--muted);padding:56px 20px}
.empty h2{color:var(--text)}
.tabs{display:flex;gap:2px;overflow-x:auto;border-bottom:1px solid var(--line);margin:0 0 16px}
.tabs a{padding:8px 14px;color:var(--muted);text-decoration:none;white-space:nowrap;border-bottom:2px solid transparent;margin-bottom:-1px}
.tabs a[aria-current]{color:var(--text);font-weight:600;border-bottom-color:var(--accent-bg)}
.pager{display:flex;gap:8px;align-items:center;justify-content:flex-end}
dl.facts{display:grid;grid-template-columns:max-content 1fr;gap:4px 16px;margin:0 0 12px}
dl.facts dt{color:var(--muted)}dl.facts dd{margin:0;overflow-wrap:anywhere}
iframe.mail{display:block;width:100%;height:72vh;min-height:420px;margin:0 auto;border:1px solid var(--line);border-radius:8px;background:#fff;color-scheme:light}
a.plain{color:inherit;text-decoration:none}a.plain:hover{text-decoration:underline}
details.danger-zone{margin-top:24px}details.danger-zone summary{cursor:pointer;color:var(--muted);width:max-content}details.danger-zone form{margin-top:10px}
ul.places{list-style:none;padding:0;margin:0 0 14px}ul.places li{margin:0 0 10px}ul.places a{font-weight:600}
.spaced{margin-top:18px}
::placeholder{color:var(--muted);opacity:1}
input.figure{width:6.5em;min-height:30px;padding:3px 8px;text-align:right}
.narrow{display:none}
table.mails{table-layout:fixed}table.mails th:nth-child(2){width:24%}table.mails th:nth-child(3){width:16%}table.mails th:nth-child(4){width:212px}table.mails th:nth-child(5){width:90px}
table.mails td:not(:first-child){white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
@media (max-width:640px){.narrow{display:block}table.mails th:nth-child(4){width:108px}table.mails td:nth-child(4){white-space:normal;font-size:13px}.toolbar input[type=search],.toolbar input[type=text]{flex:1 1 100%}
.wide{display:none}main{padding:18px 14px 48px}.top{padding:0 6px;gap:4px}h1{font-size:20px}th,td{padding:8px 10px}.card{padding:14px}dl.facts{grid-template-columns:1fr;gap:0}dl.facts dd{margin-bottom:8px}}
`
