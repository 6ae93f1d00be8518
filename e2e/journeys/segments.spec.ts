import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './journey.ts'
import { beSignedIn, speak } from './account.ts'
import { lookAgain } from './outside-world.ts'
import { choose, field } from './sending.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')
const say = {
  marketing: 'マーケティング許可',
  tags: 'タグ',
  atLeast: '注文回数が2回以上',
  sentence: /注文回数が2回以上、かつ（/,
}

test('a segment of groups within groups is built as a sentence, and says why a customer is in it', async ({ page }) => {
  const name = `入れ子 ${Date.now().toString(36)}`
  await speak(page, 'ja')
  await beSignedIn(page)
  await page.goto('segments/new')
  await field(page, t('segments.name')).fill(name)

  await test.step('The first row asks which; saved as it is, it is refused at the row', async () => {
    await page.getByRole('button', { name: t('segments.create'), exact: true }).click()
    await expect(row(page, '1').getByText(t('segments.editor.blankRow'))).toBeVisible()
    await choose(page, inRow('1', 'field'), /^注文回数$/)
    await choose(page, inRow('1', 'operator'), new RegExp(`^${t('segments.operator.greater_or_equal')}$`))
  })

  await test.step('A number is typed as people type it; what is no number is refused at the field', async () => {
    const value = field(page, inRow('1', 'value'))
    await value.fill('二')
    await expect(row(page, '1').getByText(/数値/)).toBeVisible()
    await value.fill('２')
    await expect(page.getByText(say.atLeast, { exact: false }).or(page.getByText(say.sentence)).first()).toBeVisible()
    await expect(row(page, '1').getByText(/数値/)).toBeHidden()
  })

  await test.step('A group is added, its rows ask other things, and the whole reads as one sentence', async () => {
    await page.getByRole('button', { name: t('segments.editor.addGroup') }).click()
    // The finished row is counted meanwhile, and the other is said not to be.
    await expect(people(page)).toBeVisible()
    await expect(page.getByText(t('segments.count.unfinished', { count: 1, total: '1' }))).toBeVisible()
    await choose(page, inRow('2-1', 'field'), new RegExp(`^${say.marketing}$`))
    const group = page.getByRole('group', { name: t('segments.editor.group', { place: '2' }), exact: true })
    await group.getByRole('button', { name: t('segments.editor.addRow') }).click()
    await choose(page, inRow('2-2', 'field'), new RegExp(`^${say.tags}$`))
    await page.getByRole('combobox', { name: inRow('2-2', 'value'), exact: true }).fill('VIP')
    await page.keyboard.press('Enter')
    await expect(page.getByText(say.sentence)).toBeVisible()
    await expect(people(page)).toBeVisible()
  })

  await test.step('A row is duplicated, removed, moved out of its group and put back', async () => {
    await page
      .getByRole('button', { name: t('segments.editor.duplicateRow', { row: rowName('2-2') }), exact: true })
      .click()
    await expect(row(page, '2-3')).toBeVisible()
    await page.getByRole('button', { name: t('segments.editor.undo') }).click()
    await expect(row(page, '2-3')).toBeHidden()
    await page.getByRole('button', { name: t('segments.editor.moreFor', { row: rowName('2-2') }), exact: true }).click()
    await page.getByRole('menuitem', { name: new RegExp(t('segments.editor.moveDown')) }).click()
    await expect(row(page, '3')).toBeFocused()
    await page.keyboard.press('Alt+ArrowUp')
    await expect(row(page, '2-2')).toBeFocused()
  })

  await test.step('It is saved; its page shows its customers, and why one of them is in it', async () => {
    await page.getByRole('button', { name: t('segments.create'), exact: true }).click()
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
    await lookAgain(page)
    await expect(page.getByText(t('segments.status.ready'), { exact: true })).toBeVisible()
    const members = page.getByRole('region', { name: t('segments.table.title') })
    const first = await members.getByRole('link').first().textContent()
    const conditions = page.getByRole('region', { name: t('segments.conditions'), exact: true })
    const picker = conditions.getByRole('combobox', { name: t('segments.why.title') })
    await picker.click()
    await picker.fill(first ?? '')
    await page.getByRole('option').first().click()
    await expect(conditions.getByText(new RegExp(`^(${t('segments.why.in')}|${t('segments.why.out')})$`))).toBeVisible()
    await expect(conditions.getByText(t('segments.why.value')).first()).toBeVisible()
  })
})

test('a segment of the store is read only, and its count stands beside the store’s', async ({ page }) => {
  await speak(page, 'ja')
  await beSignedIn(page)
  await page.goto('segments')
  await page.getByRole('tab', { name: t('segments.tabs.remote') }).click()
  await page.getByRole('link', { name: 'VIP', exact: true }).click()
  await expect(page.getByText(t('segments.remoteReadonly')).first()).toBeVisible()
  await expect(page.getByRole('button', { name: t('segments.edit'), exact: true })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  const compared = page.getByRole('region', { name: t('segments.remoteCard.title') })
  await expect(compared.getByText(t('segments.remoteCard.same'))).toBeVisible()
  await page.getByRole('button', { name: t('segments.resync'), exact: true }).click()
  await expect(page.getByText(t('segments.recalculating'))).toBeVisible()
  await lookAgain(page)
  await expect(compared.getByText(t('segments.remoteCard.same'))).toBeVisible()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: t('ui.menuFor', { name: 'VIP' }) }).click()
  await page.getByRole('menuitem', { name: t('segments.csv') }).click()
  expect((await saved).suggestedFilename()).toMatch(/\.csv$/)
})

test('a dataset says how fresh it is, is fetched again, and is downloaded as CSV', async ({ page }) => {
  await speak(page, 'ja')
  await beSignedIn(page)
  await page.goto('data')
  await page.getByRole('link', { name: '商品', exact: true }).click()
  await expect(page.getByRole('heading', { name: '商品', level: 1 })).toBeVisible()
  await expect(page.getByText(t('datasets.status.done'), { exact: true }).first()).toBeVisible()
  const overview = page.getByRole('region', { name: t('datasets.overview') })
  await expect(overview.getByText(/^304件$/)).toBeVisible()

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: t('datasets.csv') }).click()
  const file = await saved
  expect(file.suggestedFilename()).toMatch(/\.csv$/)
  const text = await readFile(await file.path(), 'utf8')
  expect(text.startsWith('\uFEFF')).toBe(true)
  expect(text.trimEnd().split(/\r?\n/).length).toBeGreaterThan(304)

  await page.getByRole('button', { name: t('datasets.refetch') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('datasets.refetch') })
    .click()
  await expect(page.getByText(t('datasets.refetching'))).toBeVisible()
  await lookAgain(page)
  await expect(page.getByText(t('datasets.status.done'), { exact: true }).first()).toBeVisible()
  await expect(overview.getByText(/^304件$/)).toBeVisible()
})

const rowName = (place: string) => t('segments.editor.row', { place })
const row = (page: Page, place: string) => page.getByRole('group', { name: rowName(place), exact: true })
const inRow = (place: string, part: 'field' | 'operator' | 'value') =>
  `${rowName(place)}: ${t(`segments.editor.${part}`)}`
/** The number beside the editor, once it is there. */
const people = (page: Page) =>
  page
    .getByRole('region', { name: t('segments.count.title') })
    .getByText(/^[\d,]+ ?人$/)
    .first()
