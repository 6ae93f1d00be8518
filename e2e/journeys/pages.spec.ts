import path from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { type APIRequestContext, type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test'
import { root } from '../run.ts'
import { paths } from '../../web/src/app/paths.ts'
import { asDemo, signIn, speak } from './account.ts'
import { everyKey, type Language, phrasesOfTheOtherLanguage, wordsIn } from './words.ts'

test.describe.configure({ mode: 'parallel' })

const picturesDir = path.join(root, 'test-results/pages')
const WIDE = { width: 1400, height: 900 }
const PHONE = { width: 390, height: 844 }
/** Every two of language, theme and width meet in one of these; overflow is looked for at both widths in all of them. */
const ways = [
  { language: 'ja', theme: 'light', size: WIDE },
  { language: 'ja', theme: 'dark', size: PHONE },
  { language: 'en', theme: 'dark', size: WIDE },
  { language: 'en', theme: 'light', size: PHONE },
] as const satisfies { language: Language; theme: 'light' | 'dark'; size: typeof WIDE }[]

type PageName = keyof typeof paths
const beforeSignIn: PageName[] = ['login', 'signup', 'forgot', 'reset', 'storeAuthorize', 'storeCallback']
/** Nothing is there to be exchanged or to be found: the answer is a refusal, which the browser reports. */
const refuse: PageName[] = ['storeCallback']

for (const { language, theme, size } of ways) {
  const name = `${language}-${theme}-${size.width}`

  test(`the pages before sign-in are in order (${name})`, async ({ browser }) => {
    const context = await open(browser, { language, theme, size })
    const page = await context.newPage()
    const problems: string[] = []
    for (const place of beforeSignIn) problems.push(...(await look(page, place, addressOf(place), name, language)))
    expect(problems).toEqual([])
    await context.close()
  })

  test(`every page is in order (${name})`, async ({ browser, request }) => {
    test.setTimeout(600_000)
    const context = await open(browser, { language, theme, size })
    const page = await context.newPage()
    const found = await somethingToLookAt(request, name)
    await speak(page, language)
    await signIn(page, wordsIn(language))
    const problems: string[] = []
    for (const place of Object.keys(paths) as PageName[])
      if (!beforeSignIn.includes(place))
        problems.push(...(await look(page, place, addressOf(place, found[place]), name, language)))
    const flowMode = `${addressOf('scenarioEdit', found.scenarioEdit)}?mode=flow`
    problems.push(...(await look(page, 'scenarioEdit', flowMode, `${name}-flow`, language)))
    problems.push(...(await look(page, 'nowhere', 'no-such-page', name, language)))
    expect(problems).toEqual([])
    await context.close()
  })
}

function addressOf(place: PageName, id = '1'): string {
  const address = (paths[place] as (id: string) => string)(id).slice(1)
  // What a refused connection comes back with.
  return place === 'storeAuthorize' ? `${address}?shop=shop.myshopify.com&error=store_connected_elsewhere` : address
}

interface Way {
  language: Language
  theme: 'light' | 'dark'
  size: typeof WIDE
}
async function open(browser: Browser, { language, theme, size }: Way): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: size, reducedMotion: 'reduce' })
  await context.addInitScript(
    ([chosen, scheme]) => {
      if (!location.pathname.startsWith('/_app')) return
      localStorage.setItem('language', chosen)
      localStorage.setItem('mantine-color-scheme-value', scheme)
    },
    [language, theme] as const,
  )
  return context
}

/** Ids for the pages about one thing. */
async function somethingToLookAt(request: APIRequestContext, name: string): Promise<Partial<Record<PageName, string>>> {
  const demo = await asDemo(request)
  const leaf = { type: 'condition', id: 'a', category: 'orders', name: 'orders_count', operator: 'greater', value: 2 }
  const inner = (operator: string, ...children: object[]) => ({ type: 'group', id: operator, operator, children })
  const asks = (category: string, name: string, operator: string, value: unknown = null) => ({
    type: 'condition',
    id: name,
    category,
    name,
    operator,
    value,
  })
  // A row of every kind of sentence.
  const conditions = inner(
    'and',
    leaf,
    inner(
      'not',
      asks('customer', 'birthday', 'is_today'),
      asks('address', 'prefecture', 'is_one_of', ['JP-13', 'JP-27']),
    ),
    inner(
      'or',
      asks('orders', 'ordered', 'between', {
        measure: 'amount',
        value: [1, 9],
        filter: { vendors: ['A'] },
        window: null,
      }),
      asks('orders', 'last_order_at', 'between', ['2026-01-01', '2026-02-01']),
      asks('emails', 'emails_opened', 'at_least', { value: 1, campaigns: null, window: { within_days: 90 } }),
      asks('checkouts', 'checkout_unfinished', 'has_not', {
        products: null,
        min_amount: 1,
        window: { within_days: 9 },
      }),
      asks('address', 'postal_code', 'starts_with_any', ['150']),
      asks('scores', 'rfm_class', 'is_one_of', ['loyal']),
      asks('consent', 'accepts_marketing', 'is', true),
      asks('customer', 'email', 'contains', 'example'),
    ),
  )
  const { customer_segment: segment } = await demo.post<{ customer_segment: { id: string } }>('/customer_segments', {
    name: `VIP ${name}`,
    conditions,
  })
  const { email } = await demo.post<{ email: { id: string } }>('/emails', {
    name: `Mail ${name}`,
    subject: `Mail ${name}`,
  })
  const draft = { email_id: email.id, segment_type: 'own', customer_segment_id: segment.id, send_type: 'immediate' }
  const campaignNamed = async (title: string) =>
    (await demo.post<{ campaign: { id: string } }>('/campaigns', { name: `${title} ${name}`, ...draft })).campaign.id
  const unsent = await campaignNamed('News')
  const sent = await campaignNamed('Sent')
  await demo.post(`/campaigns/${sent}/reserve`, {})
  await expect
    .poll(async () => (await demo.get<{ campaign: { status: string } }>(`/campaigns/${sent}`)).campaign.status)
    .toBe('sent')
  const { data } = await demo.get<{ data: { id: string }[] }>('/customers?limit=1')
  const customer = data[0]?.id ?? ''
  const { action: scenario } = await demo.post<{ action: { id: string } }>('/actions', {
    name: `Birthday ${name}`,
    template: 'BirthdayAction',
    form: { email: email.id, discount: true, email2: true, email2_email: email.id },
  })
  const { execution_id: execution } = await demo.post<{ execution_id: string }>(`/actions/${scenario.id}/test`, {
    customer_id: customer,
  })
  const { customer_metafield_setting: metafield } = await demo.post<{ customer_metafield_setting: { id: string } }>(
    '/customer_metafield_settings',
    { name: `Points ${name}`, key: `pages.${name}`, namespace_type: 'custom', value_type: 'number_integer' },
  )
  const { import: uploaded } = await demo.upload<{ import: { id: string } }>(
    '/data/import/csv',
    { app: 'points' },
    { name: 'points.csv', text: 'email,points\nsomeone@example.jp,10\n' },
  )
  return {
    campaign: sent,
    campaignReport: sent,
    campaignEdit: unsent,
    campaignReview: unsent,
    email: email.id,
    emailProperties: email.id,
    emailEditor: email.id,
    scenario: scenario.id,
    scenarioCreate: 'CartAbandonmentAction',
    scenarioEdit: scenario.id,
    execution,
    customer,
    customerEdit: customer,
    metafield: metafield.id,
    metafieldEdit: metafield.id,
    segment: segment.id,
    segmentEdit: segment.id,
    dataset: 'customers',
    dataImportOne: uploaded.id,
  }
}

/** Opens the page; answers what is wrong with it. */
async function look(
  page: Page,
  place: PageName | 'nowhere',
  address: string,
  way: string,
  language: Language,
): Promise<string[]> {
  const problems: string[] = []
  const say = (problem: string) => void problems.push(`${place}: ${problem}`)
  const told = (message: { type: () => string; text: () => string }) => {
    if (message.type() !== 'error') return
    // Playwright's own script, which the frames of mails refuse.
    if (message.text().includes('Blocked script execution')) return
    if (place !== 'nowhere' && refuse.includes(place) && message.text().includes('status of 4')) return
    say(`console: ${message.text()}`)
  }
  const broke = (error: Error) => say(`error: ${error.message}`)
  page.on('console', told).on('pageerror', broke)

  await page.goto(address)
  await expect(page.locator('h1').first()).toBeVisible()
  // A tab that is not open renders in the background and asks for nothing until it is.
  const loading = page.locator('.mantine-Skeleton-root[data-visible], main .mantine-Loader-root')
  await expect(loading.filter({ visible: true })).toHaveCount(0)

  const axe = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .exclude('iframe')
    .options({ resultTypes: ['violations'] })
    .analyze()
  for (const { id, impact, nodes } of axe.violations)
    if (impact === 'serious' || impact === 'critical')
      say(`axe: ${id} ${nodes.map(({ target }) => target).join(' | ')}`)

  const shown = await textsOf(page)
  for (const text of shown) {
    if (/\{\{|\bundefined\b|\bNaN\b|\[object /.test(text)) say(`odd text: ${text}`)
    for (const key of everyKey) if (text === key || text.includes(` ${key} `)) say(`untranslated: ${text}`)
    for (const phrase of phrasesOfTheOtherLanguage[language]) if (text.includes(phrase)) say(`other language: ${text}`)
  }
  if ((await page.locator('html').getAttribute('lang')) !== language) say('lang of the page')
  if ((await page.title()) === '' || !(await page.title()).includes('Okaeri')) say(`title: ${await page.title()}`)

  await page.screenshot({ path: `${picturesDir}/${way}/${place}.png`, fullPage: true })
  const size = page.viewportSize()
  for (const width of [WIDE, PHONE]) {
    await page.setViewportSize(width)
    // A page turned to another width takes a moment to settle.
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)
    await expect
      .poll(fits, { timeout: 3000 })
      .toBe(true)
      .catch(() => say(`wider than ${width.width}`))
  }
  if (size) await page.setViewportSize(size)
  page.off('console', told).off('pageerror', broke)
  return problems
}

/** All a person sees or hears; not the code of mails, and not what stands there in its own language. */
const textsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const quoted = 'iframe, code, pre, script, style, .cm-editor, [lang]:not(html)'
    const texts: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (node.textContent?.trim() && !node.parentElement?.closest(quoted)) texts.push(node.textContent.trim())
    for (const element of document.querySelectorAll('[aria-label], [placeholder], [title]'))
      if (!element.closest(quoted))
        for (const name of ['aria-label', 'placeholder', 'title']) {
          const text = element.getAttribute(name)?.trim()
          if (text) texts.push(text)
        }
    return texts
  })
