import { expect, type Page } from '@playwright/test'
import { moveTheClock, settle } from './outside-world.ts'
import type { Say } from './words.ts'

/** A field by the whole of its label (a required one's has a star besides, which is not read out). */
export const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })

/** The first row of the condition editor on the page asks for a tag. */
export async function conditionOfTag(page: Page, t: Say, tag: string): Promise<void> {
  const row = t('segments.editor.row', { place: '1' })
  const condition = page.getByRole('group', { name: row, exact: true })
  const add = page.getByRole('button', { name: t('segments.editor.addRow') })
  await expect(condition.or(add).first()).toBeVisible()
  if (!(await condition.isVisible())) await add.click()
  await choose(page, `${row}: ${t('segments.editor.field')}`, /^(タグ|Tags)$/)
  await picker(page, `${row}: ${t('segments.editor.value')}`).fill(tag)
  await page.keyboard.press('Enter')
}

/** A segment of everybody with a tag, through the condition editor; `people` is what the live count must say. */
export async function makeTagSegment(
  page: Page,
  t: Say,
  { name, tag, people }: { name: string; tag: string; people: number },
): Promise<void> {
  await page.goto('segments/new')
  await field(page, t('segments.name')).fill(name)
  await conditionOfTag(page, t, tag)
  const count = page.getByRole('region', { name: t('segments.count.title') })
  await expect(
    count.getByText(t('segments.count.people', { count: people, total: people }), { exact: true }).first(),
  ).toBeVisible()
  await page.getByRole('button', { name: t('segments.create'), exact: true }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
}

const picker = (page: Page, label: string) => page.getByRole('combobox', { name: label, exact: true })

/** Picks from a list that opens below its field, which may be searched. */
export async function choose(page: Page, label: string, option: string | RegExp, typed?: string): Promise<void> {
  await picker(page, label).click()
  if (typed !== undefined) {
    await picker(page, label).fill(typed)
    // Until the answer is there the list may move under the click.
    await expect(page.getByRole('option', { selected: false }).filter({ hasNotText: typed })).toHaveCount(0)
  }
  await page.getByRole('option', { name: option }).click()
}

/** From the open list of a block's products, where what the store does not sell says so. Returns its title. */
export async function chooseProductOnSale(page: Page, t: Say): Promise<string> {
  const product = page
    .getByRole('option')
    .filter({ hasNotText: t('design.field.notOnSale') })
    .first()
  const title = (await product.textContent()) ?? ''
  await product.click()
  return title
}

export async function writeEmail(
  page: Page,
  t: Say,
  { name, subject, text }: { name: string; subject: string; text: string },
): Promise<void> {
  await page.goto('emails/new')
  await field(page, t('emails.name')).fill(name)
  await field(page, t('emails.subject')).fill(subject)
  await page.getByRole('radio', { name: t('emails.form.html') }).click()
  await page.getByRole('button', { name: t('emails.form.create') }).click()
  const code = page.getByRole('textbox', { name: t('emails.editor.codeLabel') })
  await expect(code).toBeVisible()
  const starter = /季節に合わせた商品を|this season’s picks/
  // Until it has measured its lines, the editor may put the cursor into another than the one clicked.
  await expect(async () => {
    await code.getByText(starter).click()
    expect(await lineOfCursor(page)).toMatch(starter)
  }).toPass()
  await page.keyboard.press('End')
  await page.keyboard.type(`<p>${text} `)
  await insertTag(page, t, /^(姓|Last name|名字)/)
  await expect(code).toBeFocused()
  await page.keyboard.type('</p>')
}

const lineOfCursor = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const at = getSelection()?.anchorNode
    const element = at instanceof Element ? at : at?.parentElement
    return element?.closest('.cm-line')?.textContent ?? ''
  })

export async function insertTag(page: Page, t: Say, tag: RegExp): Promise<void> {
  await page.getByRole('button', { name: t('emails.editor.insertTag') }).click()
  await page.getByRole('menuitem', { name: tag }).click()
}

/** The mail as the editor shows it. */
export const preview = (page: Page) => page.frameLocator('iframe[sandbox=""]')

/** A draft, to a segment or (null) to everybody, up to the review of what will happen. */
export async function draftCampaign(
  page: Page,
  t: Say,
  { name, segment, email }: { name: string; segment: string | null; email: string },
): Promise<void> {
  await page.goto('campaigns/new')
  await field(page, t('campaigns.name')).fill(name)
  if (segment === null) await page.getByRole('radio', { name: t('campaigns.form.all') }).click()
  else await choose(page, t('campaigns.form.segment'), new RegExp(`^${segment}`), segment)
  await choose(page, t('campaigns.email'), new RegExp(`^${email}`), email)
  await page.getByRole('button', { name: t('campaigns.form.saveAndReview') }).click()
  await expect(page.getByRole('heading', { name: t('campaigns.review.title'), level: 1 })).toBeVisible()
}

/** On the review page. */
export async function sendNow(page: Page, t: Say, people: number): Promise<void> {
  await page
    .getByRole('button', { name: t('campaigns.review.send', { count: people, n: people }), exact: true })
    .click()
  await confirmSending(page, t)
  await expect(page.getByText(t('campaigns.review.started'), { exact: true })).toBeVisible()
}

/** In the dialog that asks once more. */
export async function confirmSending(page: Page, t: Say): Promise<void> {
  const dialog = page.getByRole('dialog', { name: t('campaigns.sendDialog.titleNow') })
  await expect(dialog).toBeVisible()
  for (const box of await dialog.getByRole('checkbox').all()) await box.check()
  await dialog.getByRole('button', { name: t('campaigns.sendDialog.confirmNow'), exact: true }).click()
}

/** No campaign can be undone for longer. */
export const MOST_UNDO_SECONDS = 60
const UNDO_MS = (MOST_UNDO_SECONDS + 1) * 1000
export const waitUntilUndoIsOver = (page: Page): Promise<void> => moveTheClock(page.request, UNDO_MS)

/** On the campaign's page, which refreshes while it is sent. */
export async function waitUntilSent(page: Page, t: Say): Promise<void> {
  await waitUntilUndoIsOver(page)
  await settle(page.request)
  await expect(page.getByRole('button', { name: t('campaigns.do.duplicate') })).toBeVisible()
  await expect(page.getByText(t('campaigns.status.sent'), { exact: true }).first()).toBeVisible()
}
