import path from 'node:path'
import type { APIRequestContext, Browser, Page } from '@playwright/test'
import { expect, test } from './journey.ts'
import { root } from '../run.ts'
import { paths } from '../../web/src/app/paths.ts'
import { seriousProblems } from './accessible.ts'
import { asDemo, beSignedIn, speak } from './account.ts'
import { settle } from './outside-world.ts'
import { type Language, phrasesOfTheOtherLanguage, showsKey } from './words.ts'

test.describe.configure({ mode: 'parallel' })

const picturesDir = path.join(root, 'test-results/pages')
const WIDE = { width: 1400, height: 900 }
const PHONE = { width: 390, height: 844 }
interface Look {
  theme: 'light' | 'dark'
  size: typeof WIDE
}
interface Way {
  language: Language
  /** How one comes to a page: by its address, or as a link leads there, where the program is at work already. */
  comes: 'by address' | 'from within'
  looks: Look[]
}

/** Each page once, by turns in Japanese by day at a desk and in English in the dark on a phone. Overflow is looked for at both widths. */
const fewWays: Way[] = [
  { language: 'ja', comes: 'by address', looks: [{ theme: 'light', size: WIDE }] },
  { language: 'en', comes: 'from within', looks: [{ theme: 'dark', size: PHONE }] },
]
/** For `npm run check:all`: every two of language, theme and width meet in one of four; a page is turned as a person turns a phone. */
const manyWays: Way[] = [
  {
    language: 'ja',
    comes: 'by address',
    looks: [
      { theme: 'light', size: WIDE },
      { theme: 'dark', size: PHONE },
    ],
  },
  {
    language: 'en',
    comes: 'from within',
    looks: [
      { theme: 'light', size: PHONE },
      { theme: 'dark', size: WIDE },
    ],
  },
]
const all = process.env.CHECK_ALL !== undefined
const ways = all ? manyWays : fewWays

type PageName = keyof typeof paths
const beforeSignIn: PageName[] = ['login', 'signup', 'forgot', 'reset', 'storeAuthorize', 'storeCallback']
/** Nothing is there to be exchanged or to be found: the answer is a refusal, which the browser reports. */
const refuse: PageName[] = ['storeCallback']
const inside = (Object.keys(paths) as PageName[]).filter((place) => !beforeSignIn.includes(place))
/** Pages of one test: what fails is found, and tried again, without all others. */
const AT_ONCE = 5
const partsOf = (places: readonly PageName[]): PageName[][] =>
  Array.from({ length: Math.ceil(places.length / AT_ONCE) }, (_, part) =>
    places.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
  )

for (const [way, { language, comes, looks }] of ways.entries()) {
  test(`the pages before sign-in are in order (${language})`, async ({ browser }) => {
    const page = await open(browser, language)
    const problems: string[] = []
    for (const place of beforeSignIn)
      problems.push(...(await visit(page, place, addressOf(place), { language, comes: 'by address', looks })))
    expect(problems).toEqual([])
    await page.context().close()
  })

  const its = inside.filter((_, place) => all || place % ways.length === way)
  for (const [index, places] of partsOf(its).entries())
    test(`every page is in order (${language}, part ${index + 1})`, async ({ browser, request }) => {
      const found = await (somethingToSee ??= somethingToLookAt(request))
      const page = await (signedIn[language] ??= openSignedIn(browser, language))
      const problems: string[] = []
      const see = async (place: PageName | 'nowhere', address: string, picture?: string) =>
        problems.push(...(await visit(page, place, address, { language, comes, looks, picture })))
      for (const place of places) await see(place, addressOf(place, found[place]))
      if (places.includes('scenarioEdit'))
        await see('scenarioEdit', `${addressOf('scenarioEdit', found.scenarioEdit)}?mode=flow`, 'scenarioEdit-flow')
      if (index === 0) await see('nowhere', 'no-such-page')
      expect(problems).toEqual([])
    })
}

function addressOf(place: PageName, id = '1'): string {
  const address = (paths[place] as (id: string) => string)(id).slice(1)
  // What a refused connection comes back with.
  return place === 'storeAuthorize' ? `${address}?shop=shop.myshopify.com&error=store_connected_elsewhere` : address
}

async function open(browser: Browser, language: Language): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await speak(page, language)
  return page
}

/** Opened once by each worker: a browser that has the program already shows the next page sooner. */
const signedIn: Partial<Record<Language, Promise<Page>>> = {}
async function openSignedIn(browser: Browser, language: Language): Promise<Page> {
  const page = await open(browser, language)
  await beSignedIn(page)
  await page.goto('')
  return page
}

/** Made once in this world. */
let somethingToSee: Promise<Partial<Record<PageName, string>>> | null = null

/** Ids for the pages about one thing. */
async function somethingToLookAt(request: APIRequestContext): Promise<Partial<Record<PageName, string>>> {
  const name = Date.now().toString(36)
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
  const { email_component: component } = await demo.post<{ email_component: { id: string } }>('/email_components', {
    name: `Footer ${name}`,
  })
  const say = { type: 'message', label: name, text: name }
  const flex = { type: 'bubble', body: { type: 'box', layout: 'vertical', contents: [{ type: 'text', text: name }] } }
  const { line_message: lineMessage } = await demo.post<{ line_message: { id: string } }>('/messages/line', {
    name: `LINE ${name}`,
    messages: [
      { type: 'text', text: name },
      { type: 'confirm', alt_text: name, text: name, actions: [say, say] },
      { type: 'flex', alt_text: name, json: JSON.stringify(flex, null, 2) },
    ],
    quick_replies: [say],
  })
  const { richmenu: richMenu } = await demo.post<{ richmenu: { id: string } }>('/line/richmenu/draft', {
    richmenu: {
      title: `Menu ${name}`,
      segment_id: null,
      starts_at: null,
      ends_at: null,
      is_open: true,
      chat_bar_text: 'Menu',
      tab_height: 15,
      tabs: [{ picture_id: null, areas: [] }],
    },
  })
  // A test by LINE, so that its history is not empty.
  const { friends } = await demo.get<{ friends: { line_user_id: string }[] }>('/line/friends')
  const tester = friends[0]?.line_user_id ?? ''
  await demo.put(`/line/testers/${tester}`, {})
  await demo.post(`/messages/line/${lineMessage.id}/testsend`, { line_user_ids: [tester] })
  const draft = { email_id: email.id, segment_type: 'own', customer_segment_id: segment.id, send_type: 'immediate' }
  const campaignNamed = async (title: string) =>
    (await demo.post<{ campaign: { id: string } }>('/campaigns', { name: `${title} ${name}`, ...draft })).campaign.id
  const unsent = await campaignNamed('News')
  const sent = await campaignNamed('Sent')
  await demo.post(`/campaigns/${sent}/reserve`, {})
  await settle(request)
  expect((await demo.get<{ campaign: { status: string } }>(`/campaigns/${sent}`)).campaign.status).toBe('sent')
  // The oldest: a newer one may be another journey's, which is being forgotten.
  const { data } = await demo.get<{ data: { id: string }[] }>('/customers?limit=1&direction=asc')
  const customer = data[0]?.id ?? ''
  const products = await demo.get<{ data: { store_product_id: string }[] }>('/data/shopify/products?limit=1')
  const product = products.data[0]?.store_product_id ?? ''
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
    emailLinks: email.id,
    emailVersions: email.id,
    emailComponent: component.id,
    lineMessage: lineMessage.id,
    lineMessageEdit: lineMessage.id,
    richMenu: richMenu.id,
    restockProduct: product,
    scenario: scenario.id,
    scenarioCreate: 'CartAbandonmentAction',
    scenarioEdit: scenario.id,
    execution,
    customer,
    customerEdit: customer,
    favoritesOfProduct: '1',
    metafield: metafield.id,
    metafieldEdit: metafield.id,
    segment: segment.id,
    segmentEdit: segment.id,
    dataset: 'customers',
    dataImportOne: uploaded.id,
  }
}

/** Opens the page and looks at it in each way; returns what is wrong with it. */
async function visit(
  page: Page,
  place: PageName | 'nowhere',
  address: string,
  { language, comes, looks, picture = place }: Way & { picture?: string | undefined },
): Promise<string[]> {
  const problems: string[] = []
  let way = ''
  const say = (problem: string) => void problems.push(`${place} ${way}: ${problem}`)
  const onConsole = (message: { type: () => string; text: () => string }) => {
    if (message.type() !== 'error') return
    // Playwright's own script, which the frames of mails refuse.
    if (message.text().includes('Blocked script execution')) return
    if (place !== 'nowhere' && refuse.includes(place) && message.text().includes('status of 4')) return
    say(`console: ${message.text()}`)
  }
  const broke = (error: Error) => say(`error: ${error.message}`)
  page.on('console', onConsole).on('pageerror', broke)
  for (const [index, { theme, size }] of looks.entries()) {
    way = `${language}-${theme}-${size.width}`
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize(size)
    if (index === 0) await (comes === 'by address' ? page.goto(address) : goWithin(page, `/${address}`))
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', theme)
    await look(page, language, say, `${picturesDir}/${way}/${picture}.png`)
  }
  page.off('console', onConsole).off('pageerror', broke)
  return problems
}

/** Ends when the page is there: its router says so, and for a moment shows the page before. */
async function goWithin(page: Page, address: string): Promise<void> {
  interface Router {
    navigate: (to: { href: string }) => Promise<void>
    state: { status: string; resolvedLocation?: { href: string } }
    latestLocation: { href: string }
  }
  type WithRouter = typeof window & { __TSR_ROUTER__: Router }
  await page.evaluate((href) => (window as WithRouter).__TSR_ROUTER__.navigate({ href }), address)
  await page.waitForFunction(() => {
    const { state, latestLocation } = (window as WithRouter).__TSR_ROUTER__
    return state.status === 'idle' && state.resolvedLocation?.href === latestLocation.href
  })
}

async function look(page: Page, language: Language, say: (problem: string) => void, picture: string): Promise<void> {
  await expect(page.locator('h1').first()).toBeVisible()
  // A tab that is not open renders in the background and asks for nothing until it is.
  const loading = page.locator('.mantine-Skeleton-root[data-visible], main .mantine-Loader-root')
  await expect(loading.filter({ visible: true })).toHaveCount(0)
  for (const problem of await seriousProblems(page)) say(`axe: ${problem}`)

  const shown = await textsOf(page)
  for (const text of shown) {
    if (/\{\{|\bundefined\b|\bNaN\b|\[object /.test(text)) say(`odd text: ${text}`)
    if (showsKey(text)) say(`untranslated: ${text}`)
    for (const phrase of phrasesOfTheOtherLanguage[language]) if (text.includes(phrase)) say(`other language: ${text}`)
  }
  if ((await page.locator('html').getAttribute('lang')) !== language) say('lang of the page')
  if ((await page.title()) === '' || !(await page.title()).includes('Okaeri')) say(`title: ${await page.title()}`)

  // For people to look at. Each costs as much as half of what axe does.
  if (all || process.env.PICTURES !== undefined) await page.screenshot({ path: picture, fullPage: true })
  const size = page.viewportSize()
  // Its own width first, which need not settle.
  for (const width of size?.width === PHONE.width ? [PHONE, WIDE] : [WIDE, PHONE]) {
    await page.setViewportSize(width)
    // A page turned to another width takes a moment to settle.
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)
    await expect
      .poll(fits)
      .toBe(true)
      .catch(() => say(`wider than ${width.width}`))
  }
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
