import type { Localized } from '../../page.ts'
import { type AdminView, type adminRoutes, form, options } from './admin-frame.ts'
import { storePath } from '../platform.ts'
import { presentTheme, setTheme, type ThemeSwitches } from '../theme-switches.ts'
import { type Look, looks, type Network, networks } from '../rows.ts'

const lookNames: Record<Look, Localized> = {
  light: { ja: '昼（明朝体の見出し、紙の色）', en: 'Day (headings with serifs, paper)' },
  dark: { ja: '夜（太いゴシック体、暗い色）', en: 'Night (heavy letters, dark)' },
}
const networkNames: Record<Network, Localized> = {
  normal: { ja: '普通', en: 'Normal' },
  slow: { ja: '遅い（アプリの応答が数秒遅れる）', en: 'Slow (the app answers seconds late)' },
  failing: { ja: '失敗（スクリプトは届くが、呼び出しは 503）', en: 'Failing (the script comes, its calls are 503)' },
  dead: { ja: '不通（スクリプトも届かない）', en: 'Dead (not even the script comes)' },
}

type Flag = 'embed' | 'blocks' | 'script_tag' | 'checkout_block' | 'strict_csp'
const flags: Record<Flag, { name: Localized; effect: Localized }> = {
  embed: {
    name: { ja: 'アプリ埋め込み', en: 'App embed' },
    effect: { ja: 'すべてのページでアプリのスクリプトを読み込みます。', en: 'Loads the app’s script on every page.' },
  },
  blocks: {
    name: { ja: 'アプリブロック', en: 'App blocks' },
    effect: {
      ja: 'ハート、再入荷、誕生日などの場所をテーマに置きます。',
      en: 'Puts places for heart, restock, birthday … into the theme.',
    },
  },
  script_tag: {
    name: { ja: '手書きのスクリプトタグ', en: 'Script tag by hand' },
    effect: {
      ja: 'ブロックに対応しないテーマと同じように、タグと場所をテーマに直接書きます。埋め込みと両方オンにすると、スクリプトが二重になります。',
      en: 'Tag and places are written into the theme, as in one without blocks. With the embed too, the script comes twice.',
    },
  },
  checkout_block: {
    name: { ja: '購入後のアプリブロック', en: 'App block after checkout' },
    effect: {
      ja: 'サンクスページ、注文状況ページ、アカウントに、アプリの UI 拡張を表示します（チェックアウトとアカウントのエディターで追加したのと同じ）。',
      en: 'The app’s UI extension on the thank-you, order status and account pages, as added in the checkout and accounts editor.',
    },
  },
  strict_csp: {
    name: { ja: '厳しい CSP', en: 'Strict CSP' },
    effect: {
      ja: 'プログラムと通信はストアとアプリのホストだけ、スタイルはストアのファイルだけを許します。',
      en: 'Programs and calls from the store and the app’s host only, styles from the store’s files only.',
    },
  },
}

/** How the storefront looks, and how the app gets into it. */
export function mountAdminTheme(admin: ReturnType<typeof adminRoutes>): void {
  admin.show('/theme', '/theme', (view) => {
    const { t, scope } = view
    const now = presentTheme(scope)
    const choice = (name: 'look' | 'network', label: string, names: Record<string, Localized>) =>
      form(
        view,
        '/theme',
        `<div class="field"><label for="f-${name}">${label}</label><select id="f-${name}" name="${name}">${options(
          Object.entries(names).map(([value, text]) => [value, t(text)]),
          now[name],
        )}</select></div><button>${t({ ja: '設定', en: 'Set' })}</button>`,
      )
    const rows = Object.entries(flags).map(([name, { name: label, effect }]) => {
      const on = now[name as Flag]
      return `<tr><td><strong>${t(label)}</strong> <span class="badge ${on ? 'ok' : ''}">${on ? t({ ja: 'オン', en: 'On' }) : t({ ja: 'オフ', en: 'Off' })}</span><br><span class="muted">${t(effect)}</span></td>
<td class="num">${form(view, '/theme', `<button class="small" name="${name}" value="${on ? '0' : '1'}" aria-label="${t(label)}: ${switchWord(view, on)}">${switchWord(view, on)}</button>`, 'class="inline"')}</td></tr>`
    })
    const body = `<div class="grid"><section class="card"><h2>${t({ ja: '見た目', en: 'Look' })}</h2>${choice('look', t({ ja: 'テーマ', en: 'Theme' }), lookNames)}<p><a href="${storePath(scope)}">${t({ ja: 'ストアを見る', en: 'View the storefront' })}</a></p></section>
<section class="card"><h2>${t({ ja: '訪問者からアプリまでの通信', en: 'Network from visitors to the app' })}</h2><p class="muted">${t({ ja: 'ページはアプリの代わりに、遅れたり切れたりする中継を読み込みます。アプリプロキシも同じです。このコンピューターのブラウザーでだけ働きます。', en: 'Pages name a relay in place of the app, which is late or breaks; so does the app proxy. Works for browsers on this machine only.' })}</p>${choice('network', t({ ja: '状態', en: 'State' }), networkNames)}</section></div>
<h2 class="spaced">${t({ ja: 'テーマの中のアプリ', en: 'The app in the theme' })}</h2><div class="table-wrap"><table><tbody>${rows.join('')}</tbody></table></div>`
    return { title: t({ ja: 'オンラインストア', en: 'Online store' }), body }
  })

  admin.submit('/theme', (view) => {
    const chosen = <Value extends string>(key: string, values: readonly Value[]) =>
      values.find((one) => one === view.form[key])
    const given: ThemeSwitches = { look: chosen('look', looks), network: chosen('network', networks) }
    for (const flag of Object.keys(flags) as Flag[])
      if (view.form[flag] !== undefined) given[flag] = view.form[flag] === '1'
    setTheme(view.scope, given)
    return { to: '/theme', notice: view.t({ ja: '設定しました。', en: 'Set.' }) }
  })
}

const switchWord = ({ t }: AdminView, on: boolean): string =>
  on ? t({ ja: 'オフにする', en: 'Switch off' }) : t({ ja: 'オンにする', en: 'Switch on' })
