import type { APIRequestContext, Locator, Page } from '@playwright/test'
import { seriousProblems } from './accessible.ts'
import { expect, test } from './journey.ts'
import { asDemo, beSignedIn, speak } from './account.ts'
import { wordsIn } from './words.ts'

/** What steps, triggers and problems are called is in the contract, which journeys do not know. */
const say = {
  birthday: '誕生日',
  coupon: 'クーポンを発行する',
  mail: 'メールを配信する',
  wait: '待つ',
  noMail: 'メールが選ばれていません。',
  starts: /誕生日.*に始まります。/,
  waits: /3日待ち、.*を配信します。/,
} as const
const t = wordsIn('ja')

async function begin(page: Page, request: APIRequestContext) {
  const own = Date.now().toString(36)
  const demo = await asDemo(request)
  const greeting = `誕生日のお祝い ${own}`
  const reminder = `クーポンの期限 ${own}`
  for (const name of [greeting, reminder]) await demo.post('/emails', { name, subject: name })
  const { action } = await demo.post<{ action: { id: string } }>('/actions', { name: `${greeting} flow` })
  await speak(page, 'ja')
  await beSignedIn(page)
  await page.goto(`actions/edit/${action.id}?mode=flow`)
  await expect(page.getByRole('heading', { name: `${greeting} flow`, level: 1 })).toBeVisible()
  await expect(startCard(page)).toBeVisible()
  return { greeting, reminder, id: action.id }
}

const startCard = (page: Page): Locator => page.getByRole('group', { name: new RegExp(`^${t('flow.start')}[：:]`) })
/** The steps of a kind, in the order they were added. */
const cards = (page: Page, title: string): Locator => {
  const [before = ''] = t('flow.stepLabel', { title: '|', kind: '', summary: '' }).split('|')
  return page.getByRole('group', { name: new RegExp(`^${before}${title}[」”]`) })
}
const palette = (page: Page): Locator => page.getByRole('region', { name: t('flow.palette'), exact: true })
const panel = (page: Page): Locator => page.getByRole('region', { name: t('flow.panel.title'), exact: true })
const save = (page: Page) => page.getByRole('button', { name: t('flow.save'), exact: true }).click()
const saved = (page: Page) => expect(page.getByText(t('ui.toast.saved')).first()).toBeVisible()

async function middleOf(card: Locator): Promise<{ x: number; y: number }> {
  const box = await card.boundingBox()
  if (!box) throw new Error('not on the page')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}
/** How many lines are drawn to a card's upper edge, and from its lower edge. */
const linesAt = (card: Locator): Promise<{ in: number; out: number }> =>
  card.evaluate((element) => {
    const { left, width, top, bottom } = element.getBoundingClientRect()
    const near =
      (x: number, y: number) =>
      ({ x: at, y: edge }: DOMPoint) =>
        Math.abs(at - x) < 2 && Math.abs(edge - y) < 10
    const ends = [...document.querySelectorAll<SVGPathElement>('.react-flow__edge-path')].map((path) => {
      const place = path.getScreenCTM() ?? undefined
      const at = (length: number) => path.getPointAtLength(length).matrixTransform(place)
      return { from: at(0), to: at(path.getTotalLength()) }
    })
    return {
      in: ends.filter(({ to }) => near(left + width / 2, top)(to)).length,
      out: ends.filter(({ from }) => near(left + width / 2, bottom)(from)).length,
    }
  })

async function chooseMail(page: Page, name: string): Promise<void> {
  const picker = panel(page).getByRole('combobox', { name: 'メール', exact: true })
  await picker.click()
  await picker.fill(name)
  await page.getByRole('option', { name }).click()
  await expect(page.locator('iframe')).toBeVisible()
}

test('a birthday flow is drawn with the mouse; what is missing is marked red', async ({ page, request }) => {
  const { greeting, reminder } = await begin(page, request)

  await test.step('The start is a birthday', async () => {
    await startCard(page).click()
    await panel(page)
      .getByRole('combobox', { name: t('flow.trigger.kind'), exact: true })
      .click()
    await page.getByRole('option', { name: say.birthday, exact: true }).click()
    await expect(startCard(page)).toHaveAccessibleName(say.starts)
  })

  await test.step('A coupon is dragged below it; mail, wait and mail follow', async () => {
    const below = page.getByRole('button', { name: t('flow.insertAfter', { title: t('flow.start') }), exact: true })
    await palette(page).getByRole('button', { name: say.coupon, exact: true }).hover()
    await page.mouse.down()
    // Twice: the first move only lifts it, and a drop needs a move above the target.
    await below.hover()
    await below.hover()
    await page.mouse.up()
    await expect(cards(page, say.coupon)).toBeFocused()
    await palette(page).getByRole('button', { name: say.mail, exact: true }).click()
    await chooseMail(page, greeting)
    await palette(page).getByRole('button', { name: say.wait, exact: true }).click()
    await panel(page).getByRole('textbox', { name: '長さ', exact: true }).fill('3')
    await palette(page).getByRole('button', { name: say.mail, exact: true }).click()
    await expect(cards(page, say.mail)).toHaveCount(2)
    const list = page.getByRole('button', { name: t('flow.problems.button', { count: 1, n: 1 }), exact: true })
    const red = cards(page, say.mail).filter({ has: page.locator('[data-wrong]') })
    await list.click()
    await expect(red).toHaveCount(1)
    await list.click()
    await expect(red).toHaveCount(0)
  })

  await test.step('Saved as it is, the mail that is missing is red and says why', async () => {
    await save(page)
    await saved(page)
    await expect(page.getByText(t('flow.savedWithErrors'))).toBeVisible()
    const red = cards(page, say.mail).filter({ has: page.locator('[data-wrong]') })
    await expect(red).toHaveCount(1)
    await red.hover()
    await expect(page.getByRole('tooltip').getByText(say.noMail)).toBeVisible()
    await page.getByRole('button', { name: t('flow.problems.button', { count: 1, n: 1 }), exact: true }).click()
    await page
      .getByRole('region', { name: t('flow.problems.title'), exact: true })
      .getByText(say.noMail)
      .click()
    await expect(red).toBeFocused()
    await chooseMail(page, reminder)
    await expect(red).toHaveCount(0)
    await expect(page.getByText(t('flow.savedWithErrors'))).toBeHidden()
  })

  await test.step('A step that is dragged takes its lines along, and stays where it is let go', async () => {
    const card = cards(page, say.wait)
    const stood = await middleOf(card)
    await page.mouse.move(stood.x, stood.y)
    await page.mouse.down()
    await page.mouse.move(stood.x + 10, stood.y + 10)
    await page.mouse.move(stood.x + 80, stood.y + 40)
    await expect.poll(async () => (await middleOf(card)).x - stood.x).toBeGreaterThan(50)
    await expect.poll(() => linesAt(card)).toEqual({ in: 1, out: 1 })
    const held = await middleOf(card)
    await page.mouse.up()
    await expect(panel(page).getByRole('textbox', { name: '長さ', exact: true })).toBeVisible()
    const stands = await middleOf(card)
    expect(Math.hypot(stands.x - held.x, stands.y - held.y)).toBeLessThan(2)
    await expect.poll(() => linesAt(card)).toEqual({ in: 1, out: 1 })
    await page.getByRole('button', { name: t('flow.undo'), exact: true }).click()
    await expect.poll(async () => (await middleOf(card)).x - stood.x).toBeLessThan(1)
    await expect.poll(() => linesAt(card)).toEqual({ in: 1, out: 1 })
  })

  await test.step('A step that is deleted comes back, and goes again', async () => {
    await cards(page, say.wait).click()
    await page.keyboard.press('Delete')
    await expect(cards(page, say.wait)).toHaveCount(0)
    await page.getByRole('button', { name: t('flow.undo'), exact: true }).click()
    await expect(cards(page, say.wait)).toHaveCount(1)
    await page.getByRole('button', { name: t('flow.redo'), exact: true }).click()
    await expect(cards(page, say.wait)).toHaveCount(0)
    await page.keyboard.press('Control+z')
    await expect(cards(page, say.wait)).toHaveCount(1)
  })

  await test.step('Saved and looked at again, it is the same, and described in plain words', async () => {
    await save(page)
    await expect(page.getByText(t('flow.saved'), { exact: true })).toBeVisible()
    await page.reload()
    await expect(cards(page, say.mail)).toHaveCount(2)
    await expect(panel(page).getByText(say.starts)).toBeVisible()
    await expect(panel(page).getByText(say.waits)).toBeVisible()
    await expect(panel(page)).toContainText(reminder)
  })
})

test('a birthday flow is built without a mouse', async ({ page, request }) => {
  const { greeting, reminder } = await begin(page, request)
  const keys = page.keyboard
  const add = async (title: string, count = 1) => {
    await keys.press('i')
    await expect(page.getByRole('menu', { name: t('flow.insertMenu') })).toBeVisible()
    await moveTo(page, page.getByRole('menuitem', { name: title, exact: true }))
    await keys.press('Enter')
    await expect(cards(page, title)).toHaveCount(count)
    await expect(cards(page, title).and(page.locator(':focus'))).toHaveCount(1)
  }

  await test.step('Tab comes to the start; Enter opens its settings, Escape leads back', async () => {
    await tabTo(page, startCard(page))
    await keys.press('Enter')
    const trigger = panel(page).getByRole('combobox', { name: t('flow.trigger.kind'), exact: true })
    await expect(trigger).toBeFocused()
    await keys.press('Control+a')
    await keys.type(say.birthday)
    await expect(page.getByRole('option')).toHaveCount(1)
    await keys.press('ArrowDown')
    await keys.press('Enter')
    await expect(startCard(page)).toHaveAccessibleName(say.starts)
    await keys.press('Escape')
    await expect(startCard(page)).toBeFocused()
  })

  await test.step('The letter I adds a step after the one that has the focus', async () => {
    await add(say.coupon)
    await add(say.mail)
    await typeMail(page, greeting)
    await add(say.wait)
    await keys.press('Enter')
    await tabTo(page, panel(page).getByRole('textbox', { name: '長さ', exact: true }))
    await keys.press('Control+a')
    await keys.type('3')
    await keys.press('Escape')
    await expect(cards(page, say.wait)).toBeFocused()
    await add(say.mail, 2)
    await typeMail(page, reminder)
  })

  await test.step('Arrow keys go up and down the flow; Delete and Ctrl-Z take away and bring back', async () => {
    await keys.press('ArrowUp')
    await expect(cards(page, say.wait)).toBeFocused()
    await keys.press('Delete')
    await expect(cards(page, say.wait)).toHaveCount(0)
    await keys.press('Control+z')
    await expect(cards(page, say.wait)).toHaveCount(1)
  })

  await test.step('Ctrl-S saves it', async () => {
    await keys.press('Control+s')
    await saved(page)
    await page.reload()
    await expect(cards(page, say.mail)).toHaveCount(2)
    await expect(panel(page).getByText(say.waits)).toBeVisible()
  })
})

test('the flow editor full screen with a loop', async ({ page, request }) => {
  const { greeting, reminder } = await begin(page, request)
  const tool = (name: string) => page.getByRole('button', { name, exact: true })
  const view = () =>
    page.locator('.react-flow__viewport').evaluate((element) => (element as HTMLElement).style.transform)
  const red = cards(page, say.mail).filter({ has: page.locator('[data-wrong]') })

  await test.step('Full screen it covers the navigation; a panel that is folded gives its room', async () => {
    await tool(t('flow.fullScreen.enter')).click()
    await expect(page.getByRole('navigation').first()).toHaveAttribute('inert')
    const before = (await page.locator('.react-flow').boundingBox())?.width ?? 0
    await tool(t('flow.fold.settings')).click()
    await expect(panel(page)).toBeHidden()
    expect((await page.locator('.react-flow').boundingBox())?.width ?? 0).toBeGreaterThan(before + 300)
    expect(await seriousProblems(page)).toEqual([])
  })

  await test.step('A mail, a wait and another mail; one left without its mail is red at once, until it has one', async () => {
    await palette(page).getByRole('button', { name: say.mail, exact: true }).click()
    await expect(red).toHaveCount(0)
    await palette(page).getByRole('button', { name: say.wait, exact: true }).click()
    await expect(red).toHaveCount(1)
    await cards(page, say.mail).dblclick()
    await chooseMail(page, greeting)
    await expect(red).toHaveCount(0)
    await cards(page, say.wait).click()
    await palette(page).getByRole('button', { name: say.mail, exact: true }).click()
    await chooseMail(page, reminder)
  })

  await test.step('The last mail leads back to the first: the line goes around the wait', async () => {
    await panel(page)
      .getByRole('combobox', { name: t('flow.panel.next'), exact: true })
      .click()
    await page
      .getByRole('option', { name: t('flow.panel.position', { title: say.mail, n: 1 }) })
      .or(page.getByRole('option', { name: say.mail, exact: true }))
      .first()
      .click()
    await expect(page.locator('.react-flow__edge')).toHaveCount(4)
    await expect.poll(() => crossings(page)).toEqual([])
    await tool(t('flow.tidy')).click()
    await expect.poll(() => crossings(page)).toEqual([])
  })

  await test.step('A step is dropped, and one pasted: the view stays where it is', async () => {
    await expect(page.locator('[data-moving]')).toHaveCount(0)
    const stood = await view()
    const box = await page.locator('.react-flow').boundingBox()
    if (!box) throw new Error('not on the page')
    await palette(page).getByRole('button', { name: say.coupon, exact: true }).hover()
    await page.mouse.down()
    await page.mouse.move(box.x + 60, box.y + 200)
    await page.mouse.move(box.x + 12, box.y + 200)
    await page.mouse.up()
    await expect(cards(page, say.coupon)).toBeFocused()
    expect(await view()).toBe(stood)
    await page.keyboard.press('Control+c')
    await page.keyboard.press('Control+v')
    await expect(cards(page, say.coupon)).toHaveCount(2)
    await expect(cards(page, say.coupon).last()).toBeFocused()
    expect(await view()).toBe(stood)
    await page.keyboard.press('Delete')
    await expect(cards(page, say.coupon)).toHaveCount(1)
    await cards(page, say.coupon).click()
    await expect(cards(page, say.coupon).and(page.locator('.selected'))).toHaveCount(1)
    await page.keyboard.press('Delete')
    await expect(cards(page, say.coupon)).toHaveCount(0)
  })

  await test.step('Saved, and out of the full screen', async () => {
    await save(page)
    await saved(page)
    await tool(t('flow.fullScreen.leave')).click()
    await expect(page.getByRole('navigation').first()).not.toHaveAttribute('inert')
    await page.reload()
    await expect(cards(page, say.mail)).toHaveCount(2)
    await expect(page.locator('.react-flow__edge')).toHaveCount(4)
  })
})

/** Lines that run through a card, by a look at every few pixels of them. */
const crossings = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const boxes = [...document.querySelectorAll('.react-flow__node')].map((card) => card.getBoundingClientRect())
    return [...document.querySelectorAll<SVGPathElement>('.react-flow__edge-path')].flatMap((path) => {
      const place = path.getScreenCTM() ?? undefined
      for (let at = 0; at <= path.getTotalLength(); at += 4) {
        const { x, y } = path.getPointAtLength(at).matrixTransform(place)
        if (boxes.some((box) => x > box.left + 1 && x < box.right - 1 && y > box.top + 1 && y < box.bottom - 1))
          return [path.id]
      }
      return []
    })
  })

/** More than any page has places for the focus. */
const MANY = 120

async function tabTo(page: Page, place: Locator): Promise<void> {
  for (let left = MANY; left > 0; left--) {
    if (await place.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(place).toBeFocused()
}
async function moveTo(page: Page, item: Locator): Promise<void> {
  for (let left = MANY; left > 0; left--) {
    if (await item.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('ArrowDown')
  }
  await expect(item).toBeFocused()
}

/** For the mail step that has the focus; the focus comes back to it. */
async function typeMail(page: Page, name: string): Promise<void> {
  const step = page.locator('.react-flow__node:focus')
  const id = await step.getAttribute('data-id')
  await page.keyboard.press('Enter')
  const picker = panel(page).getByRole('combobox', { name: 'メール', exact: true })
  await expect(picker).toBeFocused()
  await page.keyboard.type(name)
  // The search has answered: nothing else fits the name.
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(picker).toHaveValue(name)
  await page.keyboard.press('Escape')
  await expect(page.locator(`.react-flow__node[data-id="${id}"]`)).toBeFocused()
}
