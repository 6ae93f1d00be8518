import { getSettings } from '@okaeri/contract/merchants/routes'
import { getDashboard } from '@okaeri/contract/reports/routes'
import type { DomainRecordKind, SenderDomain } from '@okaeri/contract/sender-domains/domain'
import * as routes from '@okaeri/contract/sender-domains/routes'
import { beforeEach, expect, test } from 'vitest'
import { refusal } from '../../../test/refusal.ts'
import type { TestMerchant } from '../../../test/harness.ts'
import { eachWithMerchant, EMPTY, merchant, okaeri, sandbox, withSandbox } from '../../../test/with-okaeri.ts'
import { createKeyring } from '../../kernel/keyring.ts'
import { generateSecrets } from '../../kernel/secrets-file.ts'
import { unconfirmedOf } from '../merchants/index.ts'
import { reencryptDkimKeys } from './index.ts'

withSandbox({ seed: EMPTY, env: { SPF_MECHANISM: 'include:spf.mail.example' } })
eachWithMerchant()
beforeEach(() => sandbox.zone.clear())

const MINUTE = 60_000
const DAY = 86_400_000

const add = async (name: string, of: TestMerchant = merchant): Promise<SenderDomain> =>
  (await of.call(routes.addSenderDomain, { body: { sender_domain: { name } } })).sender_domain
const check = (domain?: string, of: TestMerchant = merchant) => of.call(routes.checkSenderDomain, { body: { domain } })
const now = async (of: TestMerchant = merchant): Promise<SenderDomain> =>
  (await of.call(routes.listSenderDomains, {})).sender_domains[0] as SenderDomain
const record = ({ records }: SenderDomain, kind: DomainRecordKind) => records.find((one) => one.kind === kind)
function publish(domain: SenderDomain, ...kinds: DomainRecordKind[]): void {
  for (const { kind, type, name, expected } of domain.records)
    if (kinds.includes(kind) && expected) sandbox.zone.add({ name, type, value: expected })
}
function withdraw(domain: SenderDomain, kind: DomainRecordKind): void {
  sandbox.zone.clear(record(domain, kind)?.name ?? '')
}
async function aVerifiedDomain(name = 'shop.test'): Promise<SenderDomain> {
  const domain = await add(name)
  publish(domain, 'ownership', 'dkim', 'spf', 'dmarc')
  return (await check(name)).sender_domain
}
const isConfirmed = async (email: string, of = merchant): Promise<boolean> =>
  (await unconfirmedOf(of.scope(), 'sender', [email])).length === 0
/** Moves the clock, and does what is due then. */
async function later(ms: number): Promise<void> {
  okaeri.advance(ms)
  await okaeri.settle()
}

test('a domain is verified once its proof and its key are published; then all its addresses may be sent from', async () => {
  const domain = await add('Shop.TEST.')
  expect(domain).toMatchObject({ name: 'shop.test', status: 'pending', checked_at: null })
  expect(record(domain, 'dkim')?.expected).toMatch(/^v=DKIM1; k=rsa; p=MII[\w+/]{380,}=*$/)
  expect(record(domain, 'dkim')?.name).toMatch(/^okaeri[0-9a-f]{12}\._domainkey\.shop\.test$/)
  publish(domain, 'dkim')
  expect(await check()).toMatchObject({ result: 'failure', sender_domain: { status: 'pending' } })
  expect(await isConfirmed('anyone@shop.test')).toBe(false)
  publish(domain, 'ownership')
  expect(await check('shop.test')).toMatchObject({ result: 'success', sender_domain: { status: 'verified' } })
  expect(await isConfirmed('anyone@shop.test')).toBe(true)
  expect(await isConfirmed('anyone@other.test')).toBe(false)
  expect(await isConfirmed('anyone@sub.shop.test')).toBe(false)
  expect((await merchant.call(getSettings, {})).sender_domain_status).toBe('verified')
})

test('each record says what is there and what should be, as it stands', async () => {
  const domain = await add('mail.shop.test')
  sandbox.zone.add({ name: 'mail.shop.test', type: 'TXT', value: 'v=spf1 mx -all' })
  sandbox.zone.add({ name: '_dmarc.shop.test', type: 'TXT', value: 'v=DMARC1; p=reject; sp=quarantine' })
  sandbox.zone.add({ name: 'mail.shop.test', type: 'MX', value: '10 mx.shop.test' })
  const dkim = record(domain, 'dkim')
  sandbox.zone.add({ name: dkim?.name ?? '', type: 'TXT', value: dkim?.expected?.slice(0, 255) ?? '' })
  const proof = record(domain, 'ownership')
  sandbox.zone.add({ name: `${proof?.name}.mail.shop.test`, type: 'TXT', value: proof?.expected ?? '' })
  const { sender_domain: checked } = await check('mail.shop.test')
  expect(checked.status).toBe('pending')
  expect(checked.records).toMatchObject([
    { kind: 'ownership', state: 'wrong', note: 'name_doubled' },
    { kind: 'dkim', state: 'wrong', note: 'cut_off' },
    { kind: 'spf', state: 'wrong', note: 'not_included', expected: 'v=spf1 include:spf.mail.example mx -all' },
    { kind: 'dmarc', state: 'found', note: 'policy_quarantine', name: '_dmarc.shop.test' },
    { kind: 'mx', state: 'found', found: ['mx.shop.test'] },
  ])
})

test('DNS that answers wrong, in a circle or with 4 kB is said record by record, and is no failure of ours', async () => {
  const domain = await add('strange.test')
  sandbox.zone.add({ name: 'strange.test', type: 'CNAME', value: 'strange.test' })
  sandbox.zone.add({ name: record(domain, 'dkim')?.name ?? '', type: 'TXT', value: `v=DKIM1; p=${'A'.repeat(4090)}` })
  sandbox.zone.add({ name: '_okaeri.strange.test', type: 'TXT', value: 'okaeri-verification=\u0007\u001b[31mred' })
  const { result, sender_domain: checked } = await check('strange.test')
  expect(result).toBe('failure')
  expect(record(checked, 'spf')).toMatchObject({ state: 'unanswered', note: 'servfail' })
  expect(record(checked, 'dkim')).toMatchObject({ state: 'wrong', note: 'other_value' })
  expect(record(checked, 'ownership')?.found).toEqual(['okaeri-verification=??[31mred'])
  for (const name of ['refused.test', 'x.servfail.test']) {
    await add(name)
    const { records } = (await check(name)).sender_domain
    expect(new Set(records.map(({ state }) => state))).toEqual(new Set(['unanswered']))
  }
})

test('a record reached over a chain of CNAME counts', async () => {
  const domain = await add('chain.test')
  const dkim = record(domain, 'dkim')
  publish(domain, 'ownership')
  sandbox.zone.add({ name: dkim?.name ?? '', type: 'CNAME', value: 'a.provider.test' })
  sandbox.zone.add({ name: 'a.provider.test', type: 'CNAME', value: 'b.provider.test' })
  sandbox.zone.add({ name: 'b.provider.test', type: 'TXT', value: dkim?.expected ?? '' })
  expect((await check('chain.test')).result).toBe('success')
})

test('what is pending is looked up again by itself, often at first', async () => {
  const domain = await add('shop.test')
  await later(6 * MINUTE)
  expect((await now()).checked_at).not.toBeNull()
  publish(domain, 'ownership', 'dkim')
  await later(12 * MINUTE)
  expect((await now()).status).toBe('verified')
  const before = Date.parse((await now()).checked_at ?? '')
  await later(23 * 3_600_000)
  expect(Date.parse((await now()).checked_at ?? '')).toBe(before)
  await later(4 * 3_600_000)
  expect(Date.parse((await now()).checked_at ?? '')).toBeGreaterThan(before)
})

test('a record that goes away is believed at the second look, mailed once, and after three days the domain is lost', async () => {
  sandbox.mailbox.clear()
  const domain = await aVerifiedDomain()
  withdraw(domain, 'dkim')
  await later(27 * 3_600_000)
  expect(await now()).toMatchObject({ status: 'verified', warns: false })
  // Pressed again at once: the same answer out of a name server's memory proves nothing.
  await check('shop.test')
  expect(await now()).toMatchObject({ status: 'verified', warns: false })
  await later(17 * MINUTE)
  expect(await now()).toMatchObject({ status: 'failing', warns: true })
  const { alerts } = await merchant.call(getDashboard, { query: {} })
  expect(alerts).toContain('sender_domain_failing')
  const warnings = () => sandbox.mailbox.list({ to: `${merchant.id}@shop.test` })
  expect(warnings()).toMatchObject([{ subject: expect.stringContaining('shop.test') }])
  expect((await sandbox.mailbox.read(warnings()[0]?.id ?? 0)).text).toContain(record(domain, 'dkim')?.name)
  expect(await isConfirmed('anyone@shop.test')).toBe(true)
  await later(2 * DAY)
  expect(warnings()).toHaveLength(1)
  await later(DAY + 2 * 3_600_000)
  expect((await now()).status).toBe('lost')
  expect(await isConfirmed('anyone@shop.test')).toBe(false)
  publish(domain, 'dkim')
  expect((await check('shop.test')).result).toBe('success')
  expect(await isConfirmed('anyone@shop.test')).toBe(true)
})

test('what only helps is warned of too, and the domain stays verified; as soon as it is back there is no warning', async () => {
  const domain = await aVerifiedDomain()
  withdraw(domain, 'spf')
  await later(27 * 3_600_000)
  await later(17 * MINUTE)
  expect(await now()).toMatchObject({ status: 'verified', warns: true })
  publish(domain, 'spf')
  await check('shop.test')
  expect(await now()).toMatchObject({ status: 'verified', warns: false })
})

test('name servers that give no answer take nothing away', async () => {
  const domain = await aVerifiedDomain()
  const { records, checked_at } = domain
  await okaeri.context.db
    .updateTable('sender_domains')
    .set({ name: 'servfail.shop.test' })
    .where('merchant_id', '=', merchant.id)
    .execute()
  for (const ms of [27 * 3_600_000, 3 * 3_600_000, 3 * 3_600_000]) await later(ms)
  const after = await now()
  expect(Date.parse(after.checked_at ?? '')).toBeGreaterThan(Date.parse(checked_at ?? ''))
  expect(after).toMatchObject({ status: 'verified', warns: false })
  expect(records.every(({ state }) => state !== 'unanswered')).toBe(true)
  expect(record(after, 'dkim')?.state).toBe('unanswered')
})

test('one merchant’s proof is not another’s', async () => {
  await aVerifiedDomain()
  const other = await okaeri.merchant()
  const theirs = await add('shop.test', other)
  expect(await check('shop.test', other)).toMatchObject({ result: 'failure' })
  expect(record(await now(other), 'ownership')).toMatchObject({ state: 'wrong', note: 'other_value' })
  expect(record(theirs, 'dkim')?.name).not.toBe(record(await now(), 'dkim')?.name)
  expect(await isConfirmed('anyone@shop.test', other)).toBe(false)
  publish(theirs, 'ownership', 'dkim')
  expect((await check('shop.test', other)).result).toBe('success')
  expect((await check('shop.test')).result).toBe('success')
})

test('a domain that was never verified gets no second key beside its first', async () => {
  const domain = await add('shop.test')
  expect(await refusal(merchant.call(routes.rotateSenderDomainKey, { params: { id: domain.id } }))).toMatchObject({
    status: 409,
    reason: 'sender_domain_pending',
  })
  expect(record(await now(), 'dkim')?.name).toBe(record(domain, 'dkim')?.name)
  expect(record(await now(), 'dkim_next')).toBeUndefined()
})

test('the next key signs once its record is found; the former one’s record is asked for until a day that is said', async () => {
  const domain = await aVerifiedDomain()
  const rotate = () => merchant.call(routes.rotateSenderDomainKey, { params: { id: domain.id } })
  const { sender_domain: waiting } = await rotate()
  const next = record(waiting, 'dkim_next')
  expect(next).toMatchObject({ state: 'unchecked', required: false })
  expect(next?.name).not.toBe(record(domain, 'dkim')?.name)
  expect(record((await rotate()).sender_domain, 'dkim_next')?.name).toBe(next?.name)
  expect(record((await check('shop.test')).sender_domain, 'dkim')?.name).toBe(record(domain, 'dkim')?.name)
  publish(waiting, 'dkim_next')
  const { sender_domain: rotated } = await check('shop.test')
  expect(rotated).toMatchObject({ status: 'verified', former_selectors: [{ name: record(domain, 'dkim')?.name }] })
  expect(record(rotated, 'dkim')).toMatchObject({ name: next?.name, state: 'found' })
  expect(record(rotated, 'dkim_next')).toBeUndefined()
  const keys = () =>
    okaeri.context.db
      .selectFrom('sender_domain_keys')
      .select(['state', 'private_key'])
      .where('merchant_id', '=', merchant.id)
      .orderBy('state')
      .execute()
  expect(await keys()).toEqual([
    { state: 'active', private_key: expect.stringMatching(/^v1\./) },
    { state: 'former', private_key: null },
  ])
  withdraw(domain, 'dkim')
  for (let days = 0; days < 8; days += 1) await later(DAY + 3 * 3_600_000)
  expect(await now()).toMatchObject({ status: 'verified', warns: false, former_selectors: [] })
  expect(await keys()).toHaveLength(1)
})

test.each([
  ['co.jp', 'not_a_domain'],
  ['localhost', 'not_a_domain'],
  ['127.0.0.1', 'not_a_domain'],
  ['shop', 'not_a_domain'],
  ['a..b', 'not_a_domain'],
  ['_dmarc.shop.jp', 'not_a_domain'],
  ['shop.jp/x', 'not_a_domain'],
  [`${'a.'.repeat(110)}jp`, 'not_a_domain'],
  ['gmail.com', 'public_mail_domain'],
  ['mail.yahoo.co.jp', 'public_mail_domain'],
])('%s is refused as a sender domain: %s', async (name, reason) => {
  expect(await refusal(add(name))).toMatchObject({ fields: { 'sender_domain.name': reason } })
})

test('a name of another script is kept as DNS writes it, and shown both ways', async () => {
  expect(await add('おかえり.test')).toMatchObject({ name: 'xn--r8jdd7w.test', unicode_name: 'おかえり.test' })
  // A Cyrillic a that looks like a Latin one.
  expect(await add('shоp.test')).toMatchObject({ name: expect.stringMatching(/^xn--/), unicode_name: 'shоp.test' })
})

test('only an owner adds, rotates and deletes; a marketer looks up; the same domain twice is one, and ten are the most', async () => {
  const domain = await add('shop.test')
  const params = { id: domain.id }
  const marketer = merchant.as('marketer')
  expect(
    await refusal(marketer(routes.addSenderDomain, { body: { sender_domain: { name: 'b.test' } } })),
  ).toMatchObject({ status: 403 })
  expect(await refusal(marketer(routes.rotateSenderDomainKey, { params }))).toMatchObject({ status: 403 })
  expect(await refusal(marketer(routes.deleteSenderDomain, { params }))).toMatchObject({ status: 403 })
  expect((await marketer(routes.checkSenderDomain, { body: { domain: 'shop.test' } })).result).toBe('failure')
  expect(await refusal(merchant.as('viewer')(routes.checkSenderDomain, { body: {} }))).toMatchObject({ status: 403 })
  expect((await add('shop.test')).id).toBe(domain.id)
  await Promise.all(Array.from({ length: 9 }, (_, at) => add(`shop${at}.test`)))
  expect(await refusal(add('eleventh.test'))).toMatchObject({ reason: 'too_many_sender_domains' })
  expect(await refusal(check('unknown.test'))).toMatchObject({ status: 404 })
})

test('deleting a domain takes its addresses back, unless they were confirmed by themselves', async () => {
  const domain = await aVerifiedDomain()
  await merchant.call(routes.deleteSenderDomain, { params: { id: domain.id } })
  expect(await isConfirmed('anyone@shop.test')).toBe(false)
  expect(await isConfirmed('shop@shop.test')).toBe(true)
  const rows = await okaeri.query`select from sender_domain_keys where merchant_id = ${merchant.id}`
  expect(rows).toHaveLength(0)
})

test('keys are encrypted again when the secrets are rotated', async () => {
  await add('shop.test')
  const { db } = okaeri.context
  await db.deleteFrom('sender_domain_keys').where('merchant_id', '<>', merchant.id).execute()
  const secrets = generateSecrets()
  await db
    .updateTable('sender_domain_keys')
    .set({ private_key: createKeyring(secrets).encrypt('of before') })
    .execute()
  const [newer] = generateSecrets().encryption_keys
  const keyring = createKeyring({
    ...secrets,
    encryption_keys: [...secrets.encryption_keys, { id: 'k2', key: newer?.key ?? '' }],
  })
  expect(await reencryptDkimKeys({ ...okaeri.context, keyring })).toBe(1)
  expect(await reencryptDkimKeys({ ...okaeri.context, keyring })).toBe(0)
  const { private_key: sealed } = await db
    .selectFrom('sender_domain_keys')
    .select('private_key')
    .executeTakeFirstOrThrow()
  expect(keyring.decrypt(sealed ?? '')).toBe('of before')
})
