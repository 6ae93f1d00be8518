import pg from 'pg'
import { environment } from '../addresses.ts'
import { beSignedIn, operate, speak } from './account.ts'
import { expect, test } from './journey.ts'
import { mailsTo, settle } from './outside-world.ts'
import { confirmSending, draftCampaign, waitUntilUndoIsOver, writeEmail } from './sending.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')

test('while all sending is on hold every page says so, before anything is sent as after', async ({ page, request }) => {
  const once = Date.now().toString(36)
  const email = `秋の便り ${once}`
  const title = t('shell.sendingHeld.title')
  await speak(page, 'ja')
  await beSignedIn(page)
  await writeEmail(page, t, { name: email, subject: email, text: '涼しくなりました。' })
  await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
  await expect(page.getByText(t('emails.editor.saved'), { exact: true })).toBeVisible()
  await draftCampaign(page, t, { name: `秋のお知らせ ${once}`, segment: null, email })

  await holdAsAfterARestore()
  await page.reload()
  await expect(page.getByRole('alert').filter({ hasText: t('shell.sendingHeld.short') })).toBeVisible()
  // Beside the button too: on a phone the top of the page is far away.
  const send = page.getByRole('button', { name: t('campaigns.review.sendTest') })
  await expect(page.getByRole('status').filter({ hasText: t('campaigns.review.wait.sending_held') })).toBeVisible()
  await expect(page.getByText(t('campaigns.review.startsNow'))).toBeHidden()
  await send.click()
  await confirmSending(page, t)
  await expect(page.getByText(t('campaigns.review.started'), { exact: true })).toBeVisible()
  await waitUntilUndoIsOver(page)
  await settle(request)
  await page.reload()
  await expect(page.getByText(t('campaigns.wait.sending_held'))).toBeVisible()

  await page.getByRole('link', { name: t('shell.sendingHeld.more') }).click()
  await expect(page.getByRole('heading', { name: t('dashboard.title'), level: 1 })).toBeVisible()
  const [first] = await page.getByRole('main').getByRole('alert').allInnerTexts()
  for (const key of ['because.restored', 'who', 'safe'] as const) expect(first).toContain(t(`shell.sendingHeld.${key}`))

  // The stores of other journeys stand beside: some of them are closed, and are never compared.
  expect(await operate('release-sending', '--known', '--without-stores')).not.toBe('')
  await settle(request)
  await page.reload()
  await expect(page.getByRole('heading', { name: t('dashboard.title'), level: 1 })).toBeVisible()
  await expect(page.getByText(title)).toBeHidden()
  expect((await mailsTo(request, 'demo@okaeri.test')).filter(({ subject }) => subject.includes(email))).not.toEqual([])
})

/** What a worker writes that finds an older database than its journals. */
async function holdAsAfterARestore(): Promise<void> {
  const client = new pg.Client({ connectionString: environment.DATABASE_URL })
  await client.connect()
  try {
    await client.query(`update ledger_state set held_since = now(), held_because = 'restored'`)
  } finally {
    await client.end()
  }
}
