import { reviewCampaign } from '@okaeri/contract/campaigns/routes'
import * as components from '@okaeri/contract/emails/component-routes'
import * as endpoints from '@okaeri/contract/emails/routes'
import { KEPT_VERSIONS } from '@okaeri/contract/emails/version'
import * as versions from '@okaeri/contract/emails/version-routes'
import { describe, expect, test } from 'vitest'
import { aCampaign } from '../../../test/builders/campaign.ts'
import { anEmail } from '../../../test/builders/email.ts'
import { GOOD_HTML } from '../../../test/fixtures.ts'
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
    await okaeri.query`delete from email_versions where merchant_id = ${merchant.id} and email_id = ${email.id}`
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

  test('of another email, or of none, are not found', async () => {
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

  test('in two tabs is overwritten by neither before that was said', async () => {
    const email = await create()
    const tab = (writer: string, subject: string, more: { seen_at?: string; takes_over?: boolean } = {}) =>
      merchant.call(versions.keepEmailDraft, {
        params: { id: email.id },
        body: { fields: { subject }, began_at: email.updated_at, writer, ...more },
      })
    const subject = async () => (await find(email.id))?.fields.subject
    await tab('first-tab', 'あ')
    await tab('first-tab', 'ああ')
    // The second was opened before anything was kept.
    expect(await refusal(tab('second-tab', 'い'))).toMatchObject({ status: 409, reason: 'draft_of_another_tab' })
    expect(await subject()).toBe('ああ')
    // Opened again it was shown what there is, and goes on from that.
    okaeri.advance(1_000)
    await tab('third-tab', 'ああう', { seen_at: (await find(email.id))?.saved_at ?? '' })
    expect(await refusal(tab('first-tab', 'あああ'))).toMatchObject({ reason: 'draft_of_another_tab' })
    await tab('first-tab', 'あああ', { takes_over: true })
    expect(await subject()).toBe('あああ')
    // One that went on from what there was, and saved at once, leaves nothing of it behind.
    const seen_at = (await find(email.id))?.saved_at ?? ''
    await merchant.call(versions.deleteEmailDraft, {
      params: { id: email.id },
      query: { writer: 'fourth-tab', seen_at },
    })
    expect(await find(email.id)).toBeNull()
    await tab('first-tab', 'あああ')
    // One that saved, or left, takes nothing of the other's along.
    await merchant.call(versions.deleteEmailDraft, { params: { id: email.id }, query: { writer: 'third-tab' } })
    expect(await subject()).toBe('あああ')
    await merchant.call(versions.deleteEmailDraft, { params: { id: email.id }, query: { writer: 'first-tab' } })
    expect(await find(email.id)).toBeNull()
  })

  test('into an email, or into a component that stands in it, is said in the review of its campaign', async () => {
    const component = async (name: string, content: string) =>
      (await merchant.call(components.createEmailComponent, { body: { name, content } })).email_component
    const inner = await component('営業時間', '<p>10時から</p>')
    const outer = await component('フッター', `<hr>${inner.tag}`)
    const email = await anEmail(merchant, { content: GOOD_HTML.replace('</body>', `${outer.tag}</body>`) })
    const campaign = await aCampaign(merchant, { email_id: email.id })
    const unsaved = async (call = merchant.call) =>
      (await call(reviewCampaign, { params: { id: campaign.id } })).review.unsaved.map(({ kind, name }) => [kind, name])
    const type = (id: string, content: string) =>
      merchant.call(components.keepEmailComponentDraft, {
        params: { id },
        body: { fields: { content }, began_at: inner.updated_at },
      })
    expect(await unsaved()).toEqual([])
    await keep(email.id, { subject: '書きかけ' }, email.updated_at)
    await type(inner.id, '<p>11時から</p>')
    expect(await unsaved()).toEqual([
      ['email', email.name],
      ['component', '営業時間'],
    ])
    // Typed back, it is what is saved; and what the other editor kept is offered by none.
    await keep(email.id, { subject: email.subject }, email.updated_at)
    await type(inner.id, inner.content)
    expect(await unsaved()).toEqual([])
    await keep(email.id, { design: '{}' }, email.updated_at)
    expect(await unsaved()).toEqual([])
    const { draft } = await merchant.call(components.getEmailComponentDraft, { params: { id: inner.id } })
    expect(draft).toMatchObject({ fields: { content: inner.content }, is_behind: false })
    await merchant.call(components.deleteEmailComponentDraft, { params: { id: inner.id } })
    expect((await merchant.call(components.getEmailComponentDraft, { params: { id: inner.id } })).draft).toBeNull()
  })

  test('of an email that is not there is not kept', async () => {
    expect(await refusal(keep(newId(), {}, new Date().toISOString()))).toMatchObject({ status: 404 })
  })
})
