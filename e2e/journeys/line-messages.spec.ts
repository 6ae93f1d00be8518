import { expect, type Locator, type Page } from '@playwright/test'
import { beNewMerchant, confirmAddress, speak } from './account.ts'
import { seriousProblems } from './accessible.ts'
import { test } from './journey.ts'
import { befriend, findPerson, openAccount, openPhone } from './line-phone.ts'
import { lookAgain, settle } from './outside-world.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')

const phoneOf = (page: Page): Locator => page.getByRole('region', { name: t('lineMessages.phone.label') })
const partOf = (page: Page, number: number, type: Parameters<typeof t>[0]): Locator =>
  page.getByRole('region', { name: t('lineMessages.editor.part', { number, type: t(type) }), exact: true })
const fieldOf = (within: Locator, label: Parameters<typeof t>[0]): Locator =>
  within.getByLabel(new RegExp(`^${t(label)}( \\*)?$`))

async function add(page: Page, type: Parameters<typeof t>[0]): Promise<void> {
  const button = page.getByRole('button', { name: t('lineMessages.editor.addPart') })
  // A menu closes when its button is scrolled away: at the edge of the view, looking for an entry does that.
  await button.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  await button.click()
  const entry = page.getByRole('menuitem', { name: new RegExp(`^${t(type)}`) }).first()
  // Before it has its place it stands at the top of the page, and to look for it there scrolls the button away.
  await expect(entry).toBeInViewport()
  await entry.click()
}

/** The button of a card, by its number. */
async function fillButton(within: Locator, number: number, { label, uri }: { label: string; uri?: string }) {
  const button = within.getByRole('region', { name: t('lineMessages.action.number', { number }), exact: true })
  await fieldOf(button, 'lineMessages.field.label').fill(label)
  if (uri !== undefined) await fieldOf(button, 'lineMessages.field.uri').fill(uri)
  else await fieldOf(button, 'lineMessages.field.said').fill(label)
}

test('a merchant writes LINE messages of each type, reads them on the phone, saves, copies and deletes them', async ({
  page,
}) => {
  const once = Date.now().toString(36)
  await speak(page, 'ja')
  await beNewMerchant(page, {
    siteName: 'くも珈琲',
    email: `owner-lm-${once}@kumo-coffee.test`,
    password: 'a long enough one',
  })
  const save = page.getByRole('button', { name: t('ui.save'), exact: true })

  await test.step('From scratch: what is missing is shown at its field', async () => {
    await page.goto('messages/line')
    // Where nothing is listed yet, the list offers it too.
    await page
      .getByRole('link', { name: t('lineMessages.add') })
      .first()
      .click()
    await page.getByRole('button', { name: t('lineMessages.start.blank') }).click()
    await page.getByRole('button', { name: t('lineMessages.editor.create'), exact: true }).click()
    await expect(fieldOf(page.locator('main'), 'lineMessages.name')).toHaveAttribute('aria-invalid', 'true')
    await fieldOf(page.locator('main'), 'lineMessages.name').fill('春のお知らせ')
    const text = partOf(page, 1, 'lineMessages.type.text.name')
    await fieldOf(text, 'lineMessages.field.text').fill('{{ customer.last_name }}様、春のブレンドが届きました🌸')
    await expect(phoneOf(page).getByText('山田様、春のブレンドが届きました🌸')).toBeVisible()
    await page.getByRole('button', { name: t('lineMessages.editor.create'), exact: true }).click()
    await expect(page.getByRole('heading', { name: '春のお知らせ', level: 1 })).toBeVisible()
  })

  await test.step('Buttons, a carousel and Flex stand on the phone as they are written', async () => {
    await page.getByRole('link', { name: t('lineMessages.edit'), exact: true }).click()
    await add(page, 'lineMessages.type.buttons.name')
    const buttons = partOf(page, 2, 'lineMessages.type.buttons.name')
    await fieldOf(buttons, 'lineMessages.field.text').fill('お好みの焙煎をお選びください')
    await fieldOf(buttons, 'lineMessages.field.alt_text').fill('焙煎を選ぶ')
    await fillButton(buttons, 1, { label: '浅煎り', uri: 'https://shop.example/light' })
    await buttons.getByRole('button', { name: t('lineMessages.action.add') }).click()
    await fillButton(buttons, 2, { label: '連携する', uri: '' })
    const link = buttons.getByRole('region', { name: t('lineMessages.action.number', { number: 2 }), exact: true })
    const tags = t('emails.editor.insertTagInto', { field: t('lineMessages.field.uri') })
    await link.getByRole('button', { name: tags, exact: true }).click()
    await expect(page.getByRole('menuitem', { name: '{{ customer.name }}' })).toBeHidden()
    await page.getByRole('menuitem', { name: t('emails.editor.lineTagHelp') }).click()
    await expect(fieldOf(link, 'lineMessages.field.uri')).toHaveValue('{{ line.link_url }}')
    await add(page, 'lineMessages.type.carousel.name')
    const carousel = partOf(page, 3, 'lineMessages.type.carousel.name')
    await fieldOf(carousel, 'lineMessages.field.alt_text').fill('今週のおすすめ')
    for (const number of [1, 2]) {
      const card = carousel.getByRole('region', { name: t('lineMessages.column.number', { number }), exact: true })
      await fieldOf(card, 'lineMessages.field.text').fill(`カードの本文${number}`)
      await fillButton(card, 1, { label: '詳しく見る', uri: 'https://shop.example/more' })
    }
    await add(page, 'lineMessages.type.flex.name')
    const flex = partOf(page, 4, 'lineMessages.type.flex.name')
    await fieldOf(flex, 'lineMessages.field.alt_text').fill('新商品')
    await expect(flex.getByText(t('lineMessages.flex.fine'))).toBeVisible()
    const phone = phoneOf(page)
    for (const words of ['お好みの焙煎をお選びください', '浅煎り', 'カードの本文2', 'リネンのシャツ'])
      await expect(phone.getByText(words, { exact: true })).toBeVisible()
  })

  await test.step('A picture, a picture carousel and a question too', async () => {
    const remove = t('lineMessages.editor.remove')
    await add(page, 'lineMessages.type.confirm.name')
    const confirm = partOf(page, 5, 'lineMessages.type.confirm.name')
    await fieldOf(confirm, 'lineMessages.field.text').fill('先にお知らせを受け取りますか？')
    await fieldOf(confirm, 'lineMessages.field.alt_text').fill('質問')
    await fillButton(confirm, 1, { label: 'はい' })
    await fillButton(confirm, 2, { label: 'いいえ' })
    await expect(phoneOf(page).getByText('先にお知らせを受け取りますか？')).toBeVisible()
    await fieldOf(confirm, 'lineMessages.field.text').fill(`{{ customer.last_name }}${'あ'.repeat(240)}`)
    await expect(page.getByText(t('lineMessages.editor.problems'))).toBeVisible()
    await fieldOf(confirm, 'lineMessages.field.text').fill('先にお知らせを受け取りますか？')
    await expect(page.getByText(t('lineMessages.editor.problems'))).toBeHidden()
    await expect(page.getByText(t('lineMessages.editor.full'))).toBeVisible()
    await partOf(page, 3, 'lineMessages.type.carousel.name').getByRole('button', { name: remove }).click()
    await add(page, 'lineMessages.type.image_carousel.name')
    await expect(phoneOf(page).locator('[data-message="template"]')).toHaveCount(3)
    await partOf(page, 5, 'lineMessages.type.image_carousel.name').getByRole('button', { name: remove }).click()
    await add(page, 'lineMessages.type.image.name')
    const image = partOf(page, 5, 'lineMessages.type.image.name')
    await fieldOf(image, 'lineMessages.field.image_url').fill('http://shop.example/p.jpg')
    await save.click()
    await expect(fieldOf(image, 'lineMessages.field.image_url')).toHaveAttribute('aria-invalid', 'true')
    await image.getByRole('button', { name: remove }).click()
  })

  await test.step('Broken JSON is reported with its line; the order is changed from the keyboard', async () => {
    const flex = partOf(page, 3, 'lineMessages.type.flex.name')
    await flex.getByRole('textbox', { name: t('lineMessages.field.json') }).fill('{\n  "type": }')
    await expect(flex.getByRole('button', { name: /^2行目/ })).toBeVisible()
    await expect(phoneOf(page).getByText(t('lineMessages.phone.unreadable'))).toBeVisible()
    await flex.getByRole('button', { name: t('lineMessages.flex.samples') }).click()
    await page.getByRole('menuitem', { name: t('lineMessages.flex.notice') }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('lineMessages.flex.replace') })
      .click()
    await expect(phoneOf(page).getByText('営業日のお知らせ')).toBeVisible()
    await flex.getByRole('button', { name: t('lineMessages.editor.up') }).press('Enter')
    await expect(partOf(page, 2, 'lineMessages.type.flex.name')).toBeVisible()
    const drawn = phoneOf(page).locator('[data-message]')
    await expect(drawn.nth(1)).toHaveAttribute('data-message', 'flex')
    expect(await seriousProblems(page)).toEqual([])
    await save.click()
    await expect(page.getByText(t('lineMessages.checked.not_connected'))).toBeVisible()
  })

  await test.step('Two tabs: what the other saved is not overwritten without a yes', async () => {
    const other = await page.context().newPage()
    await other.goto(page.url())
    const named = (tab: Page) => fieldOf(tab.locator('main'), 'lineMessages.name')
    await named(other).fill('夏のお知らせ')
    await other.getByRole('button', { name: t('ui.save'), exact: true }).click()
    await expect(other.getByText(t('lineMessages.editor.saved'), { exact: true })).toBeVisible()
    await other.close()
    await named(page).fill('秋のお知らせ')
    await save.click()
    await page.getByRole('button', { name: t('ui.meanwhile.discard') }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('ui.meanwhile.discard') })
      .click()
    await expect(named(page)).toHaveValue('夏のお知らせ')
    await named(page).fill('春のお知らせ')
    await save.click()
    await expect(page.getByText(t('lineMessages.editor.saved'), { exact: true })).toBeVisible()
  })

  await test.step('On a phone, saving and the preview are at hand from all fields', async () => {
    const size = page.viewportSize()
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(save).toBeInViewport({ ratio: 1 })
    await page.getByRole('button', { name: t('lineMessages.editor.preview'), exact: true }).click()
    await expect(phoneOf(page)).toBeInViewport()
    if (size) await page.setViewportSize(size)
  })

  await test.step('What was saved is there, is copied, and is deleted', async () => {
    await page.getByRole('link', { name: t('lineMessages.backToMessage') }).click()
    await expect(phoneOf(page).locator('[data-message]')).toHaveCount(4)
    const more = page.getByRole('button', { name: new RegExp(t('ui.menuFor', { name: '春のお知らせ' })) })
    await more.click()
    await page.getByRole('menuitem', { name: t('lineMessages.duplicate') }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('lineMessages.duplicate') })
      .click()
    await expect(page.getByRole('heading', { name: '春のお知らせのコピー', level: 1 })).toBeVisible()
    await page
      .getByRole('main')
      .getByRole('button', { name: /春のお知らせのコピー/ })
      .click()
    await page.getByRole('menuitem', { name: t('lineMessages.delete') }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('ui.delete') })
      .click()
    await expect(page.getByRole('heading', { name: t('lineMessages.title'), level: 1 })).toBeVisible()
    await expect(page.getByRole('link', { name: '春のお知らせ', exact: true })).toBeVisible()
    await expect(page.getByText('春のお知らせのコピー')).toBeHidden()
  })
})

test('a friend is chosen for tests, gets one on the phone, and the history says so', async ({ page, request }) => {
  const once = Date.now().toString(36)
  const account = await openAccount(request, `くも珈琲${once.slice(-4)}`)
  const person = await findPerson(request, account)
  const email = `owner-lt-${once}@kumo-coffee.test`
  await speak(page, 'ja')
  const api = await beNewMerchant(page, { siteName: 'くも珈琲', email, password: 'a long enough one' })
  await confirmAddress(page, email)
  await api.put('/line/account', {
    line_account: { channel_id: account.channel_id, channel_secret: account.channel_secret },
  })
  await api.post('/line/account/webhook', {})
  const { line_message: message } = await api.post<{ line_message: { id: string } }>('/messages/line', {
    name: '焙煎のお知らせ',
    messages: [{ type: 'text', text: '{{ customer.last_name }}様、今日の焙煎が仕上がりました' }],
  })
  const phone = await page.context().newPage()
  await befriend(phone, person, account)

  await test.step('Without a tester the window leads to the settings, where a friend is chosen', async () => {
    await page.goto(`messages/line/view/${message.id}`)
    await page.getByRole('button', { name: t('lineMessages.testSend') }).click()
    await page.getByRole('link', { name: t('lineMessages.test.chooseTesters') }).click()
    // The whole page, before a place on it is scrolled to: its choices hide where the field is out of sight.
    await expect(page.getByText(t('lineRelays.none'))).toBeVisible()
    await expect(page.getByText(t('lineAccounts.login.link'))).toBeVisible()
    const add = page.getByRole('combobox', { name: t('lineAccounts.testers.add') })
    await add.fill(person.name)
    await add.scrollIntoViewIfNeeded()
    await page.getByRole('option', { name: person.name }).first().click()
    await expect(
      page.getByRole('button', { name: t('lineAccounts.testers.removeNamed', { name: person.name }) }),
    ).toBeVisible()
    expect(await seriousProblems(page)).toEqual([])
  })

  await test.step('The test is read on their phone, filled in for the sample customer', async () => {
    await page.goto(`messages/line/view/${message.id}`)
    await page.getByRole('button', { name: t('lineMessages.testSend') }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('checkbox', { name: person.name })).toBeChecked()
    await dialog.getByRole('button', { name: t('lineMessages.test.send') }).click()
    await expect(dialog.getByText(t('lineMessages.test.sent', { count: 1 }))).toBeVisible()
    await settle(page.request)
    await openPhone(phone, person, account)
    await expect(phone.getByText('山田様、今日の焙煎が仕上がりました')).toBeVisible()
  })

  await test.step('The history says what they got, and when', async () => {
    await page.goto('messages/line')
    await page.getByRole('link', { name: t('deliveries.history.title') }).click()
    await lookAgain(page)
    const row = page.getByRole('row').filter({ hasText: person.name })
    await expect(row.getByText(t('deliveries.status.sent'), { exact: true })).toBeVisible()
    await expect(row.getByText('山田様、今日の焙煎が仕上がりました')).toBeVisible()
    await page.getByRole('tab', { name: t('deliveries.kind.campaign') }).click()
    await expect(page.getByText(t('ui.list.noMatch'))).toBeVisible()
    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: t('lineMessages.history.csv') }).click()
    expect((await file).suggestedFilename()).toMatch(/\.csv$/)
  })
})
