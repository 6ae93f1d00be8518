import { ErrorBody, type FieldReason } from '@okaeri/contract/errors'
import { describe, expect, test } from 'vitest'
import { FORM_TYPE, JSON_TYPE, sendRaw, withWorld } from './raw-requests.ts'

withWorld()

describe('each wrong field is named with what is wrong', () => {
  const leaf = (change: object) => ({
    name: 'x',
    conditions: {
      type: 'group',
      id: 'g',
      operator: 'and',
      children: [
        { type: 'condition', id: 'r', category: 'customer', name: 'email', operator: 'equals', value: 'a', ...change },
      ],
    },
  })
  const setting = (change: object) => ({ userSetting: change })
  const email = (change: object) => ({ name: 'n', subject: 's', ...change })
  const cases: [call: string, given: unknown, fields: Record<string, FieldReason>][] = [
    ['POST /users', {}, { email: 'required', password: 'required', site_name: 'required', agreement: 'required' }],
    ['POST /users', undefined, { body: 'required' }],
    ['POST /users', [], { body: 'not_an_object' }],
    [
      'POST /users',
      { email: 'a@', password: 'short', site_name: ' ', agreement: false, language: 'fr', name: 5 },
      {
        email: 'not_an_email',
        password: 'too_short',
        site_name: 'required',
        agreement: 'required',
        language: 'not_allowed',
        name: 'not_a_text',
      },
    ],
    [
      'POST /users',
      { email: 5, password: 5, site_name: [], agreement: true },
      { email: 'not_an_email', password: 'not_a_text', site_name: 'not_a_text' },
    ],
    ['POST /api/auth/login', {}, { email: 'required', password: 'required' }],
    ['POST /api/auth/login', { email: 'a@b.jp', password: '' }, { password: 'required' }],
    ['POST /api/auth/login', { email: 'a@b.jp', password: 'x', remember: 'yes' }, { remember: 'not_a_boolean' }],
    ['POST /customers', {}, { email: 'required' }],
    ['POST /customers', { email: 'a b@c.jp' }, { email: 'not_an_email' }],
    ['POST /customers', { email: '山田@example.jp' }, { email: 'not_an_email' }],
    ['POST /customers', { email: 'a@b.jp', phone: 'call me' }, { phone: 'not_a_phone' }],
    ['POST /customers', { email: 'a@b.jp', tags: 'x' }, { tags: 'not_a_list' }],
    ['POST /customers', { email: 'a@b.jp', tags: ['ok', 5, ''] }, { 'tags.1': 'not_a_text', 'tags.2': 'required' }],
    ['POST /customers', { email: 'a@b.jp', first_name: 'x'.repeat(101) }, { first_name: 'too_long' }],
    ['POST /customers', { email: 'a@b.jp', first_name: 'a\nb' }, { first_name: 'control_characters' }],
    [
      'POST /customers',
      { email: 'a@b.jp', last_name: '\udc00', tags: ['\ud800'] },
      { last_name: 'invalid', 'tags.0': 'invalid' },
    ],
    [
      'POST /customers',
      { email: 'a@b.jp', nick: 1, constructor: 2 },
      Object.fromEntries(['nick', 'constructor'].map((key) => [key, 'unknown_field' as const])),
    ],
    ['POST /emails', { name: '', subject: 'x'.repeat(201) }, { name: 'required', subject: 'too_long' }],
    ['POST /emails', email({ subject: 'a\r\nBcc: v@example.jp' }), { subject: 'control_characters' }],
    ['POST /emails', email({ from_name: 'a\u2028b' }), { from_name: 'control_characters' }],
    ['POST /emails', email({ subject: '\ud800' }), { subject: 'invalid' }],
    ['POST /emails', email({ content: 5 }), { content: 'not_a_text' }],
    ['POST /emails', email({ content: '{% if %}' }), { content: 'template_syntax' }],
    ['POST /emails', email({ from_email: 'shop@gmail.com' }), { from_email: 'public_mail_domain' }],
    ['POST /campaigns', { name: 'n', scheduled_at: 'tomorrow' }, { scheduled_at: 'not_a_date' }],
    ['POST /campaigns', { name: 'n', scheduled_at: '2020-01-01T00:00:00Z' }, { scheduled_at: 'in_past' }],
    ['POST /campaigns', { name: 'n', scheduled_at: '9999-12-31T23:59:59-23:00' }, { scheduled_at: 'not_a_date' }],
    [
      'POST /campaigns',
      { name: 'n', email_id: 'x', customer_segment_id: 5 },
      { email_id: 'not_an_id', customer_segment_id: 'not_an_id' },
    ],
    ['POST /campaigns', { name: 'n', email_id: '01890000-0000-7000-8000-000000000000' }, { email_id: 'not_found' }],
    ['POST /campaigns', { name: 'n', send_type: 'never' }, { send_type: 'not_allowed' }],
    ['POST /campaigns', { name: 'n', send_to_all: 'yes' }, { send_to_all: 'not_a_boolean' }],
    ['POST /campaigns', { name: 'n', tracking_parameters: 5 }, { tracking_parameters: 'not_an_object' }],
    [
      'POST /campaigns',
      { name: 'n', tracking_parameters: { source: 5, content: 'x' } },
      { 'tracking_parameters.source': 'not_a_text', 'tracking_parameters.content': 'unknown_field' },
    ],
    ['PUT /user/me/settings', {}, { userSetting: 'required' }],
    ['PUT /user/me/settings', setting({ timezone: 'Asia/Nowhere' }), { 'userSetting.timezone': 'not_a_timezone' }],
    ['PUT /user/me/settings', setting({ frequency_cap_count: 0 }), { 'userSetting.frequency_cap_count': 'too_small' }],
    ['PUT /user/me/settings', setting({ frequency_cap_days: 91 }), { 'userSetting.frequency_cap_days': 'too_big' }],
    ['PUT /user/me/settings', setting({ attribution_days: 0 }), { 'userSetting.attribution_days': 'too_small' }],
    ['PUT /user/me/settings', setting({ attribution_days: 31 }), { 'userSetting.attribution_days': 'too_big' }],
    ['PUT /user/me/settings', setting({ attribution_days: '5' }), { 'userSetting.attribution_days': 'not_a_number' }],
    [
      'PUT /user/me/settings',
      setting({ test_emails: ['a@b.jp', 'x'] }),
      { 'userSetting.test_emails.1': 'not_an_email' },
    ],
    [
      'PUT /user/me/settings',
      setting({ test_emails: Array(11).fill('a@b.jp') }),
      { 'userSetting.test_emails': 'too_long' },
    ],
    [
      'PUT /user/me/settings',
      setting({ sending_hours: { enabled: 1, start: '25:00', end: '08:00' } }),
      {
        'userSetting.sending_hours.enabled': 'not_a_boolean',
        'userSetting.sending_hours.start': 'invalid',
        'userSetting.sending_hours.exclude_post_purchase': 'required',
      },
    ],
    ['PUT /user/change_password', { current_password: 'x', password: 'short' }, { password: 'too_short' }],
    ['POST /customer_segments', { name: 'x' }, { conditions: 'required' }],
    ['POST /customer_segments', { name: 'x', conditions: {} }, { 'conditions.type': 'required' }],
    ['POST /customer_segments', { name: 'x', conditions: 5 }, { conditions: 'not_allowed' }],
    ['POST /customer_segments', leaf({ operator: 'greater' }), { 'conditions.children.0.operator': 'not_allowed' }],
    ['POST /customer_segments', leaf({ name: 'nope' }), { 'conditions.children.0.name': 'unknown_field' }],
    ['POST /customer_segments', leaf({ value: '' }), { 'conditions.children.0.value': 'required' }],
    ['POST /oauth/token', {}, { grant_type: 'required' }],
    ['POST /oauth/token', { grant_type: 'magic' }, { grant_type: 'not_allowed' }],
    ['POST /oauth/token', { grant_type: 'password' }, { username: 'required', password: 'required' }],
    ['POST /oauth/token-refresh', {}, { refresh_token: 'required' }],
    ['GET /campaigns?limit=0', undefined, { limit: 'too_small' }],
    ['GET /campaigns?limit=201', undefined, { limit: 'too_big' }],
    ['GET /campaigns?limit=many', undefined, { limit: 'not_a_number' }],
    ['GET /campaigns?offset=-1', undefined, { offset: 'too_small' }],
    ['GET /campaigns?offset=99999999999', undefined, { offset: 'too_big' }],
    ['GET /campaigns?status=asleep&sort=colour', undefined, { status: 'not_allowed', sort: 'not_allowed' }],
    ['GET /campaigns?q=a&q=b', undefined, { q: 'not_a_text' }],
    ['GET /customers/check', undefined, { email: 'required' }],
    ['GET /stats/day', undefined, { date: 'required' }],
    ['GET /stats/day?date=2026-02-30', undefined, { date: 'not_a_date' }],
    ['GET /emailhistories?email_id=x', undefined, { email_id: 'not_an_id' }],
  ]
  test.for(cases)('%s %j', async ([call, given, fields]) => {
    const [method = '', path = ''] = call.split(' ')
    const isForm = path.startsWith('/oauth')
    const answer = await sendRaw({
      what: call,
      method,
      path,
      headers: given === undefined ? {} : { 'content-type': isForm ? FORM_TYPE : JSON_TYPE },
      ...(given === undefined
        ? {}
        : { body: isForm ? new URLSearchParams(given as Record<string, string>).toString() : JSON.stringify(given) }),
    })
    expect([answer.status, ErrorBody.parse(answer.json).error.fields]).toEqual([400, fields])
  })
})
