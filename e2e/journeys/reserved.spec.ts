import type { Page } from '@playwright/test'
import { beReadyToSend, speak } from './account.ts'
import { expect, test } from './journey.ts'
import { addToStore, allowMail, mailsTo, moveTheClock, readTheClock, settle } from './outside-world.ts'
import { draftCampaign, makeTagSegment, sendNow, waitUntilSent, writeEmail } from './sending.ts'
import { wordsIn } from './words.ts'

const HOUR_MS = 3_600_000
const t = wordsIn('ja')

test('a campaign says whom the frequency cap keeps out, before it is sent; a scheduled one reaches who gives permission meanwhile', async ({
  page,
  request,
}) => {
  const once = Date.now().toString(36)
  const shop = `okaeri-e2e-${once}.myshopify.com`
  const addressOf = (who: string) => `${who}-${once}@customer.test`
  const inCircle = (who: string, email_state: 'SUBSCRIBED' | 'NOT_SUBSCRIBED') =>
    addToStore(request, shop, {
      first_name: who,
      last_name: '森',
      email: addressOf(who),
      tags: ['circle'],
      email_state,
    })
  await speak(page, 'ja')
  await inCircle('haru', 'SUBSCRIBED')
  await inCircle('natsu', 'SUBSCRIBED')
  await inCircle('aki', 'NOT_SUBSCRIBED')
  const owner = { siteName: 'もり書房', email: `owner-${once}@mori.test`, password: 'a long enough one' }
  const api = await beReadyToSend(page, owner, shop)
  await api.put('/user/me/settings', { userSetting: { frequency_cap_count: 1, frequency_cap_days: 7 } })
  await makeTagSegment(page, t, { name: '会員', tag: 'circle', people: 3 })
  await writeEmail(page, t, { name: '新刊', subject: '新刊のお知らせ', text: '新刊が届きました。' })
  await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
  await expect(page.getByText(t('emails.editor.saved'), { exact: true })).toBeVisible()

  await test.step('The first campaign reaches all who may be mailed', async () => {
    await draftCampaign(page, t, { name: '一通目', segment: '会員', email: '新刊' })
    await sendNow(page, t, 2)
    await waitUntilSent(page, t)
  })

  await test.step('The review of the second counts whom the cap keeps out; the number that is confirmed is the number that leaves', async () => {
    await inCircle('fuyu', 'SUBSCRIBED')
    await settle(request)
    await draftCampaign(page, t, { name: '二通目', segment: '会員', email: '新刊' })
    const reach = page.getByRole('region', { name: t('campaigns.review.willReach'), exact: true })
    await expect(reach.getByText(t('campaigns.review.people', { count: 1, n: 1 }), { exact: true })).toBeVisible()
    const capped = reach.getByRole('row').filter({ hasText: t('campaigns.review.reason.frequency_cap') })
    await expect(capped).toHaveText(/2$/)
    await sendNow(page, t, 1)
    await waitUntilSent(page, t)
    await expect(row(page, addressOf('haru'))).toContainText(t('deliveries.skip.frequency_cap'))
    for (const who of ['haru', 'natsu', 'fuyu']) expect(await mailsTo(request, addressOf(who)), who).toHaveLength(1)
  })

  await test.step('Who gives permission after a campaign was scheduled is sent it too', async () => {
    await api.put('/user/me/settings', { userSetting: { frequency_cap_count: null } })
    const { data } = await api.get<{ data: { email: { id: string }; customer_segment_id: string }[] }>('/campaigns')
    const like = data[0]
    if (!like) throw new Error('unreachable')
    const at = (await readTheClock(request)).getTime() + HOUR_MS
    const { campaign } = await api.post<{ campaign: { id: string } }>('/campaigns', {
      name: '三通目',
      email_id: like.email.id,
      segment_type: 'own',
      customer_segment_id: like.customer_segment_id,
      send_type: 'scheduled',
      scheduled_at: new Date(at).toISOString(),
    })
    await page.goto(`campaigns/${campaign.id}/review`)
    await expect(page.getByText(t('campaigns.review.cancelUntil'))).toBeVisible()
    const inHaste = await page.context().newPage()
    await inHaste.clock.setFixedTime(new Date(at - 10 * 60_000))
    await inHaste.goto(`campaigns/${campaign.id}/review`)
    await expect(inHaste.getByText(t('campaigns.review.cannotCancel'))).toBeVisible()
    await inHaste.close()
    await page.getByRole('button', { name: /^3人への配信を.*に予約する$/ }).click()
    const dialog = page.getByRole('dialog', { name: t('campaigns.sendDialog.titleLater') })
    for (const box of await dialog.getByRole('checkbox').all()) await box.check()
    await dialog.getByRole('button', { name: t('campaigns.sendDialog.confirmLater'), exact: true }).click()
    await expect(page.getByText(t('campaigns.review.reserved'), { exact: true })).toBeVisible()
    await settle(request)
    await allowMail(request, shop, addressOf('aki'))
    await settle(request)
    await moveTheClock(request, HOUR_MS)
    await page.goto(`campaigns/${campaign.id}`)
    await expect(row(page, addressOf('aki'))).toContainText(t('deliveries.status.sent'))
    for (const who of ['haru', 'natsu', 'fuyu']) expect(await mailsTo(request, addressOf(who)), who).toHaveLength(2)
    expect(await mailsTo(request, addressOf('aki'))).toHaveLength(1)
  })
})

const row = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email })
