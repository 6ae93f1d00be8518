import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './journey.ts'
import { sandboxUrl } from '../addresses.ts'
import { beSignedIn, speak } from './account.ts'
import { addToStore, settle } from './outside-world.ts'
import { wordsIn } from './words.ts'

const SHOP = 'okaeri-sandbox.myshopify.com'

const t = wordsIn('ja')

test('a customer asks the store what is held, and later to be forgotten', async ({ page, request }) => {
  const mark = Date.now().toString(36)
  const email = `forget-${mark}@example.jp`
  const name = `忘田${mark} 花`
  const privacy = async (topic: string, customerId: string) => {
    const data = { topic, customer_id: Number(customerId) }
    const answer = await request.post(`${sandboxUrl}/stores/${SHOP}/sandbox/privacy.json`, { data })
    expect(answer.status(), await answer.text()).toBe(200)
    await settle(request)
  }
  await speak(page, 'ja')
  await beSignedIn(page)
  await addToStore(request, SHOP, {
    first_name: '花',
    last_name: `忘田${mark}`,
    email,
    tags: [],
    email_state: 'SUBSCRIBED',
  })
  await settle(request)

  let customerId = ''
  await test.step('The customer is here, with a file of everything held for a person who asks at the counter', async () => {
    await open(page, email, name)
    const saving = page.waitForEvent('download')
    await more(page, name, t('privacy.export.json'))
    const file = JSON.parse(await readFile(await (await saving).path(), 'utf8')) as {
      sections: { table: string; rows: { store_customer_id?: number }[] }[]
    }
    const [customer] = file.sections.find(({ table }) => table === 'customers')?.rows ?? []
    customerId = String(customer?.store_customer_id)
    expect(JSON.stringify(file)).toContain(email)
  })

  await test.step('Asked through the store, the file is made by itself and listed by the customer’s name', async () => {
    await privacy('customers/data_request', customerId)
    await page.goto('privacy')
    const row = page.getByRole('row', { name: new RegExp(name) })
    await expect(row.getByText(t('privacy.status.done'), { exact: true })).toBeVisible()
    const saving = page.waitForEvent('download')
    await row.getByRole('button', { name: t('privacy.download.button'), exact: true }).click()
    const html = await readFile(await (await saving).path(), 'utf8')
    expect(html).toContain('<html lang="ja">')
    expect(html).toContain(email)
  })

  await test.step('Erasing asks first, and can be left', async () => {
    await open(page, email, name)
    await more(page, name, t('privacy.erase'))
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText(t('privacy.eraseAsk', { name }))).toBeVisible()
    await dialog.getByRole('button', { name: t('ui.cancel') }).click()
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  })

  await test.step('The store’s word erases them: they are found no more, and the list names them no more', async () => {
    await privacy('customers/redact', customerId)
    await page.goto('privacy')
    await expect(page.getByText(t('privacy.kind.customer_redact'), { exact: true }).first()).toBeVisible()
    await expect(page.getByText(name)).toBeHidden()
    await page.goto(`customers?q=${encodeURIComponent(email)}`)
    await expect(page.getByText(t('ui.list.noMatch'))).toBeVisible()
  })
})

async function open(page: Page, email: string, name: string): Promise<void> {
  await page.goto(`customers?q=${encodeURIComponent(email)}`)
  await page.getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  await expect(page.getByText(t('customers.personal'))).toBeVisible()
}

async function more(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: t('ui.menuFor', { name }), exact: true }).click()
  await page.getByRole('menuitem', { name: action }).click()
}
