import * as contract from '@okaeri/contract/scenarios/routes'
import { deleteEmail } from '@okaeri/contract/emails/routes'
import { ApiError, type CallInput } from '@okaeri/contract/client'
import type { Endpoint, EndpointTypes } from '@okaeri/contract/endpoint'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { type FormConditions, type FormValues, NO_CONDITIONS } from '@okaeri/contract/scenarios/scenario'
import { describe, expect, test } from 'vitest'
import { followUp } from '../../../test/every-endpoint.ts'
import { GOOD_HTML } from '../../../test/fixtures.ts'
import type { TestMerchant } from '../../../test/harness.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { granted } from '../../../test/scenarios.ts'
import { aScenario } from '../../../test/builders/scenario.ts'
import { anEmail } from '../../../test/builders/email.ts'
import { templates } from '../flows/templates/index.ts'

withOkaeri()

async function shop({
  plan = 'pro',
  scopes = 'read_customers,write_discounts',
} = {}): Promise<{ merchant: TestMerchant; emailId: string }> {
  const merchant = await okaeri.merchant()
  await okaeri.query`update merchants set plan = ${plan}, trial_ends_at = null where id = ${merchant.id}`
  await okaeri.query`insert into store_connections (merchant_id, id, shop_domain, status, scopes, connected_at)
    values (${merchant.id}, gen_random_uuid(), ${`${merchant.id}.myshopify.com`}, 'connected', ${scopes}, ${okaeri.clock.now()})`
  const email = await anEmail(merchant, { name: 'お祝い', subject: 'お誕生日おめでとうございます' })
  return { merchant, emailId: email.id }
}
async function refused<T extends EndpointTypes>(merchant: TestMerchant, endpoint: Endpoint<T>, input: CallInput<T>) {
  const error = await merchant.call(endpoint, input).then(
    () => null,
    (error: unknown) => error,
  )
  if (!(error instanceof ApiError)) throw new Error('it was not refused')
  return { status: error.status, reason: error.reason, fields: error.fields }
}
const begin = (merchant: TestMerchant, template: string, form: Record<string, string | number | boolean | null>) =>
  merchant.call(contract.createScenario, { body: { name: template, template, form } })

describe('creating', () => {
  test('the birthday template has exactly the fields of the specification, and a LINE message beside each email', async () => {
    const { merchant } = await shop()
    const { actiontemplate } = await merchant.call(contract.getActionTemplate, { params: { slug: 'BirthdayAction' } })
    const fields = actiontemplate.schema.filter(({ type }) => type !== 'separator').map(({ slug }) => slug)
    expect(fields.sort()).toEqual(
      'hour dayago dayago_calc email email_line email2 email2_email email2_email_line email2_hours discount discount_ratio discount_limit discount_finish_when_used discount_prefix'
        .split(' ')
        .sort(),
    )
  })

  test('a form makes the flow: coupon, email, and a second email some hours later', async () => {
    const { merchant, emailId } = await shop()
    const { action } = await begin(merchant, 'BirthdayAction', {
      hour: 9,
      dayago: 1,
      dayago_calc: 2,
      email: emailId,
      discount: true,
      discount_ratio: 15,
      discount_limit: 14,
      discount_finish_when_used: true,
      email2: true,
      email2_email: emailId,
      email2_hours: 48,
    })
    expect(action).toMatchObject({ status: 'draft', mode: 'form', template: 'BirthdayAction', problems: [] })
    expect(action.flow).toMatchObject({
      trigger: { kind: 'birthday', days_before: 3, time: '09:00' },
      ends_on: ['coupon_used'],
      start: 'decided',
    })
    expect(action.flow.nodes.map(({ kind, settings }) => [kind, settings])).toEqual([
      ['wait', { wait: { mode: 'for', amount: 2, unit: 'days' } }],
      [
        'issue_coupon',
        {
          coupon: {
            prefix: 'OBK',
            ratio_percent: 15,
            valid_days: 14,
            minimum: { kind: 'none' },
            applies_to: { kind: 'all' },
          },
        },
      ],
      ['send_email', { email_id: emailId, tracking_parameters: null }],
      ['wait', { wait: { mode: 'for', amount: 48, unit: 'hours' } }],
      ['send_email', { email_id: emailId, tracking_parameters: null }],
    ])
  })

  const mailing = templates.filter(
    ({ schema }) => !schema.some(({ type, required }) => type === 'linemessage' && required),
  )
  test.for(mailing.map(({ classname }) => classname))(
    '%s with every option is complete once its emails are selected',
    async (classname) => {
      const { merchant, emailId } = await shop()
      const template = templates.find((each) => each.classname === classname)
      const rows = await okaeri.query<{
        id: string
      }>`insert into segments (merchant_id, id, name, conditions, status, created_at, updated_at)
      values (${merchant.id}, gen_random_uuid(), '上位', '{"type":"condition","id":"c","category":"orders","name":"orders_count","operator":"greater","value":3}', 'calculating', now(), now())
      returning id`
      const form = Object.fromEntries(
        (template?.schema ?? []).flatMap(({ slug, type }): [string, string | boolean | null][] => {
          if (type === 'checkbox') return [[slug, true]]
          if (type === 'emailtemplate') return [[slug, emailId]]
          return type === 'segment' ? [[slug, rows[0]?.id ?? null]] : []
        }),
      )
      const empty = await begin(merchant, classname, {})
      expect(empty.action.problems.map(({ problem }) => problem)).toContain('email_missing')
      const { action } = await begin(merchant, classname, form)
      expect(action.problems).toEqual([])
      await merchant.call(contract.enableScenario, { params: { id: action.id } })
    },
  )

  test('the flow of a form is shown before it is saved, with its problems', async () => {
    // A form needs no higher plan.
    const { merchant, emailId } = await shop({ plan: 'standard' })
    const preview = (slug: string, form: Record<string, string | number | boolean | null>) =>
      merchant.call(contract.previewTemplate, { params: { slug }, body: { form } })
    const { flow, problems } = await preview('BirthdayAction', { hour: 7 })
    expect(flow.trigger).toMatchObject({ kind: 'birthday', time: '07:00' })
    expect(problems.map(({ problem }) => problem)).toEqual(['email_missing'])
    expect((await preview('BirthdayAction', { hour: 7, email: emailId })).problems).toEqual([])
    const input = { params: { slug: 'BirthdayAction' }, body: { form: { hour: 24 } } }
    expect((await refused(merchant, contract.previewTemplate, input)).fields).toEqual({ 'form.hour': 'too_big' })
    const unknown = { params: { slug: 'NoAction' }, body: { form: {} } }
    expect((await refused(merchant, contract.previewTemplate, unknown)).status).toBe(404)
    expect((await merchant.call(contract.listScenarios, {})).total).toBe(0)
  })

  test('the form says how often a customer can enter, whatever is selected; the same email does not come twice', async () => {
    const { merchant } = await shop({ plan: 'standard' })
    const ofForm = async (slug: string, form: Record<string, number> = {}) => {
      const conditions = { ...NO_CONDITIONS, reentry: { mode: 'always' as const } }
      const preview = await merchant.call(contract.previewTemplate, { params: { slug }, body: { form, conditions } })
      expect(preview.flow.reentry).toEqual({ mode: 'always' })
      return preview.template_reentry
    }
    expect(await ofForm('PurchaseFollowUpAction')).toEqual({ mode: 'when_none_runs' })
    expect(await ofForm('CartAbandonmentAction')).toEqual({ mode: 'every_days', days: 1 })
    expect(await ofForm('CheckoutAbandonmentAction')).toEqual({ mode: 'every_days', days: 1 })
    expect(await ofForm('FavoriteReminderAction', { quiet_days: 9 })).toEqual({ mode: 'every_days', days: 9 })
  })

  test('a value out of range, of an unknown field, or of the wrong type is named', async () => {
    const { merchant } = await shop()
    const answer = await refused(merchant, contract.createScenario, {
      body: {
        name: '誕生日',
        template: 'BirthdayAction',
        form: {
          hour: 24,
          dayago: 1.5,
          email: 'x',
          nonsense: 1,
          discount: true,
          discount_prefix: 'ab',
          email2_hours: 0,
        },
      },
    })
    expect(answer).toMatchObject({
      status: 400,
      reason: 'validation',
      fields: {
        'form.hour': 'too_big',
        'form.dayago': 'not_a_number',
        'form.email': 'not_an_id',
        'form.nonsense': 'unknown_field',
        'form.discount_prefix': 'invalid',
      },
    })
  })
})

describe('enabling', () => {
  test('is refused while an email is missing, in the specification’s words, naming the node', async () => {
    const { merchant } = await shop()
    const { action } = await begin(merchant, 'BirthdayAction', { hour: 9 })
    expect(action.problems).toEqual([{ node_id: 'email', problem: 'email_missing', field: 'settings.email_id' }])
    const answer = await refused(merchant, contract.enableScenario, { params: { id: action.id } })
    expect(answer).toMatchObject({
      status: 409,
      reason: 'scenario_incomplete',
      fields: { 'nodes.email.settings.email_id': 'required' },
    })
  })

  test('is refused if the email was deleted or could not be sent; the check of all scenarios then says which', async () => {
    const { merchant, emailId } = await shop()
    const { action } = await begin(merchant, 'WelcomeAction', { email: emailId })
    await merchant.call(contract.enableScenario, { params: { id: action.id } })
    expect(await merchant.call(contract.checkScenarios, {})).toEqual({ has_error: false, actions: [] })
    await okaeri.query`update emails set content = '<p>{{ broken </p>' where merchant_id = ${merchant.id} and id = ${emailId}`
    const unfit = await merchant.call(contract.checkScenarios, {})
    expect(unfit.actions[0]?.problems).toEqual([
      { node_id: 'email', problem: 'email_unfit', field: 'settings.email_id' },
    ])
    await merchant.call(contract.stopScenario, { params: { id: action.id } })
    expect(await refused(merchant, contract.enableScenario, { params: { id: action.id } })).toMatchObject({
      reason: 'scenario_incomplete',
    })
  })

  test('is refused if an email uses a tag this trigger does not fill, unless it tests for it first', async () => {
    const { merchant, emailId } = await shop()
    const { action } = await begin(merchant, 'WelcomeAction', { email: emailId })
    const write = async (content: string): Promise<unknown> => {
      await okaeri.query`update emails set content = ${GOOD_HTML.replace('</p>', `</p>${content}`)}
        where merchant_id = ${merchant.id} and id = ${emailId}`
      return (await merchant.call(contract.getScenario, { params: { id: action.id } })).action.problems
    }
    const lacks = (problem: string) => [{ node_id: 'email', problem, field: 'settings.email_id' }]
    expect(await write('{{ event.order_name }}')).toEqual(lacks('email_lacks_event'))
    expect(await write('{% for line in event.lines %}{{ line.title }}{% endfor %}')).toEqual(lacks('email_lacks_event'))
    expect(await refused(merchant, contract.enableScenario, { params: { id: action.id } })).toMatchObject({
      reason: 'scenario_incomplete',
      fields: { 'nodes.email.settings.email_id': 'not_allowed' },
    })
    expect(await write('{% if event.order_name %}{{ event.order_name }}{% endif %}')).toEqual([])
    expect(await write("{{ event.order_name | default: '-' }}")).toEqual([])
    expect(await write('<a href="https://example.com/discount/[coupon]">x</a>')).toEqual(lacks('email_lacks_coupon'))
    const ordered = await begin(merchant, 'PurchaseFollowUpAction', { email: emailId })
    await write('{{ event.order_name }}')
    const { problems } = (await merchant.call(contract.getScenario, { params: { id: ordered.action.id } })).action
    expect(problems).toEqual([])
  })

  test('is refused if an email uses a coupon that is not issued on every path to it', async () => {
    const { merchant, emailId } = await shop()
    await okaeri.query`update emails set content = ${GOOD_HTML.replace('</p>', '</p><p>{{ coupon.code }}</p>')}
      where merchant_id = ${merchant.id} and id = ${emailId}`
    const without = await begin(merchant, 'BirthdayAction', { hour: 9, email: emailId })
    expect(without.action.problems).toMatchObject([{ node_id: 'email', problem: 'email_lacks_coupon' }])
    const issued = await begin(merchant, 'BirthdayAction', { hour: 9, email: emailId, discount: true })
    expect(issued.action.problems).toEqual([])
  })

  test('is refused while the store has not granted permission for discounts', async () => {
    const { merchant, emailId } = await shop({ scopes: 'read_customers' })
    const { action } = await begin(merchant, 'BirthdayAction', { hour: 9, email: emailId, discount: true })
    expect(action.problems).toEqual([{ node_id: 'coupon', problem: 'coupon_not_granted', field: 'settings.coupon' }])
    const plain = await begin(merchant, 'BirthdayAction', { hour: 9, email: emailId })
    expect(plain.action.problems).toEqual([])
  })

  test('follows the statuses draft, active, stopped, active; a second time is refused', async () => {
    const { merchant, emailId } = await shop()
    const { action } = await begin(merchant, 'WelcomeAction', { email: emailId })
    const params = { id: action.id }
    expect(await refused(merchant, contract.stopScenario, { params })).toMatchObject({ reason: 'scenario_not_active' })
    expect((await merchant.call(contract.enableScenario, { params })).action.status).toBe('active')
    expect(await refused(merchant, contract.enableScenario, { params })).toMatchObject({ reason: 'scenario_is_active' })
    expect(await refused(merchant, contract.deleteScenario, { params })).toMatchObject({ reason: 'scenario_is_active' })
    expect((await merchant.call(contract.stopScenario, { params })).action.status).toBe('stopped')
    expect((await merchant.call(contract.enableScenario, { params })).action.status).toBe('active')
    await merchant.call(contract.stopScenario, { params })
    await merchant.call(contract.deleteScenario, { params })
    expect(await refused(merchant, contract.getScenario, { params })).toMatchObject({ status: 404 })
  })
})

describe('conditions in form mode', () => {
  const conditions = {
    condition: granted,
    reentry: { mode: 'once' },
    coupon: { minimum: { kind: 'subtotal', amount: 5000 }, applies_to: { kind: 'products', ids: [7] } },
  } as const satisfies FormConditions

  test.for(templates.map(({ classname }) => classname))(
    '%s accepts who may enter, how often, and the coupon’s terms, without the plan of the flow editor',
    async (classname) => {
      const { merchant } = await shop({ plan: 'standard' })
      const schema = templates.find((each) => each.classname === classname)?.schema ?? []
      const form: FormValues = schema.some(({ slug }) => slug === 'discount') ? { discount: true } : {}
      const body = { name: classname, template: classname, form, conditions }
      const action = await aScenario(merchant, body)
      expect(action).toMatchObject({
        mode: 'form',
        conditions,
        flow: { condition: granted, reentry: { mode: 'once' } },
      })
      const coupons = action.flow.nodes.flatMap((node) => (node.kind === 'issue_coupon' ? [node.settings.coupon] : []))
      expect(coupons).toEqual('discount' in form ? [expect.objectContaining(conditions.coupon)] : [])
      const params = { slug: classname }
      const preview = await merchant.call(contract.previewTemplate, { params, body: { form, conditions } })
      expect(preview.flow).toEqual(action.flow)
    },
  )

  test('stay when the form is saved or recreated, are copied, and can be reset to the template’s own', async () => {
    const { merchant, emailId } = await shop({ plan: 'standard' })
    const form = { hour: 9, email: emailId }
    const action = await aScenario(merchant, { name: '誕生日', template: 'BirthdayAction', form, conditions })
    const params = { id: action.id }
    const saved = await merchant.call(contract.changeScenario, { params, body: { form: { ...form, hour: 12 } } })
    expect(saved.action).toMatchObject({ conditions, flow: { condition: granted, trigger: { time: '12:00' } } })
    const recreated = await merchant.call(contract.recreateScenario, { params, body: { form } })
    expect(recreated.action).toMatchObject({ conditions, flow: { condition: granted, reentry: { mode: 'once' } } })
    const copy = await merchant.call(contract.duplicateScenario, { params, body: {} })
    expect(copy.action).toMatchObject({ conditions, flow: recreated.action.flow })
    const back = await merchant.call(contract.changeScenario, { params, body: { conditions: NO_CONDITIONS } })
    expect(back.action).toMatchObject({
      form: { hour: 9 },
      flow: { condition: null, reentry: { mode: 'every_days', days: 300 } },
    })
    expect(copy.action.id).not.toBe(action.id)
  })

  test('an invalid one keeps the scenario from being enabled; in the flow editor the flow has its own', async () => {
    const { merchant, emailId } = await shop()
    const action = await aScenario(merchant, {
      name: '誕生日',
      template: 'BirthdayAction',
      form: { email: emailId },
      conditions: { ...conditions, condition: { ...granted, value: 'perhaps' } },
    })
    expect(action.problems).toContainEqual({ node_id: null, problem: 'condition_invalid', field: 'condition' })
    const params = { id: action.id }
    expect((await refused(merchant, contract.enableScenario, { params })).reason).toBe('scenario_incomplete')
    const mended = await merchant.call(contract.changeScenario, { params, body: { conditions } })
    expect(mended.action.problems).toEqual([])
    await merchant.call(contract.saveFlow, { params, body: { flow: mended.action.flow } })
    const { action: inFlow } = await merchant.call(contract.getScenario, { params })
    expect(inFlow).toMatchObject({ mode: 'flow', conditions: null, flow: { condition: granted } })
    expect(await refused(merchant, contract.changeScenario, { params, body: { conditions } })).toMatchObject({
      reason: 'scenario_not_in_form',
    })
  })
})

describe('editing', () => {
  test('makes a new flow in form mode; the same values make no new version', async () => {
    const { merchant, emailId } = await shop()
    const { action } = await begin(merchant, 'WinBackAction', { email: emailId, days: 60 })
    const params = { id: action.id }
    const same = await merchant.call(contract.changeScenario, {
      params,
      body: { form: { ...action.form }, name: '休眠' },
    })
    expect(same.action).toMatchObject({ version: 1, name: '休眠' })
    const other = await merchant.call(contract.changeScenario, {
      params,
      body: { form: { ...action.form, days: 120 } },
    })
    expect(other.action).toMatchObject({ version: 2, trigger: { kind: 'days_without_order', days: 120 } })
  })

  test('a form is recreated from its template; there is no way back from the flow editor', async () => {
    const { merchant, emailId } = await shop()
    const { action } = await begin(merchant, 'WelcomeAction', { email: emailId })
    const params = { id: action.id }
    const again = await merchant.call(contract.recreateScenario, { params, body: { form: { email: emailId } } })
    expect(again.action).toMatchObject({ mode: 'form', version: 1, trigger: { kind: 'consent_given' } })
    const saved = await merchant.call(contract.saveFlow, {
      params,
      body: { flow: followUp(emailId), version_seen: 1 },
    })
    expect(saved).toMatchObject({ version: 2, problems: [] })
    expect((await merchant.call(contract.getScenario, { params })).action).toMatchObject({ mode: 'flow', form: null })
    expect(
      await refused(merchant, contract.changeScenario, { params, body: { form: { email: emailId } } }),
    ).toMatchObject({ status: 409, reason: 'scenario_not_in_form' })
    expect(
      await refused(merchant, contract.recreateScenario, { params, body: { form: { email: emailId } } }),
    ).toMatchObject({ status: 409, reason: 'scenario_not_in_form' })
    expect(await merchant.call(contract.getFlow, { params })).toMatchObject({ version: 2, flow: saved.flow })
  })

  test('does not overwrite what another member saved meanwhile', async () => {
    const { merchant, emailId } = await shop()
    const { action } = await begin(merchant, 'WelcomeAction', { email: emailId })
    const params = { id: action.id }
    await merchant.call(contract.saveFlow, { params, body: { flow: followUp(emailId), version_seen: 1 } })
    expect(
      await refused(merchant, contract.saveFlow, { params, body: { flow: action.flow, version_seen: 1 } }),
    ).toMatchObject({ status: 409, reason: 'scenario_changed_meanwhile' })
  })

  test('a draft may be incomplete; an active scenario accepts only a complete flow', async () => {
    const { merchant, emailId } = await shop()
    const { action } = await begin(merchant, 'WelcomeAction', { email: emailId })
    const params = { id: action.id }
    const incomplete: Flow = { ...followUp(emailId), start: null }
    expect((await merchant.call(contract.saveFlow, { params, body: { flow: incomplete } })).problems).toContainEqual({
      node_id: null,
      problem: 'no_start',
      field: 'start',
    })
    await merchant.call(contract.saveFlow, { params, body: { flow: followUp(emailId) } })
    await merchant.call(contract.enableScenario, { params })
    expect(await refused(merchant, contract.saveFlow, { params, body: { flow: incomplete } })).toMatchObject({
      reason: 'scenario_incomplete',
    })
    expect((await merchant.call(contract.getFlow, { params })).version).toBe(3)
  })

  test('too many nodes are refused, and links to unknown nodes are named', async () => {
    const { merchant, emailId } = await shop()
    const { action } = await begin(merchant, 'WelcomeAction', { email: emailId })
    const [wait] = followUp(emailId).nodes
    if (!wait) throw new Error('a follow-up waits')
    const nodes = Array.from({ length: 1000 }, (_, index) => ({ ...wait, id: `n${index}` }))
    const answer = await refused(merchant, contract.saveFlow, {
      params: { id: action.id },
      body: { flow: { ...followUp(emailId), nodes } },
    })
    expect(answer).toMatchObject({ status: 400, fields: { 'flow.nodes': 'too_long' } })
  })

  test('the flow editor needs a higher plan than standard, except in a trial', async () => {
    const { merchant, emailId } = await shop({ plan: 'standard' })
    const { action } = await begin(merchant, 'WelcomeAction', { email: emailId })
    const save = { params: { id: action.id }, body: { flow: followUp(emailId) } }
    expect(await refused(merchant, contract.saveFlow, save)).toMatchObject({
      status: 403,
      reason: 'plan_forbids_flow_editor',
    })
    await okaeri.query`update merchants set trial_ends_at = ${new Date(okaeri.clock.now().getTime() + 86_400_000)} where id = ${merchant.id}`
    await merchant.call(contract.saveFlow, save)
  })
})

test('a copy has the same settings and flow, and is a draft', async () => {
  const { merchant, emailId } = await shop()
  const { action } = await begin(merchant, 'WelcomeAction', { email: emailId })
  const params = { id: action.id }
  await merchant.call(contract.changeScenario, { params, body: { holdout_percent: 10, priority: 'always' } })
  await merchant.call(contract.enableScenario, { params })
  const copy = await merchant.call(contract.duplicateScenario, { params })
  expect(copy.action).toMatchObject({
    name: 'WelcomeActionのコピー',
    status: 'draft',
    mode: 'form',
    holdout_percent: 10,
    priority: 'always',
    flow: action.flow,
    version: 1,
  })
  const english = await merchant.call(contract.duplicateScenario, { params, body: { language: 'en' } })
  expect(english.action.name).toBe('Copy of WelcomeAction')
})

test('an email used by a scenario cannot be deleted', async () => {
  const { merchant, emailId } = await shop()
  await begin(merchant, 'WelcomeAction', { email: emailId })
  expect(await refused(merchant, deleteEmail, { params: { id: emailId } })).toMatchObject({ status: 409 })
})
