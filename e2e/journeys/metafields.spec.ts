import type { APIRequestContext, Page } from '@playwright/test'
import { expect, test } from './journey.ts'
import { seriousProblems } from './accessible.ts'
import { beNewMerchantWithStore, save, speak } from './account.ts'
import { addToStore, lookAgain, setMetafield } from './outside-world.ts'
import { choose, field } from './sending.ts'
import { wordsIn } from './words.ts'

const KEY = 'profile.shoe_size'
const t = wordsIn('ja')
const say = {
  refused: 'namespace.key の形式で、半角英数字・ハイフン・アンダースコアのみで入力してください',
  refusedBirthday: '誕生日のメタフィールドを namespace.key の形式で入力してください',
  integer: '整数',
  atLeast: '以上',
  birthday: '1990年4月1日',
}

test('a metafield is added and filled, chooses customers, and goes once nothing uses it', async ({ page, request }) => {
  const once = Date.now().toString(36)
  const shop = `okaeri-e2e-shoes-${once}.myshopify.com`
  const wearing = (name: string) => ({ email: `${name}-${once}@customer.test`, last_name: '靴田', first_name: name })
  const [small, large, unknown] = [wearing('小'), wearing('大'), wearing('不明')]
  await speak(page, 'ja')

  await test.step('A merchant’s store knows the shoe size of three customers, of one as a word', async () => {
    const sizes = [
      [small, '23'],
      [large, '27'],
      [unknown, '大きめ'],
    ] as const
    for (const [person, value] of sizes) {
      await addToStore(request, shop, { ...person, tags: [], email_state: 'SUBSCRIBED' })
      await know(request, shop, person.email, KEY, value)
    }
    await know(request, shop, large.email, 'facts.birth_date', '1990-04-01')
    const owner = { siteName: '靴の店', email: `owner-${once}@shoes.test`, password: 'a long enough one' }
    await beNewMerchantWithStore(page, owner, shop)
  })

  await test.step('A key in another form is refused at its field', async () => {
    await page.goto('metafields')
    await page
      .getByRole('link', { name: t('metafields.add') })
      .first()
      .click()
    const key = field(page, t('metafields.key'))
    await key.fill('靴のサイズ')
    await page.getByRole('button', { name: t('metafields.new.create'), exact: true }).click()
    await expect(key).toHaveAccessibleDescription(new RegExp(say.refused))
    await expect(page).toHaveURL(/metafields\/new$/)
    await key.fill(KEY)
  })

  await test.step('Added, its values come from the store with their count, and values that are no numbers are reported', async () => {
    await choose(page, t('metafields.valueType'), new RegExp(`^${say.integer}$`), say.integer)
    await field(page, t('metafields.name')).fill('足のサイズ')
    await page.getByRole('button', { name: t('metafields.new.create'), exact: true }).click()
    await expect(page.getByRole('heading', { name: '足のサイズ', level: 1 })).toBeVisible()
    await lookAgain(page)
    await expect(page.getByText(t('metafields.status.ready'), { exact: true })).toBeVisible()
    await expect(fact(page, t('metafields.valueCount'))).toHaveText('3')
    await expect(fact(page, t('metafields.page.unreadable'))).toHaveText('1')
  })

  const segment = `大きな足 ${once}`
  await test.step('A segment asks about it at once, and counts whom it should', async () => {
    await page.getByRole('link', { name: t('metafields.page.makeSegment') }).click()
    await field(page, t('segments.name')).fill(segment)
    const row = t('segments.editor.row', { place: '1' })
    await choose(page, `${row}: ${t('segments.editor.field')}`, /^足のサイズ/, '足のサイズ')
    await choose(page, `${row}: ${t('segments.editor.operator')}`, say.atLeast)
    await field(page, `${row}: ${t('segments.editor.value')}`).fill('25')
    const count = page.getByRole('region', { name: t('segments.count.title') })
    await expect(
      count.getByText(t('segments.count.people', { count: 1, total: 1 }), { exact: true }).first(),
    ).toBeVisible()
    await page.getByRole('button', { name: t('segments.create'), exact: true }).click()
    await expect(page.getByRole('heading', { name: segment, level: 1 })).toBeVisible()
    const members = page.getByRole('region', { name: t('segments.table.title') })
    await expect(members.getByRole('link', { name: '靴田 大' })).toBeVisible()
    await expect(members.getByRole('link', { name: /靴田 (小|不明)/ })).toBeHidden()
  })

  await test.step('It gets another name, and the segment says so', async () => {
    await page.goto('metafields')
    await page.getByRole('link', { name: '足のサイズ', exact: true }).click()
    await page.getByRole('link', { name: t('metafields.edit'), exact: true }).click()
    await field(page, t('metafields.name')).fill('靴のサイズ')
    await save(page, t)
    await expect(page.getByRole('heading', { name: '靴のサイズ', level: 1 })).toBeVisible()
    await page.getByRole('link', { name: new RegExp(segment) }).click()
    await expect(page.getByText(/靴のサイズ.*25/).first()).toBeVisible()
  })

  await test.step('While the segment asks about it, it is not deleted: the segment is named, and one click away', async () => {
    await page.goto('metafields')
    await more(page, '靴のサイズ', t('metafields.delete'))
    const warning = page.getByRole('dialog', { name: t('ui.confirm.inUse', { name: '靴のサイズ' }) })
    await expect(warning).toBeVisible()
    expect(await seriousProblems(page)).toEqual([])
    await warning.getByRole('link', { name: new RegExp(segment) }).click()
    await expect(warning).toBeHidden()
    await expect(page.getByRole('heading', { name: segment, level: 1 })).toBeVisible()
    await more(page, segment, t('segments.delete'))
    await sure(page)
    await expect(page.getByRole('heading', { name: t('segments.title'), level: 1 })).toBeVisible()
  })

  await test.step('With nothing using it, it goes', async () => {
    await page.goto('metafields')
    await more(page, '靴のサイズ', t('metafields.delete'))
    await sure(page)
    await expect(page.getByText(t('metafields.empty.title'))).toBeVisible()
  })

  await test.step('The birthday metafield is named as namespace.key, and birthdays come from it', async () => {
    await page.goto('settings?tab=customer')
    const birthday = page.getByRole('combobox', { name: t('metafields.setting.field') })
    await birthday.fill('birthday')
    await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
    await expect(birthday).toHaveAccessibleDescription(new RegExp(say.refusedBirthday))
    await birthday.fill('facts.birth_date')
    await save(page, t)
    await lookAgain(page)
    await expect(fact(page, t('metafields.setting.read'))).toHaveText(/^[1-9]\d* ?人$/)
    await page.goto(`customers?q=${encodeURIComponent(large.email)}`)
    await page.getByRole('link', { name: '靴田 大' }).click()
    await expect(fact(page, t('customers.birthday'))).toContainText(say.birthday)
  })
})

async function know(request: APIRequestContext, shop: string, email: string, name: string, value: string) {
  const [namespace = '', key = ''] = name.split('.')
  await setMetafield(request, shop, { email, namespace, key, value })
}

/** The value beside its label; the card's before the metafield's of the same name. */
const fact = (page: Page, label: string) =>
  page
    .locator('dt:visible')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .first()
    .locator('xpath=following-sibling::dd[1]')

async function more(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: t('ui.menuFor', { name }), exact: true }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

async function sure(page: Page): Promise<void> {
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('ui.delete'), exact: true })
    .click()
  await expect(page.getByText(t('ui.toast.deleted'), { exact: true })).toBeVisible()
}
