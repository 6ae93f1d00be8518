import { expect, test } from 'vitest'
import { tokenOf } from './every-endpoint.ts'
import { okaeri, withOkaeri } from './with-okaeri.ts'

withOkaeri()

/** What people link to by its name, with the rest of a body that is taken. */
const named: [path: string, field: string, body: object][] = [
  ['/campaigns', 'name', {}],
  ['/emails', 'name', { subject: 'x' }],
  ['/email_components', 'name', {}],
  ['/actions', 'name', { template: 'BirthdayAction', form: {} }],
  ['/messages/line', 'name', { messages: [{ type: 'text', text: 'x' }], quick_replies: [] }],
  ['/customers/views', 'name', { search: {} }],
  ['/customer_metafield_settings', 'name', { key: 'a.b', namespace_type: 'custom', value_type: 'number_integer' }],
  ['/users', 'site_name', { email: 'someone@example.jp', password: 'a long enough one', agreement: true }],
]
const unseen = ['\u200b', ' \u2060 ', '\u3164', '\u2800\u2800', '\u202e', '\ufe0f']

test('a name of characters no one sees is refused: in a list it would be a link no one finds', async () => {
  const merchant = await okaeri.merchant()
  const make = async (path: string, body: object) => {
    const answer = await fetch(`${okaeri.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${tokenOf(merchant)}` },
      body: JSON.stringify(body),
    })
    return { status: answer.status, said: (await answer.json()) as { error?: { fields?: object } } }
  }
  for (const [path, field, rest] of named) {
    for (const name of unseen) {
      const { status, said } = await make(path, { ...rest, [field]: name })
      expect([path, status, said.error?.fields]).toEqual([path, 400, { [field]: 'required' }])
    }
    const { status } = await make(path, { ...rest, [field]: '👩‍👩‍👧‍👦 \u202eשלום' })
    expect([path, status]).toEqual([path, 201])
  }
})
