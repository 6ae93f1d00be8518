import { expect, test } from './journey.ts'
import { asDemo, beSignedIn, demoEmail, speak } from './account.ts'
import { allMails, letter, openMail, settle } from './outside-world.ts'
import { confirmSending, draftCampaign, MOST_UNDO_SECONDS, waitUntilSent, writeEmail } from './sending.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')

test('in test mode a campaign reaches the test addresses alone, and says for whom it was', async ({
  page,
  request,
}) => {
  const once = Date.now().toString(36)
  const email = `冬の便り ${once}`
  // Long enough for a busy machine to press the button in.
  const demo = await asDemo(request)
  await demo.put('/user/me/settings', { userSetting: { undo_seconds: MOST_UNDO_SECONDS } })
  await speak(page, 'ja')
  await beSignedIn(page)
  await page.goto('')
  await expect(page.getByRole('link', { name: t('shell.testMode.badge') })).toBeVisible()
  await writeEmail(page, t, { name: email, subject: email, text: '寒くなりました。' })
  await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
  await expect(page.getByText(t('emails.editor.saved'), { exact: true })).toBeVisible()

  await draftCampaign(page, t, { name: `冬のお知らせ ${once}`, segment: null, email })
  await expect(page.getByText(t('campaigns.review.testMode')).first()).toBeVisible()
  await expect(page.getByText(demoEmail)).toBeVisible()
  await page.getByRole('button', { name: t('campaigns.review.sendTest') }).click()
  await confirmSending(page, t)
  await expect(page.getByText(t('campaigns.review.started'), { exact: true })).toBeVisible()

  // Taken back: a draft again, on the page it was confirmed on. It can be sent all the same.
  await page.getByRole('button', { name: t('campaigns.undo.do'), exact: true }).click()
  await expect(page.getByText(t('campaigns.undo.done'), { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: t('campaigns.review.title'), level: 1 })).toBeVisible()
  expect(await allMails(request, email)).toEqual([])
  await page.getByRole('button', { name: t('campaigns.review.sendTest') }).click()
  await confirmSending(page, t)
  await expect(page.getByRole('button', { name: t('campaigns.undo.do'), exact: true })).toBeVisible()
  await waitUntilSent(page, t)

  const mails = await allMails(request, email)
  expect(mails.length).toBeGreaterThan(0)
  for (const mail of mails) {
    expect(mail.to).toEqual([demoEmail])
    expect(mail.subject).toMatch(/^\[テスト: \S+@\S+ 宛\] 冬の便り/)
  }
  const [first] = mails
  if (!first) throw new Error('unreachable')
  await openMail(page, first)
  await expect(letter(page).getByText('寒くなりました。')).toBeVisible()
})

test('a test send names an address that is none, goes once however often it is pressed, and says to whom', async ({
  page,
  request,
}) => {
  const subject = `ためしの便り ${Date.now().toString(36)}`
  await speak(page, 'ja')
  await beSignedIn(page)
  await page.goto('')
  await writeEmail(page, t, { name: subject, subject, text: '試し書きです。' })
  await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
  await expect(page.getByText(t('emails.editor.saved'), { exact: true })).toBeVisible()

  await page.getByRole('button', { name: t('emails.testSend'), exact: true }).click()
  const dialog = page.getByRole('dialog', { name: t('emails.test.title') })
  const send = dialog.getByRole('button', { name: t('emails.test.send') })
  const addresses = dialog.getByRole('combobox', { name: t('emails.test.addresses') })
  await addresses.fill('demo@')
  await addresses.press('Enter')
  await send.click()
  await expect(dialog.getByText(/^demo@：/)).toBeVisible()
  await addresses.press('Backspace')

  await dialog.getByRole('checkbox', { name: t('emails.captcha.label') }).click()
  await expect(dialog.getByText(t('emails.captcha.verified'))).toBeVisible()
  await send.dblclick()
  await expect(dialog.getByText(t('emails.test.sent', { count: 1 }))).toBeVisible()
  await expect(dialog.getByRole('status').getByText(demoEmail, { exact: true })).toBeVisible()
  await settle(request)
  expect(await allMails(request, subject)).toHaveLength(1)
})
