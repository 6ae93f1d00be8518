import * as endpoints from '@okaeri/contract/emails/routes'
import { KEPT_VERSIONS } from '@okaeri/contract/emails/version'
import * as versions from '@okaeri/contract/emails/version-routes'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { refusal } from '../../../test/refusal.ts'
import { EMPTY, merchant, okaeri, withSandboxStore } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'

withSandboxStore({ seed: EMPTY, connected: false })

const create = async (given: Record<string, unknown> = {}) =>
  (
    await merchant.call(endpoints.createEmail, {
      body: { name: '便り', subject: '一', content: '<p>一</p>', ...given },
    })
  ).email
const change = async (id: string, body: Record<string, unknown>) => {
  okaeri.advance(1_000)
  return (await merchant.call(endpoints.changeEmail, { params: { id }, body })).email
}
const list = async (id: string) => (await merchant.call(versions.listEmailVersions, { params: { id } })).versions
const restore = async (id: string, version_id: string) => {
  okaeri.advance(1_000)
  return (await merchant.call(versions.restoreEmailVersion, { params: { id, version_id } })).email
}

describe('the versions of an email', () => {
  test('are kept at each save that changes what it says, with who and when', async () => {
    const email = await create()
    await change(email.id, { content: '<p>二</p>' })
    await change(email.id, { name: '別の名前' })
    await change(email.id, { subject: '三' })
    const kept = await list(email.id)
    expect(kept.map(({ subject, is_current }) => [subject, is_current])).toEqual([
      ['三', true],
      ['一', false],
      ['一', false],
    ])
    expect(kept[0]?.saved_by).toBe(`${merchant.id}@shop.test`)
    const { version } = await merchant.call(versions.getEmailVersion, {
      params: { id: email.id, version_id: kept[2]?.id ?? '' },
    })
    expect(version.content).toBe('<p>一</p>')
  })

  test('are brought back, which is a version again', async () => {
    const email = await create()
    await change(email.id, { content: '<p>二</p>', subject: '二' })
    const [, first] = await list(email.id)
    expect(await restore(email.id, first?.id ?? '')).toMatchObject({ subject: '一', content: '<p>一</p>' })
    const [, second] = await list(email.id)
    expect((await restore(email.id, second?.id ?? '')).subject).toBe('二')
    expect(await list(email.id)).toHaveLength(4)
  })

  test('made of blocks come back with them, also after the email became HTML', async () => {
    const email = await create({ content: undefined, type: 'VISUAL' })
    await change(email.id, { design: null })
    await change(email.id, { content: '<p>手書き</p>' })
    const kept = await list(email.id)
    expect(kept.map(({ type }) => type)).toEqual(['HTML', 'HTML', 'VISUAL'])
    expect(await restore(email.id, kept[2]?.id ?? '')).toMatchObject({ type: 'VISUAL', design: email.design })
    expect(await restore(email.id, kept[0]?.id ?? '')).toMatchObject({ type: 'HTML', content: '<p>手書き</p>' })
  })

  test('of an email from before are begun with what it said then', async () => {
    const email = await create()
    await sql`delete from email_versions where merchant_id = ${merchant.id} and email_id = ${email.id}`.execute(
      okaeri.context.db,
    )
    await change(email.id, { content: '<p>二</p>' })
    expect((await list(email.id)).map(({ saved_by }) => saved_by)).toEqual([`${merchant.id}@shop.test`, null])
  })

  test('are not kept without end', async () => {
    const email = await create()
    for (let at = 0; at < KEPT_VERSIONS + 3; at += 1) await change(email.id, { subject: `${at}` })
    const kept = await list(email.id)
    expect(kept).toHaveLength(KEPT_VERSIONS)
    expect(kept[0]?.subject).toBe(String(KEPT_VERSIONS + 2))
  })

  test('that are another email’s, or nobody’s, are not found', async () => {
    const [email, other] = [await create(), await create()]
    const [foreign] = await list(other.id)
    for (const version_id of [foreign?.id ?? '', newId()])
      expect(await refusal(restore(email.id, version_id))).toMatchObject({ status: 404 })
  })
})

describe('what was typed and not saved', () => {
  const keep = (id: string, fields: Record<string, string>, began_at: string) =>
    merchant.call(versions.keepEmailDraft, { params: { id }, body: { fields, began_at } })
  const find = async (id: string) => (await merchant.call(versions.getEmailDraft, { params: { id } })).draft

  test('is kept for the member alone, and says whether the email was saved since', async () => {
    const email = await create()
    await keep(email.id, { subject: '書きかけ' }, email.updated_at)
    await keep(email.id, { subject: '書きかけの件名', content: '' }, email.updated_at)
    expect(await find(email.id)).toMatchObject({ fields: { subject: '書きかけの件名', content: '' }, is_behind: false })
    expect((await merchant.call(endpoints.getEmail, { params: { id: email.id } })).email.subject).toBe('一')
    await change(email.id, { subject: '二' })
    expect(await find(email.id)).toMatchObject({ is_behind: true })
    await merchant.call(versions.deleteEmailDraft, { params: { id: email.id } })
    expect(await find(email.id)).toBeNull()
  })

  test('is forgotten after a month', async () => {
    const email = await create()
    await keep(email.id, { subject: '書きかけ' }, email.updated_at)
    okaeri.advance(31 * 86_400_000)
    expect(await find(email.id)).toBeNull()
  })

  test('of an email that is not there is not kept', async () => {
    expect(await refusal(keep(newId(), {}, new Date().toISOString()))).toMatchObject({ status: 404 })
  })
})
