import { execFile } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { type APIRequestContext, expect, type Page } from '@playwright/test'
import { environment, okaeriUrl } from '../addresses.ts'
import { root, run } from '../run.ts'
import { compiled } from '../world.ts'
import { mailAbout, readMail, settle } from './outside-world.ts'
import type { Language, Say } from './words.ts'

export const demoEmail = 'demo@okaeri.test'
export const demoPassword = run.password

/** As if the language had been chosen in this browser before. */
export async function speak(page: Page, language: Language): Promise<void> {
  await page.addInitScript((chosen) => {
    // Not in the frames of mails, which have no storage.
    if (location.pathname.startsWith('/_app') && localStorage.getItem('language') === null)
      localStorage.setItem('language', chosen)
  }, language)
}

/** Through the sign-in page, as people do. */
export async function signIn(page: Page, t: Say, { email = demoEmail, password = demoPassword } = {}): Promise<void> {
  await page.goto('login')
  await fillSignIn(page, t, { email, password })
  await expect(accountMenu(page, t)).toBeVisible()
}

export async function fillSignIn(page: Page, t: Say, { email = demoEmail, password = demoPassword } = {}) {
  await page.getByLabel(t('sessions.login.email')).fill(email)
  await page.getByLabel(t('sessions.login.password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: t('sessions.login.submit'), exact: true }).click()
}

export const accountMenu = (page: Page, t: Say) =>
  page.getByRole('button', { name: new RegExp(t('shell.account.menu', { name: '' })) })

export interface NewMerchant {
  siteName: string
  email: string
  password: string
}

export async function signUp(page: Page, t: Say, { siteName, email, password }: NewMerchant): Promise<void> {
  await page.goto('login')
  await page.getByRole('link', { name: t('sessions.login.signup') }).click()
  await page.getByLabel(t('sessions.signup.siteName')).fill(siteName)
  await page.getByLabel(t('sessions.login.email')).fill(email)
  await page.getByLabel(t('sessions.login.password'), { exact: true }).fill(password)
  await page.getByLabel(t('sessions.signup.agreement')).check()
  await page.getByRole('button', { name: t('sessions.signup.submit') }).click()
  await expect(accountMenu(page, t)).toBeVisible()
}

/** As if one had signed up in this browser before. Returns the merchant over the API. */
export async function beNewMerchant(page: Page, { siteName, email, password }: NewMerchant) {
  await keepTokens(page, await signUpFromElsewhere({ email, password, site_name: siteName, agreement: true }))
  return overTheApi(page.request, { email, password })
}

/**
 * From an address of this machine that is new each time, as merchants have one of their own: thirty an hour may sign up from one, and those
 * of a world are more. Other systems than Linux have but one such address.
 */
async function signUpFromElsewhere(who: object): Promise<Tokens> {
  const elsewhere = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`
  const asked = http.request(`${okaeriUrl}/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    agent: false,
    ...(process.platform === 'linux' ? { localAddress: elsewhere } : {}),
  })
  asked.end(JSON.stringify(who))
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const said = await text(answer)
  expect(answer.statusCode, said).toBe(201)
  return JSON.parse(said) as Tokens
}

/** And as if the store had been connected; it is copied then. */
export async function beNewMerchantWithStore(page: Page, merchant: NewMerchant, shop: string) {
  const api = await beNewMerchant(page, merchant)
  const { authorize_url } = await api.post<{ authorize_url: string }>('/store/connect', { shop })
  const grant = new URL(authorize_url)
  // The button of the platform's grant screen, and the way back.
  const answer = await page.request.post(`${grant.origin}${grant.pathname}`, {
    form: Object.fromEntries(grant.searchParams),
  })
  expect(answer.ok(), await answer.text()).toBe(true)
  await settle(page.request)
  return api
}

/** And as if addresses had been confirmed, a plan chosen, and test mode left. */
export async function beReadyToSend(page: Page, merchant: NewMerchant, shop: string) {
  const sender = newSender()
  const api = await beNewMerchantWithStore(page, merchant, shop)
  // The command is a process that takes seconds to start.
  const [planned] = await Promise.all([
    operate('set-plan', merchant.email, 'standard'),
    confirmAddress(page, merchant.email)
      .then(() =>
        api.put('/user/me/settings', {
          userSetting: {
            sender_email: sender,
            postal_address: businessDetails.address,
            staff_email: businessDetails.email,
          },
        }),
      )
      .then(() => confirmAddress(page, sender)),
  ])
  expect(planned).toContain('standard')
  await api.put('/user/me/settings', { userSetting: { test_mode: false } })
  return api
}

/** An address of its own each time: a mailbox gets ten confirmation links a day, and the merchants of a world are more. */
const newSender = (): string => `news-${randomUUID().slice(0, 8)}@kumo-coffee.test`
/** What the law and the check before sending want to know of a sender. */
const businessDetails = {
  address: '〒604-8001 京都市中京区木屋町1-2',
  email: 'help@kumo-coffee.test',
} as const

/** Through the settings to the platform's grant screen and back; the store is copied then. */
export async function connectStore(page: Page, t: Say, shop: string): Promise<void> {
  await page.goto('settings')
  await page.getByRole('tab', { name: t('merchants.tabs.store') }).click()
  await page.getByLabel(t('merchants.store.shop')).fill(shop)
  await page.getByRole('button', { name: t('merchants.store.connect') }).click()
  await page.getByRole('button', { name: 'Install / インストール' }).click()
  await expect(page.getByRole('heading', { name: t('dashboard.title'), level: 1 })).toBeVisible()
  await settle(page.request)
}

/** What a person at the server's keyboard does: `npm run operator -- …`. */
export async function operate(...words: string[]): Promise<string> {
  const node = path.join(root, 'node_modules/.bin/node')
  const { stdout } = await promisify(execFile)(node, ['server/src/operator.ts', ...words], {
    cwd: root,
    env: { ...process.env, NODE_COMPILE_CACHE: compiled, ...environment },
  })
  return stdout
}

export async function fillInBusinessDetails(page: Page, t: Say): Promise<void> {
  const sender = newSender()
  await page.goto('settings')
  await page.getByLabel(t('merchants.sender.email'), { exact: true }).fill(sender)
  await page.getByLabel(t('merchants.law.address'), { exact: true }).fill(businessDetails.address)
  await page.getByLabel(t('merchants.law.email'), { exact: true }).fill(businessDetails.email)
  await save(page, t)
  await confirmAddress(page, sender)
  await page.reload()
}

/** By the link mailed to it, as the owner of the address does. */
export async function confirmAddress(page: Page, address: string): Promise<void> {
  const mail = await mailAbout(page.request, address, /アドレスの確認|onfirm your email|be sent from this/)
  const { text } = await readMail(page.request, mail.id)
  const token = /confirm\?token=([\w.-]+)/.exec(text)?.[1]
  const answer = await page.request.post(`${okaeriUrl}/confirmations`, { data: { token } })
  expect(answer.ok(), await answer.text()).toBe(true)
}

export async function leaveTestMode(page: Page, t: Say): Promise<void> {
  await page.goto('settings')
  await page.getByLabel(t('merchants.testMode.switch')).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('merchants.testMode.leave') })
    .click()
  await save(page, t)
  await expect(page.getByRole('link', { name: t('shell.testMode.badge') })).toBeHidden()
}

export async function save(page: Page, t: Say): Promise<void> {
  await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
  await expect(page.getByText(t('ui.toast.saved'), { exact: true })).toBeVisible()
}

/**
 * As if one had signed in before in this browser (web/src/api/session.ts): for journeys that begin at a page behind the sign-in. Signing
 * in itself is gone through in sign-in.spec.ts.
 */
export async function beSignedIn(page: Page): Promise<void> {
  await keepTokens(page, await tokensOf(page.request, { email: demoEmail, password: demoPassword }))
}

interface Tokens {
  access_token: string
  refresh_token: string
}

const keepTokens = (page: Page, { access_token, refresh_token }: Tokens): Promise<void> =>
  page.context().addCookies(
    Object.entries({ access_token, refresh_token }).map(([name, value]) => ({
      name,
      value,
      url: okaeriUrl,
      sameSite: 'Strict' as const,
    })),
  )

async function tokensOf(request: APIRequestContext, who: { email: string; password: string }): Promise<Tokens> {
  const answer = await request.post(`${okaeriUrl}/api/auth/login`, { data: who })
  expect(answer.ok(), await answer.text()).toBe(true)
  return (await answer.json()) as Tokens
}

/** The demo merchant over the API: for what a journey finds there already. */
export const asDemo = (request: APIRequestContext) => overTheApi(request, { email: demoEmail, password: demoPassword })

export async function overTheApi(request: APIRequestContext, { email, password }: { email: string; password: string }) {
  const { access_token } = await tokensOf(request, { email, password })
  const headers = { authorization: `Bearer ${access_token}` }
  const answered = async <Reply>(answer: Awaited<ReturnType<APIRequestContext['get']>>): Promise<Reply> => {
    expect(answer.ok(), await answer.text()).toBe(true)
    return (await answer.json()) as Reply
  }
  return {
    get: async <Reply>(path: string) => answered<Reply>(await request.get(`${okaeriUrl}${path}`, { headers })),
    post: async <Reply>(path: string, data: object) =>
      answered<Reply>(await request.post(`${okaeriUrl}${path}`, { headers, data })),
    put: async <Reply>(path: string, data: object) =>
      answered<Reply>(await request.put(`${okaeriUrl}${path}`, { headers, data })),
    upload: async <Reply>(path: string, fields: Record<string, string>, file: { name: string; text: string }) =>
      answered<Reply>(
        await request.post(`${okaeriUrl}${path}`, {
          headers,
          multipart: { ...fields, file: { name: file.name, mimeType: 'text/csv', buffer: Buffer.from(file.text) } },
        }),
      ),
  }
}
