import { createEmail } from '@okaeri/contract/emails/routes'
import { isAddressConfirmed } from '@okaeri/contract/merchants/confirmation'
import { getSettings } from '@okaeri/contract/merchants/routes'
import { deleteSender, MAX_SENDERS, putSender } from '@okaeri/contract/merchants/senders'
import { expect, test } from 'vitest'
import { aReservedCampaign } from '../../../test/builders/campaign.ts'
import { addCustomers, confirmAddresses, GOOD_HTML } from '../../../test/fixtures.ts'
import { refusal } from '../../../test/refusal.ts'
import { eachWithMerchant, EMPTY, merchant, okaeri, sandbox, withSandbox } from '../../../test/with-okaeri.ts'
import { confirmDomain } from './index.ts'

withSandbox({ seed: EMPTY })
eachWithMerchant()

const put = (sender: { name: string; email: string; reply_to?: string | null }) =>
  merchant.call(putSender, { body: { sender: { reply_to: null, ...sender } } })
const isConfirmed = async (email: string): Promise<boolean> =>
  isAddressConfirmed((await merchant.call(getSettings, {})).confirmations, 'sender', email)

test('an email from a saved sender has its address, and answers go where that sender says', async () => {
  await put({ name: '花屋', email: 'flowers@shop.test', reply_to: 'florist@shop.test' })
  await confirmAddresses(merchant.scope(), 'flowers@shop.test')
  await addCustomers(merchant.scope(), [{ email: 'reader@reader.test' }])
  const body = { name: 'x', subject: '花', content: GOOD_HTML, from_email: 'flowers@shop.test' }
  const { email } = await merchant.call(createEmail, { body })
  await aReservedCampaign(merchant, { send_type: 'immediate', email_id: email.id })
  await okaeri.settle()
  const [mail] = sandbox.mailbox.list({ to: 'reader@reader.test' })
  const { headers } = await sandbox.mailbox.read(mail?.id ?? 0)
  const header = (name: string) => headers.find(({ name: one }) => one.toLowerCase() === name)?.value
  expect(mail?.from).toContain('flowers@shop.test')
  expect(mail?.from).toContain('花屋')
  expect(header('reply-to')).toContain('florist@shop.test')
})

test('the owner of a new sender’s address is asked, unless its domain is verified', async () => {
  await put({ name: '花屋', email: 'flowers@flowers.test' })
  await okaeri.settle()
  expect(await isConfirmed('flowers@flowers.test')).toBe(false)
  expect(sandbox.mailbox.list({ to: 'flowers@flowers.test' })).toHaveLength(1)
  await confirmDomain(merchant.scope(), 'tea.test')
  await put({ name: '茶屋', email: 'news@tea.test' })
  await okaeri.settle()
  expect(await isConfirmed('news@tea.test')).toBe(true)
  expect(sandbox.mailbox.list({ to: 'news@tea.test' })).toHaveLength(0)
})

test('the same address twice is one sender, with what was said last; public mail services are refused', async () => {
  await put({ name: '花屋', email: 'flowers@shop.test' })
  const { senders } = await put({ name: '花', email: 'Flowers@shop.test', reply_to: 'a@shop.test' })
  expect(senders).toMatchObject([{ name: '花', email: 'Flowers@shop.test', reply_to: 'a@shop.test' }])
  expect(await refusal(put({ name: 'x', email: 'x@gmail.com' }))).toMatchObject({ reason: 'sender_domain_public' })
  const params = { id: senders[0]?.id ?? '' }
  expect((await merchant.call(deleteSender, { params })).senders).toEqual([])
  expect(await refusal(merchant.call(deleteSender, { params }))).toMatchObject({ status: 404 })
})

test('there are so many senders at most, also when they are added at once', async () => {
  await confirmDomain(merchant.scope(), 'tea.test')
  const added = await Promise.allSettled(
    Array.from({ length: MAX_SENDERS + 3 }, (_, at) => put({ name: 'x', email: `s${at}@tea.test` })),
  )
  expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX_SENDERS)
  expect((await merchant.call(getSettings, {})).senders).toHaveLength(MAX_SENDERS)
})
