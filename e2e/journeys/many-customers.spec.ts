import { expect, test } from './journey.ts'
import { asDemo, beSignedIn, speak } from './account.ts'
import { lookAgain } from './outside-world.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')

test('two customers are ticked and tagged: the dialog says whom, and both have the tag', async ({ page, request }) => {
  const tag = `冬の福袋 ${Date.now().toString(36)}`
  const demo = await asDemo(request)
  const { data } = await demo.get<{ data: { id: string; name: string }[] }>('/customers?limit=2')
  const people = t('customers.bulk.people', { count: 2, total: '2' })
  await speak(page, 'ja')
  await beSignedIn(page)
  await page.goto('customers')

  await test.step('Ticked, it says how many, and offers all that match', async () => {
    const ticks = page.getByRole('row').getByRole('checkbox')
    await ticks.nth(1).check()
    await ticks.nth(2).check()
    await expect(page.getByText(t('ui.list.selected', { count: 2 }), { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: /すべて選択/ })).toBeVisible()
  })

  await test.step('All are selected, and the count says so; another tick, and it is the ticked ones again', async () => {
    await page.getByRole('button', { name: /すべて選択/ }).click()
    await expect(page.getByText(/すべて選択中/)).toBeVisible()
    await expect(page.getByText(t('ui.list.selected', { count: 2 }), { exact: true })).toBeHidden()
    await page.getByRole('row').getByRole('checkbox').nth(3).check()
    await expect(page.getByText(t('ui.list.selected', { count: 3 }), { exact: true })).toBeVisible()
    await page.getByRole('row').getByRole('checkbox').nth(3).uncheck()
  })

  await test.step('The tag is added to those two', async () => {
    await page.getByRole('button', { name: t('customers.bulk.tag'), exact: true }).click()
    const dialog = page.getByRole('dialog', { name: t('customers.bulk.tagTitle', { people }) })
    const add = dialog.getByRole('button', { name: t('customers.bulk.tagAddConfirm', { people }) })
    await expect(add).toBeDisabled()
    await dialog.getByLabel(t('customers.tags'), { exact: true }).fill(tag)
    await page.keyboard.press('Enter')
    await add.click()
    await expect(page.getByText(t('customers.bulk.tagBegun', { people }))).toBeVisible()
    await expect(dialog).toBeHidden()
    await expect(page.getByText(t('ui.list.selected', { count: 2 }), { exact: true })).toBeHidden()
  })

  await test.step('Both have it, and no one else', async () => {
    await lookAgain(page)
    await page.goto(`customers?tag=${encodeURIComponent(tag)}`)
    for (const { name } of data) await expect(page.getByRole('link', { name, exact: true }).first()).toBeVisible()
    const found = await demo.get<{ data: { id: string }[] }>(`/customers?tag=${encodeURIComponent(tag)}`)
    expect(found.data.map(({ id }) => id).sort()).toEqual(data.map(({ id }) => id).sort())
    await page.goto(`customers/${data[0]?.id}`)
    await expect(page.getByText(tag, { exact: true }).first()).toBeVisible()
  })
})
