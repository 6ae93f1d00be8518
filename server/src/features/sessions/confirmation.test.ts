import { randomUUID } from 'node:crypto'
import { createClient } from '@okaeri/contract/client'
import { createEmail, testSendEmail } from '@okaeri/contract/emails/routes'
import { confirmAddress, getConfirmation, requestConfirmation } from '@okaeri/contract/merchants/confirmation'
import { changeMember, changeSettings, getSettings } from '@okaeri/contract/merchants/routes'
import * as routes from '@okaeri/contract/sessions/routes'
import { captcha } from '@okaeri/contract/system/routes'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { expect, test } from 'vitest'
import { addCustomers, addEmail, confirmAddresses } from '../../../test/fixtures.ts'
import { type Call } from '../../../test/harness.ts'
import { EMPTY, okaeri, sandbox, withSandbox } from '../../../test/with-okaeri.ts'
import { refusal } from '../../../test/refusal.ts'
import { merchantScope } from '../../kernel/merchant-scope.ts'
import { sendTestMail } from '../channels/index.ts'
import { confirmEverywhere } from '../merchants/index.ts'

const PASSWORD = 'correct horse battery'
withSandbox({ seed: EMPTY, env: { TEST_MAILS_PER_DAY: '6' } })

const newEmail = () => `${randomUUID()}@shop.test`
interface Account {
  email: string
  id: string
  memberId: string
  call: Call
}
async function signUp(more: object = {}): Promise<Account> {
  const email = newEmail()
  const { user, access_token } = await okaeri.call(routes.signUp, {
    body: { email, password: PASSWORD, site_name: '花の店', agreement: true, language: 'en', ...more },
  })
  return { email, id: user.merchant_id, memberId: user.id, call: as(access_token) }
}
const as = (token: string): Call =>
  createClient({ baseUrl: okaeri.url, headers: () => ({ authorization: `Bearer ${token}` }) })
const signIn = (email: string) => okaeri.call(routes.signIn, { body: { email, password: PASSWORD } })
async function mailsTo(address: string): Promise<string[]> {
  await okaeri.settle()
  return Promise.all(
    sandbox.mailbox.list({ to: address }).map(async ({ id }) => JSON.stringify(await sandbox.mailbox.read(id))),
  )
}
/** Of the newest link mailed to the address. */
const tokenMailedTo = async (address: string): Promise<string> =>
  (await mailsTo(address)).flatMap((mail) => /confirm\?token=([\w.-]+)/.exec(mail)?.[1] ?? [])[0] ?? ''
const confirm = async (address: string) =>
  okaeri.call(confirmAddress, { body: { token: await tokenMailedTo(address) } })
async function solved(): Promise<string> {
  const challenge = (await okaeri.call(captcha, {})) as unknown as Challenge
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}
async function writeEmail({ call }: Account, more: object = {}): Promise<string> {
  const body = { name: 'x', subject: 'Buy this', preheader: '', content: '<p>{{ unsubscribe_url }}</p>', ...more }
  return (await call(createEmail, { body })).email.id
}
const sendTest = async ({ call }: Account, id: string, ...emails: string[]) =>
  call(testSendEmail, { params: { id }, body: { emails, captcha: await solved() } })
const ownMails = async (address: string) => (await mailsTo(address)).filter((mail) => mail.includes('Buy this'))
const setting = ({ call }: Account, userSetting: object) => call(changeSettings, { body: { userSetting } })

test('an account sends nothing before its address is confirmed by the mailed link, which looking at does not do', async () => {
  const account = await signUp()
  const id = await writeEmail(account, { from_email: 'news@flower.example' })
  expect(await refusal(sendTest(account, id, account.email))).toMatchObject({
    status: 409,
    reason: 'account_unconfirmed',
  })
  expect(
    await refusal(account.call(requestConfirmation, { body: { purpose: 'test', email: 'victim@x.example' } })),
  ).toMatchObject({ reason: 'account_unconfirmed' })
  await setting(account, { test_emails: ['victim@x.example'], sender_email: 'boss@big.example' })
  expect(await mailsTo('victim@x.example')).toEqual([])
  expect(await mailsTo('boss@big.example')).toEqual([])

  const token = await tokenMailedTo(account.email)
  const looked = await okaeri.call(getConfirmation, { query: { token } })
  expect(looked.confirmation).toMatchObject({ purpose: 'account', email: account.email, confirmed: false })
  expect((await account.call(getSettings, {})).confirmations).toContainEqual(
    expect.objectContaining({ purpose: 'account', status: 'asked' }),
  )
  for (let i = 0; i < 2; i++)
    expect((await okaeri.call(confirmAddress, { body: { token } })).confirmation.confirmed).toBe(true)
  expect((await account.call(getSettings, {})).confirmations).toContainEqual(
    expect.objectContaining({ purpose: 'account', status: 'confirmed' }),
  )
  // What was typed before is asked now, once.
  for (const waiting of ['victim@x.example', 'boss@big.example']) {
    const [mail, ...more] = await mailsTo(waiting)
    expect(mail).toContain('confirm?token=')
    expect(more).toEqual([])
  }
})

test('what waits in the ledger of an unconfirmed account does not leave, and goes out once it is confirmed', async () => {
  const account = await signUp()
  const scope = merchantScope(okaeri.context, account.id, account.memberId)
  const content = {
    emailId: await writeEmail(account),
    subject: 'Buy this',
    preheader: '',
    fromName: 'x',
    replyTo: null,
    html: '<p>x</p>',
  }
  const send = () =>
    sendTestMail(scope, { ...content, fromEmail: account.email }, { addresses: [account.email], customerId: null })
  await send()
  expect(await ownMails(account.email)).toEqual([])
  await confirm(account.email)
  await send()
  expect(await ownMails(account.email)).toHaveLength(1)
  await sendTestMail(
    scope,
    { ...content, fromEmail: 'invented@bank.example' },
    { addresses: [account.email], customerId: null },
  )
  await sendTestMail(
    scope,
    { ...content, fromEmail: account.email },
    { addresses: ['victim@y.example'], customerId: null },
  )
  expect(await ownMails(account.email)).toHaveLength(1)
  expect(await mailsTo('victim@y.example')).toEqual([])
  const rows = await okaeri.query<{
    reason: string
  }>`select reason from deliveries where merchant_id = ${account.id} order by id`
  expect(rows.map(({ reason }) => reason)).toEqual([
    'account_unconfirmed',
    null,
    'sender_unconfirmed',
    'address_unconfirmed',
  ])
})

test('a stranger entered as a test address gets one mail, which says who asks, and nothing else until they agree', async () => {
  const account = await signUp({ site_name: 'Win at https://evil.example/now <b>' })
  await confirm(account.email)
  const victim = `victim.${randomUUID()}@x.example`
  await setting(account, { test_emails: [account.email, victim], sender_email: account.email })
  const [mail, ...more] = await mailsTo(victim)
  expect(more).toEqual([])
  expect(mail).toContain(account.email)
  expect(mail).not.toContain('evil.example')
  const id = await writeEmail(account)
  expect(await refusal(sendTest(account, id, account.email, victim))).toMatchObject({
    status: 400,
    reason: 'test_address_unconfirmed',
    fields: { 'emails.1': 'address_unconfirmed' },
  })
  const scope = merchantScope(okaeri.context, account.id)
  await addCustomers(scope, [{ email: 'customer@z.example' }])
  expect(await ownMails(victim)).toEqual([])
  expect((await account.call(getSettings, {})).confirmations).toContainEqual(
    expect.objectContaining({ purpose: 'test', email: victim, status: 'asked' }),
  )
  await confirm(victim)
  await sendTest(account, id, account.email, victim)
  expect(await ownMails(victim)).toHaveLength(1)
})

test('a sender is confirmed by the owner of the address, in the settings as in an email', async () => {
  const account = await signUp()
  await confirm(account.email)
  const sender = `news.${randomUUID()}@flower.example`
  const id = await writeEmail(account, { from_email: sender })
  expect(await refusal(sendTest(account, id, account.email))).toMatchObject({
    status: 409,
    reason: 'sender_unconfirmed',
  })
  await account.call(requestConfirmation, { body: { purpose: 'sender', email: sender } })
  await confirm(sender)
  await sendTest(account, id, account.email)
  expect(await ownMails(account.email)).toHaveLength(1)
})

test('a link is shown as mailed only once the mail server took it; for a minute it is on its way, and then stuck', async () => {
  const account = await signUp()
  const mailTo = async (purpose: string) =>
    (await account.call(getSettings, {})).confirmations.find((one) => one.purpose === purpose)?.mail
  expect(await mailTo('account')).toBe('under_way')
  await okaeri.query`update address_confirmations set asked_at = asked_at - interval '61 seconds' where merchant_id = ${account.id}`
  expect(await mailTo('account')).toBe('stuck')
  await okaeri.settle()
  expect(await mailTo('account')).toBe('sent')
  await confirm(account.email)
  expect(await mailTo('account')).toBeNull()
  const email = newEmail()
  await account.call(requestConfirmation, { body: { purpose: 'test', email } })
  await okaeri.settle()
  expect(await mailTo('test')).toBe('sent')
  await account.call(requestConfirmation, { body: { purpose: 'test', email } })
  expect(await mailTo('test')).toBe('under_way')
})

test('links are mailed a few times a day only, to one address by however many merchants', async () => {
  const account = await signUp()
  await confirm(account.email)
  const ask = (who: Account, email: string) => who.call(requestConfirmation, { body: { purpose: 'test', email } })
  const victim = `v.${randomUUID()}@x.example`
  for (let i = 0; i < 5; i++) await ask(account, victim)
  expect(await refusal(ask(account, victim.toUpperCase()))).toMatchObject({ status: 429 })
  const another = await signUp()
  await confirm(another.email)
  for (let i = 0; i < 5; i++) await ask(another, victim)
  const third = await signUp()
  await confirm(third.email)
  expect(await refusal(ask(third, victim))).toMatchObject({ status: 429 })
  for (let i = 0; i < 14; i++) await ask(account, `many.${i}.${randomUUID()}@x.example`)
  expect(await refusal(ask(account, newEmail()))).toMatchObject({ status: 429 })
})

test('a stranger’s mailbox gets ten mails a day of all accounts made with its addresses, whatever is asked for', async () => {
  const name = randomUUID()
  const strangers = ['', '+a', '+b', '+c', '+d', '+e'].map((part) => `${name}${part}@stranger.example`)
  const accounts = await Promise.all(strangers.map((email) => signUp({ email })))
  await Promise.all(
    accounts.map(({ call }, n) =>
      Promise.allSettled(
        ['d', 'e', 'f'].map((part) =>
          call(changeMember, { body: { email: `${name}+${n}${part}@stranger.example`, current_password: PASSWORD } }),
        ),
      ),
    ),
  )
  for (const email of strangers.slice(0, 2)) await okaeri.call(routes.requestReset, { body: { email } })
  await okaeri.settle()
  const all = sandbox.mailbox.list().filter(({ to }) => to.some((each) => each.startsWith(name)))
  expect(all.length).toBeGreaterThan(5)
  expect(all.length).toBeLessThanOrEqual(10)
})

test('a link that was changed, or is too old, confirms nothing', async () => {
  const account = await signUp()
  const token = await tokenMailedTo(account.email)
  const [merchantId, id, mac] = token.split('.') as [string, string, string]
  const neighbour = await signUp()
  for (const wrong of [
    `${neighbour.id}.${id}.${mac}`,
    `${merchantId}.${randomUUID()}.${mac}`,
    `${merchantId}.${id}.${mac.replace(/.$/, (last) => (last === '0' ? '1' : '0'))}`,
    'nothing',
  ])
    expect(await refusal(okaeri.call(confirmAddress, { body: { token: wrong } }))).toMatchObject({
      status: 400,
      reason: 'confirmation_link_invalid',
    })
  await okaeri.query`update address_confirmations set expires_at = now() where merchant_id = ${account.id}`
  expect((await refusal(okaeri.call(confirmAddress, { body: { token } }))).reason).toBe('confirmation_link_invalid')
})

test('mails to test addresses are counted for the merchant and day, in the ledger too', async () => {
  const account = await signUp()
  await confirm(account.email)
  await setting(account, { sender_email: account.email })
  const id = await writeEmail(account)
  for (let i = 0; i < 4; i++) await sendTest(account, id, account.email)
  // As if asked by two at the same moment, before either was counted.
  const scope = merchantScope(okaeri.context, account.id, account.memberId)
  const content = {
    emailId: id,
    subject: 'Buy this',
    preheader: '',
    fromName: 'x',
    fromEmail: account.email,
    replyTo: null,
    html: '<p>x</p>',
  }
  for (let i = 0; i < 4; i++) await sendTestMail(scope, content, { addresses: [account.email], customerId: null })
  expect(await ownMails(account.email)).toHaveLength(6)
  expect(await refusal(sendTest(account, id, account.email))).toMatchObject({
    status: 429,
    reason: 'test_mails_used_up',
  })
  const rows =
    await okaeri.query`select 1 from deliveries where merchant_id = ${account.id} and reason = 'test_day_cap'`
  expect(rows).toHaveLength(2)
  okaeri.advance(86_400_000)
  await sendTest(account, id, account.email)
  expect(await ownMails(account.email)).toHaveLength(7)
})

test('a test send counts as the one mail it is, however many test addresses there are', async () => {
  const account = await signUp()
  await confirm(account.email)
  const others = [newEmail(), newEmail()]
  const scope = merchantScope(okaeri.context, account.id, account.memberId)
  await setting(account, { sender_email: account.email, test_emails: [account.email, ...others] })
  await confirmAddresses(scope, ...others)
  const id = await writeEmail(account)
  for (let i = 0; i < 6; i++) await sendTest(account, id, account.email)
  expect(await ownMails(account.email)).toHaveLength(6)
  expect((await refusal(sendTest(account, id, account.email))).reason).toBe('test_mails_used_up')
  // In test mode a mail to another address goes to each of the test addresses: these are three mails.
  okaeri.advance(86_400_000)
  await confirmAddresses(scope, 'else@tests.example')
  for (let i = 0; i < 2; i++) await sendTest(account, id, 'else@tests.example')
  expect(await ownMails(account.email)).toHaveLength(8)
  expect((await refusal(sendTest(account, id, account.email))).reason).toBe('test_mails_used_up')
})

test('the operator confirms without mail, wherever the address waits', async () => {
  const account = await signUp()
  await setting(account, { sender_email: 'news@offline.example', test_emails: ['news@offline.example'] })
  expect((await confirmEverywhere(okaeri.context, account.email.toUpperCase())).map(({ purpose }) => purpose)).toEqual([
    'account',
  ])
  await confirmEverywhere(okaeri.context, 'news@offline.example')
  const { confirmations } = await account.call(getSettings, {})
  expect(confirmations.filter(({ status }) => status !== 'confirmed')).toEqual([])
  expect(await confirmEverywhere(okaeri.context, account.email)).toEqual([])
})

test('a campaign names the sender and the account that are not confirmed, and is not reserved', async () => {
  const account = await signUp()
  const scope = merchantScope(okaeri.context, account.id, account.memberId)
  await setting(account, {
    sender_email: 'news@later.example',
    postal_address: '東京都',
    staff_email: 'a@later.example',
  })
  await addCustomers(scope, [{ email: 'c@z.example' }])
  const emailId = await addEmail(scope)
  const { createCampaign, reserveCampaign, reviewCampaign } = await import('@okaeri/contract/campaigns/routes')
  const { campaign } = await account.call(createCampaign, {
    body: { name: 'x', email_id: emailId, segment_type: 'all', send_type: 'immediate' },
  })
  const review = async () =>
    (await account.call(reviewCampaign, { params: { id: campaign.id } })).review.findings.map(({ code }) => code)
  expect(await review()).toEqual(['sender_unconfirmed', 'account_unconfirmed'])
  expect(await refusal(account.call(reserveCampaign, { params: { id: campaign.id }, body: {} }))).toMatchObject({
    status: 409,
  })
  await confirm(account.email)
  await confirmAddresses(scope)
  expect(await review()).toEqual([])
})

test('another address to sign in by needs the password, is confirmed at the new one, announced at the old one, and ends what the old one could', async () => {
  const account = await signUp()
  await confirm(account.email)
  const elsewhere = await signIn(account.email)
  await okaeri.call(routes.requestReset, { body: { email: account.email } })
  const reset =
    (await mailsTo(account.email)).flatMap((mail) => /reset\?token=([\w.-]+)/.exec(mail)?.[1] ?? [])[0] ?? ''
  const next = `next.${account.email}`
  const change = (body: object) => account.call(changeMember, { body: { email: next, ...body } })
  expect(await refusal(change({}))).toMatchObject({ status: 400, reason: 'wrong_current_password' })
  expect(await refusal(change({ current_password: 'wrong' }))).toMatchObject({ reason: 'wrong_current_password' })
  expect((await change({ current_password: PASSWORD })).user.email).toBe(account.email)
  expect((await mailsTo(account.email)).join()).toContain('Request to change your login email')
  await signIn(account.email)
  expect((await refusal(signIn(next))).reason).toBe('wrong_credentials')

  const token = await tokenMailedTo(next)
  await account.call(confirmAddress, { body: { token } })
  await signIn(next)
  expect((await refusal(signIn(account.email))).reason).toBe('wrong_credentials')
  expect((await mailsTo(account.email)).join()).toContain('was changed')
  expect(
    (await refusal(okaeri.call(routes.setForgottenPassword, { body: { token: reset, password: 'long enough now' } })))
      .reason,
  ).toBe('reset_token_invalid')
  // This browser goes on, the others do not.
  await account.call(getSettings, {})
  expect((await refusal(as(elsewhere.access_token)(getSettings, {}))).status).toBe(401)
  // And back again.
  await account.call(changeMember, { body: { email: account.email, current_password: PASSWORD } })
  await okaeri.call(confirmAddress, { body: { token: await tokenMailedTo(account.email) } })
  await signIn(account.email)
})

test('a change of address ends with another request for one, with a new password, and where someone else was first', async () => {
  const account = await signUp()
  await confirm(account.email)
  const wish = async (email: string) => {
    await account.call(changeMember, { body: { email, current_password: PASSWORD } })
    return tokenMailedTo(email)
  }
  const [first, second, third] = [newEmail(), newEmail(), newEmail()]
  const token = await wish(first)
  const newer = await wish(second)
  const invalid = { status: 400, reason: 'confirmation_link_invalid' }
  expect(await refusal(okaeri.call(confirmAddress, { body: { token } }))).toMatchObject(invalid)
  const { access_token } = await account.call(routes.changePassword, {
    body: { current_password: PASSWORD, password: PASSWORD },
  })
  expect(await refusal(okaeri.call(confirmAddress, { body: { token: newer } }))).toMatchObject(invalid)
  await as(access_token)(changeMember, { body: { email: third, current_password: PASSWORD } })
  const late = await tokenMailedTo(third)
  await okaeri.call(routes.signUp, { body: { email: third, password: PASSWORD, site_name: '店', agreement: true } })
  expect(await refusal(okaeri.call(confirmAddress, { body: { token: late } }))).toMatchObject({ reason: 'email_taken' })
  await signIn(account.email)
})
