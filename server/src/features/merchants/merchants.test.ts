import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { changeMember, changeSettings, getSettings } from '@okaeri/contract/merchants/routes'
import type { TestOkaeri } from '../../../test/harness.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { scopeIn } from '../../kernel/merchant-scope.ts'
import { newId } from '../../kernel/ids.ts'
import { putConfirmation } from './confirmation-queries.ts'
import { createMerchant, findSignIn, getMerchant, senderDomainIsPublic, setPlan } from './index.ts'

withOkaeri()

const put = (merchant: Awaited<ReturnType<TestOkaeri['merchant']>>, userSetting: object) =>
  merchant.call(changeSettings, { body: { userSetting } })

describe('settings', () => {
  test('are answered with the member, the plan and the store', async () => {
    const merchant = await okaeri.merchant()
    const reply = await merchant.call(getSettings, {})
    expect(reply).toMatchObject({
      userSetting: { site_name: 'テスト商店', timezone: 'Asia/Tokyo', sending_hours: { enabled: false } },
      user: { id: merchant.memberId, role: 'owner' },
      plan: { code: 'standard', status: 'active', trial_ends_at: null },
      store: null,
      sender_domain_custom: true,
    })
  })

  test('show of the addresses that were asked the newest, and of wishes to sign in by another one’s own alone', async () => {
    const merchant = await okaeri.merchant()
    const scope = merchant.scope()
    const { db } = okaeri.context
    await sql`insert into address_confirmations (merchant_id, id, purpose, email, email_key, asked_at, expires_at, confirmed_at)
      select ${merchant.id}, gen_random_uuid(), 'sender', 'old' || n || '@a.test', 'old' || n || '@a.test', now() - interval '9 days',
        now(), now() from generate_series(1, 500) n`.execute(db)
    const later = { asked_at: new Date(), expires_at: new Date(Date.now() + 60_000) }
    const ask = (purpose: 'sender' | 'sign_in', email: string, member_id: string) =>
      putConfirmation(scope, { purpose, email, email_key: email, member_id, ...later })
    await ask('sender', 'new@a.test', merchant.memberId)
    await ask('sign_in', 'mine@a.test', merchant.memberId)
    await ask('sign_in', 'theirs@a.test', newId())
    const { confirmations } = await merchant.call(getSettings, {})
    const emails = confirmations.map(({ email }) => email)
    expect(emails).toEqual(expect.arrayContaining(['new@a.test', 'mine@a.test']))
    expect(emails).not.toContain('theirs@a.test')
  })

  test('change only where they are named', async () => {
    const merchant = await okaeri.merchant()
    const before = await merchant.call(getSettings, {})
    const after = await put(merchant, { site_name: '  お店  ' })
    expect(after.userSetting).toEqual({ ...before.userSetting, site_name: 'お店' })
    const hours = { enabled: true, start: '21:00', end: '08:00', exclude_post_purchase: false }
    expect((await put(merchant, { sending_hours: hours })).userSetting.sending_hours).toEqual(hours)
    expect((await put(merchant, {})).userSetting.site_name).toBe('お店')
    expect((await put(merchant, { reply_to: null })).userSetting.reply_to).toBeNull()
    const staff = { staff_email: 'a@shop.test', staff_phone: '０３－１２３４－５６７８' }
    expect((await put(merchant, staff)).userSetting).toMatchObject({ ...staff, staff_phone: '03-1234-5678' })
  })

  test('are changed all together or not at all', async () => {
    const merchant = await okaeri.merchant()
    await expect(put(merchant, { site_name: '新', sender_email: 'a@gmail.com' })).rejects.toMatchObject({
      status: 400,
      reason: 'sender_domain_public',
      fields: { 'userSetting.sender_email': 'public_mail_domain' },
    })
    expect((await merchant.call(getSettings, {})).userSetting.site_name).toBe('テスト商店')
  })

  test.each([
    [{ site_name: '' }, 'site_name', 'required'],
    [{ sender_name: 'a\r\nBcc: x@y.jp' }, 'sender_name', 'control_characters'],
    [{ sender_email: 'no' }, 'sender_email', 'not_an_email'],
    [{ timezone: 'Mars/Olympus' }, 'timezone', 'not_a_timezone'],
    [{ test_emails: ['a@b.jp', 'x'] }, 'test_emails.1', 'not_an_email'],
    [{ plan: 'pro' }, 'plan', 'unknown_field'],
    [
      { sending_hours: { enabled: true, start: '9:00', end: '10:00', exclude_post_purchase: true } },
      'sending_hours.start',
      'invalid',
    ],
    [
      { sending_hours: { enabled: true, start: '09:00', end: '09:00', exclude_post_purchase: true } },
      'sending_hours.end',
      'not_allowed',
    ],
  ])('refuse %j', async (change, field, reason) => {
    const merchant = await okaeri.merchant()
    await expect(put(merchant, change)).rejects.toMatchObject({
      status: 400,
      fields: { [`userSetting.${field}`]: reason },
    })
  })

  test('are a viewer’s to read, not to change', async () => {
    const merchant = await okaeri.merchant()
    await merchant.as('viewer')(getSettings, {})
    await expect(
      merchant.as('viewer')(changeSettings, { body: { userSetting: { site_name: 'x' } } }),
    ).rejects.toMatchObject({ status: 403, reason: 'role_forbids' })
  })

  test('keep the mailer once test mode is off in production', async () => {
    const merchant = await okaeri.merchant()
    await setPlan(merchant.scope(), 'enterprise', { trial: false })
    const { settings } = okaeri.context
    settings.production = true
    try {
      await put(merchant, { test_mode: true })
      await put(merchant, { email_provider: 'domestic' })
      await expect(put(merchant, { test_mode: false, email_provider: 'global' })).resolves.toMatchObject({
        userSetting: { email_provider: 'global', test_mode: false },
      })
      await expect(put(merchant, { email_provider: 'domestic' })).rejects.toMatchObject({
        status: 409,
        reason: 'provider_fixed',
      })
      expect((await put(merchant, { email_provider: 'global', site_name: '店' })).userSetting.site_name).toBe('店')
    } finally {
      settings.production = false
    }
  })

  test('let the mailer be chosen on the enterprise plan only', async () => {
    const merchant = await okaeri.merchant()
    await expect(put(merchant, { email_provider: 'domestic' })).rejects.toMatchObject({
      reason: 'plan_forbids_provider',
    })
    await setPlan(merchant.scope(), 'enterprise', { trial: false })
    expect((await put(merchant, { email_provider: 'domestic' })).userSetting.email_provider).toBe('domestic')
    await setPlan(merchant.scope(), 'pro', { trial: false })
    expect((await merchant.call(getSettings, {})).userSetting.email_provider).toBe('global')
  })

  test('keep each test address once', async () => {
    const merchant = await okaeri.merchant()
    const { userSetting } = await put(merchant, { test_emails: ['a@b.jp', 'A@b.jp', 'c@d.jp'] })
    expect(userSetting.test_emails).toEqual(['a@b.jp', 'c@d.jp'])
  })
})

describe('test mode', () => {
  test('is not left on the test plan, and is left in the trial of a paid plan', async () => {
    const merchant = await okaeri.merchant({ plan: 'test', test_mode: true })
    await expect(put(merchant, { test_mode: false })).rejects.toMatchObject({
      status: 409,
      reason: 'plan_forbids_leaving_test_mode',
    })
    await setPlan(merchant.scope(), 'standard', { trial: true })
    const reply = await put(merchant, { test_mode: false })
    expect(reply.userSetting.test_mode).toBe(false)
    expect(reply.plan.status).toBe('trial')
    okaeri.advance(31 * 86_400_000)
    expect((await merchant.call(getSettings, {})).plan.status).toBe('active')
  })

  test('comes back with the test plan', async () => {
    const merchant = await okaeri.merchant({ test_mode: false })
    await setPlan(merchant.scope(), 'test', { trial: true })
    expect(await merchant.call(getSettings, {})).toMatchObject({
      userSetting: { test_mode: true },
      plan: { code: 'test', status: 'none', trial_ends_at: null },
    })
  })

  test('is not left while the store is under review', async () => {
    const merchant = await okaeri.merchant({ test_mode: true })
    await okaeri.context.db
      .insertInto('store_connections')
      .values({
        merchant_id: merchant.id,
        id: newId(),
        shop_domain: 'r.myshopify.com',
        status: 'connected',
        under_review: true,
        connected_at: okaeri.clock.now(),
      })
      .execute()
    await expect(put(merchant, { test_mode: false })).rejects.toMatchObject({ reason: 'store_under_review' })
  })
})

describe('a member', () => {
  test('changes name and language at once', async () => {
    const merchant = await okaeri.merchant()
    const { user } = await merchant.call(changeMember, { body: { name: '山田', language: 'en' } })
    expect(user).toMatchObject({ name: '山田', language: 'en' })
  })

  test('of a second merchant keeps the first one’s sign-in', async () => {
    const owner = { email: 'agency@shop.test', name: '', passwordHash: null }
    const create = (signIn: 'required' | 'if_free') =>
      okaeri.context.db.transaction().execute(async (transaction) => {
        const scope = scopeIn(okaeri.context, transaction, newId())
        await createMerchant(scope, { siteName: '店', language: 'ja', owner, signIn })
        return scope.merchantId
      })
    const first = await create('required')
    await expect(create('required')).rejects.toMatchObject({ reason: 'email_taken' })
    const second = await create('if_free')
    expect(second).not.toBe(first)
    expect((await findSignIn(okaeri.context, owner.email))?.merchant_id).toBe(first)
    const { merchantScope } = await import('../../kernel/merchant-scope.ts')
    expect(await getMerchant(merchantScope(okaeri.context, second))).toMatchObject({
      plan: 'test',
      test_mode: true,
      test_emails: [owner.email],
    })
  })
})

test('public mail services are known by name, family and subdomain', () => {
  for (const email of [
    'a@gmail.com',
    'a@docomo.ne.jp',
    'a@YAHOO.co.jp',
    'a@hotmail.fr',
    'a@x.ocn.ne.jp',
    'a@live.com.au',
    'a@goo.jp',
    'a@line.me',
  ])
    expect(senderDomainIsPublic(email), email).toBe(true)
  for (const email of [
    '',
    'a@okaeri-store.test',
    'a@mygmail.com',
    'a@gmail.com.shop.jp',
    'a@yahoo-fans.jp',
    'a@shop.co.jp',
  ])
    expect(senderDomainIsPublic(email), email).toBe(false)
})
