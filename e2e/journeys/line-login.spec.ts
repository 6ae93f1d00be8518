import { type APIRequestContext, expect, type Page } from '@playwright/test'
import { sandboxUrl } from '../addresses.ts'
import { beNewMerchantWithStore, beReadyToSend, operate, save, speak } from './account.ts'
import { seriousProblems } from './accessible.ts'
import { test } from './journey.ts'
import { befriend, findPerson, openAccount as openOfficialAccount, press } from './line-phone.ts'
import { addToStore, lookAgain, settle } from './outside-world.ts'
import { enable } from './scenario-pages.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')

interface Account {
  id: number
  name: string
  channel_id: string
  channel_secret: string
  login_channel_id: string
  login_channel_secret: string
}

async function openAccount(request: APIRequestContext, name: string): Promise<Account> {
  const answer = await request.post(`${sandboxUrl}/line/accounts.json`, { data: { name } })
  return ((await answer.json()) as { account: Account }).account
}

test('a customer of the store links their LINE account, and takes the link back', async ({ page, request }) => {
  const once = Date.now().toString(36)
  const shop = `kumo-line-${once}.myshopify.com`
  const email = `hanako-${once}@example.jp`
  const account = await openAccount(request, `くも珈琲${once.slice(-4)}`)
  await addToStore(request, shop, {
    first_name: '花子',
    last_name: '山田',
    email,
    tags: [],
    email_state: 'NOT_SUBSCRIBED',
  })
  await speak(page, 'ja')
  await beNewMerchantWithStore(
    page,
    { siteName: 'くも珈琲', email: `owner-ll-${once}@kumo-coffee.test`, password: 'a long enough one' },
    shop,
  )

  await test.step('The merchant sets up LINE Login, and sees what to link to', async () => {
    await page.goto('settings?tab=line')
    const fill = (label: Parameters<typeof t>[0], text: string) => page.getByLabel(t(label), { exact: true }).fill(text)
    await fill('lineAccounts.messaging.channelId', account.channel_id)
    await fill('lineAccounts.messaging.channelSecret', account.channel_secret)
    await page.getByLabel(t('lineAccounts.login.enabled')).check()
    await fill('lineAccounts.login.channelId', account.login_channel_id)
    await fill('lineAccounts.login.channelSecret', account.login_channel_secret)
    await save(page, t)
    await page.getByRole('button', { name: t('lineAccounts.webhook.check') }).click()
    await page.getByRole('button', { name: t('lineAccounts.webhook.set') }).click()
    await expect(page.getByText(t('lineAccounts.finding.login_unproved'))).toBeVisible()
  })
  const link = (await page.getByLabel(t('lineAccounts.login.link'), { exact: true }).first().textContent()) ?? ''

  const store = await page.context().newPage()
  await test.step('The link asks to sign in, leads to LINE, and asks before anything is linked', async () => {
    await store.goto(link)
    await store.getByRole('link', { name: 'ログインする' }).click()
    await store.getByLabel('メールアドレス').fill(email)
    await store.getByRole('button', { name: 'ログイン' }).click()
    await expect(store).toHaveURL(/\/line\/access\/oauth2\/v2\.1\/authorize/)
    const people = store.getByLabel('LINE を使っている人')
    await people.selectOption({ index: 5 })
    await expect(store.getByRole('checkbox')).toBeChecked()
    await store.getByRole('button', { name: '許可する' }).click()
    await expect(store.getByRole('heading', { name: 'LINEアカウントを連携しますか？' })).toBeVisible()
    await expect(store.getByText('h•••@e•••.jp')).toBeVisible()
    expect(await seriousProblems(store)).toEqual([])
    await store.getByRole('button', { name: '連携する' }).click()
    await expect(store.getByRole('heading', { name: 'LINEアカウントを連携しました' })).toBeVisible()
  })

  await test.step('The merchant sees it on the customer’s page, and that the channels belong together', async () => {
    await settle(request)
    await openCustomer(page, '花子')
    const permissions = page.getByRole('region', { name: t('customers.permissions') })
    await expect(permissions.getByText(t('customers.onLine.friend'), { exact: true })).toBeVisible()
    await expect(page.getByText(t('customers.timeline.line_linked'), { exact: true })).toBeVisible()
    await page.goto('settings?tab=line')
    await page.getByRole('button', { name: t('lineAccounts.webhook.check') }).click()
    await expect(page.getByText(t('lineAccounts.finding.login_same'))).toBeVisible()
  })

  await test.step('The store’s own script reads the link and takes it back', async () => {
    await store.goto(`${sandboxUrl}/stores/${shop}/account`)
    const ask = (path: string, method: string) =>
      store.evaluate(async ([address, how]) => (await fetch(address, { method: how })).json() as Promise<unknown>, [
        link.replace('/connect', path),
        method,
      ] as const)
    expect(await ask('/profile', 'GET')).toMatchObject({ line_profile: { connected: true, friend: true } })
    expect(await ask('/disconnect', 'POST')).toMatchObject({ line_profile: { connected: false } })
    await openCustomer(page, '花子')
    await lookAgain(page)
    await expect(page.getByText(t('customers.timeline.line_unlinked'), { exact: true })).toBeVisible()
  })
})

test('a friend asks for the link in the chat, and is joined with the customer they are at the store', async ({
  page,
  request,
}) => {
  const once = Date.now().toString(36)
  const shop = `kumo-chat-${once}.myshopify.com`
  const email = `taro-${once}@example.jp`
  const account = await openOfficialAccount(request, `くも珈琲${once.slice(-4)}`)
  const person = await findPerson(request, account)
  const inStore = { first_name: '太郎', last_name: '川口', email }
  await addToStore(request, shop, { ...inStore, tags: [], email_state: 'SUBSCRIBED' })
  await speak(page, 'ja')
  const owner = { siteName: 'くも珈琲', email: `owner-lc-${once}@kumo-coffee.test`, password: 'a long enough one' }
  const api = await beReadyToSend(page, owner, shop)
  expect(await operate('set-plan', owner.email, 'pro')).toContain('pro')
  const { channel_id, channel_secret } = account
  await api.put('/line/account', { line_account: { channel_id, channel_secret } })
  await api.post('/line/account/webhook', {})
  const phone = await page.context().newPage()
  await befriend(phone, person, account)

  await test.step('The merchant takes the ready message, and a scenario sends it to who asks', async () => {
    await page.bringToFront()
    await page.goto('messages/line/new')
    await page.getByRole('button', { name: /連携のご案内/ }).click()
    await page.getByRole('button', { name: t('lineMessages.editor.create'), exact: true }).click()
    await expect(page.getByRole('heading', { name: '連携のご案内', level: 1 })).toBeVisible()
    const line_message_id = /[0-9a-f-]{36}/.exec(page.url())?.[0] ?? ''
    const { action } = await api.post<{ action: { id: string } }>('/actions', { name: '連携のご案内' })
    const place = { name: '', position: { x: 0, y: 0 } }
    const flow = {
      trigger: { kind: 'line_message', keyword: '連携', match: 'whole' },
      condition: null,
      reentry: { mode: 'always' },
      ends_on: [],
      start: 'link',
      nodes: [
        {
          id: 'link',
          kind: 'send_line',
          settings: { line_message_id, tracking_parameters: null },
          next: { next: null },
          ...place,
        },
      ],
    }
    await api.put(`/actions/${action.id}/nodes`, { flow })
    await page.goto(`actions/view/${action.id}`)
    await enable(page, t)
  })

  const store = await test.step('The friend writes the word, taps the button, and signs in at the store', async () => {
    await phone.bringToFront()
    await phone.getByRole('textbox', { name: /メッセージ|Message/ }).fill('連携')
    await press(phone, /送信|Send/)
    await phone.reload()
    const opened = phone.waitForEvent('popup')
    await phone.getByRole('button', { name: '連携する' }).click()
    const store = await opened
    await store.getByRole('link', { name: 'ログインする' }).click()
    await store.getByLabel('メールアドレス').fill(email)
    await store.getByRole('button', { name: 'ログイン' }).click()
    await expect(store.getByRole('heading', { name: 'LINEアカウントを連携しますか？' })).toBeVisible()
    await expect(store.getByText(person.name)).toBeVisible()
    await expect(store.getByText('t•••@e•••.jp')).toBeVisible()
    expect(await seriousProblems(store)).toEqual([])
    return store
  })

  await test.step('LINE asks too; then both are one customer', async () => {
    await store.getByRole('button', { name: '連携する' }).click()
    await expect(store).toHaveURL(/\/line\/access\/dialog\/bot\/accountLink/)
    await store.getByLabel('LINE を使っている人').selectOption(person.user_id)
    await store.getByRole('button', { name: '連携する' }).click()
    await expect(store.getByRole('heading', { name: '連携しました' })).toBeVisible()
    await settle(request)
    await page.bringToFront()
    await openCustomer(page, '太郎')
    await expect(page.getByText(t('customers.timeline.line_linked'), { exact: true })).toBeVisible()
  })
})

async function openCustomer(page: Page, name: string): Promise<void> {
  await page.goto('customers')
  await page
    .getByRole('link', { name: new RegExp(name) })
    .first()
    .click()
}
