import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { Readable } from 'node:stream'
import { ApiError } from '@okaeri/contract/client'
import type { ImportApp, ImportDetail } from '@okaeri/contract/imports/import'
import {
  cancelImport,
  changeImport,
  deleteImport,
  downloadImportErrors,
  getImport,
  listImports,
  startImport,
  uploadImport,
} from '@okaeri/contract/imports/routes'
import { changeCustomer, deleteCustomer } from '@okaeri/contract/customers/routes'
import { sql } from 'kysely'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestOkaeri, type TestMerchant, type TestOkaeri } from '../../../test/harness.ts'
import { changeConsent } from '../consent/index.ts'
import { upsertStoreCustomers } from '../customers/index.ts'
import { folderOf } from './files.ts'

const mails: Email[] = []
const post = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, _session, done) {
    PostalMime.parse(Readable.toWeb(stream) as ReadableStream).then((mail) => {
      mails.push(mail)
      done()
    }, done)
  },
})
let okaeri: TestOkaeri
let merchant: TestMerchant
beforeAll(async () => {
  await new Promise<void>((resolve) => post.listen(0, '127.0.0.1', resolve))
  okaeri = await startTestOkaeri({ smtpUrl: `smtp://127.0.0.1:${(post.server.address() as AddressInfo).port}` })
})
afterAll(async () => {
  await okaeri.close()
  await new Promise<void>((resolve) => post.close(resolve))
})
beforeEach(async () => {
  merchant = await okaeri.merchant()
})

const formOf = (app: string | null, content: string | Buffer, name = 'people.csv'): FormData => {
  const form = new FormData()
  if (app !== null) form.append('app', app)
  form.append('file', new File([typeof content === 'string' ? content : new Uint8Array(content)], name))
  return form
}
const upload = async (app: ImportApp, content: string | Buffer, name?: string): Promise<ImportDetail> =>
  (await merchant.call(uploadImport, { form: formOf(app, content, name) })).import
const run = async ({ id }: { id: string }): Promise<ImportDetail> => {
  await merchant.call(startImport, { params: { id } })
  await okaeri.settle()
  return (await merchant.call(getImport, { params: { id } })).import
}
const importAll = async (app: ImportApp, content: string | Buffer): Promise<ImportDetail> =>
  run(await upload(app, content))
const refusal = async (work: Promise<unknown>): Promise<[number, string]> => {
  const error = await work.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(error instanceof ApiError)) throw new Error('it was not refused')
  return [error.status, error.reason]
}
const fieldsOf = (one: ImportDetail): (string | null)[] => one.columns.map(({ field }) => field)
const reasonsOf = (one: ImportDetail): [number, string][] => one.errors.map(({ line, reason }) => [line, reason])

interface Person {
  id: string
  email: string
  first_name: string | null
  last_name: string | null
  phone: string | null
  tags: string[]
  birthday: string | null
  note: string | null
  marketing_state: string
}
const people = async (): Promise<Person[]> => {
  const { rows } = await sql<Person>`
    select id, email, first_name, last_name, phone, tags, birthday, note, marketing_state from customers
    where merchant_id = ${merchant.id} order by email_key, id`.execute(okaeri.context.db)
  return rows
}
/** Everything an import writes, without ids and times. */
const everything = async (): Promise<unknown> => {
  const { rows } = await sql<{ one: unknown }>`
    select to_jsonb(c) - array['merchant_id', 'id', 'created_at', 'updated_at', 'marketing_changed_at', 'notification_changed_at']
      || jsonb_build_object('ledger', array(select to_state || source from consent_changes l
        where l.merchant_id = c.merchant_id and l.customer_id = c.id order by 1)) as one
    from customers c where merchant_id = ${merchant.id} order by email_key`.execute(okaeri.context.db)
  return rows.map(({ one }) => one)
}

describe('what is uploaded', () => {
  test('waits, with what was recognised and the first rows', async () => {
    const one = await upload('customers', 'Email,名,姓\nhanako@example.jp,花子,山田\n', '顧客.csv')
    expect(one).toMatchObject({
      status: 'mapping',
      file_name: '顧客.csv',
      encoding: 'utf-8',
      delimiter: ',',
      line_ending: 'lf',
      has_header: true,
      problems: [],
      sample: [['hanako@example.jp', '花子', '山田']],
    })
    expect(fieldsOf(one)).toEqual(['email', 'first_name', 'last_name'])
    expect(await people()).toEqual([])
  })

  test.for<[string, Buffer, string]>([
    ['zip', Buffer.from('504b030414000000080000000000', 'hex'), 'import_is_archive'],
    ['gzip', Buffer.from('1f8b0800000000000003', 'hex'), 'import_is_archive'],
    [
      'xlsx',
      Buffer.concat([
        Buffer.from('504b03041400060008000000210000000000000000000000000000001300', 'hex'),
        Buffer.from('[Content_Types].xml'),
      ]),
      'import_is_spreadsheet',
    ],
    ['xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'import_is_spreadsheet'],
    ['png', Buffer.from('89504e470d0a1a0a', 'hex'), 'import_is_binary'],
    ['zeros', Buffer.from('Email\0\0,x\n'), 'import_is_binary'],
    ['empty', Buffer.alloc(0), 'import_empty'],
    ['blank lines', Buffer.from('\n\n,,\n'), 'import_empty'],
    ['two hundred and one columns', Buffer.from(`${'a,'.repeat(200)}a\n`), 'import_too_many_columns'],
  ])('is refused with its reason when it is no CSV: %s', async ([, content, reason]) => {
    expect(await refusal(merchant.call(uploadImport, { form: formOf('customers', content) }))).toEqual([400, reason])
    expect(fs.readdirSync(folderOf(merchant.scope()))).toEqual([])
  })

  test('is refused without an application, with an unknown one, without a file, and when it is no form', async () => {
    for (const form of [formOf(null, 'Email\n'), formOf('rivo', 'Email\n')])
      expect(await refusal(merchant.call(uploadImport, { form }))).toEqual([400, 'validation'])
    const empty = new FormData()
    empty.append('app', 'points')
    expect(await refusal(merchant.call(uploadImport, { form: empty }))).toEqual([400, 'validation'])
    expect(await refusal(merchant.call(uploadImport, { body: { app: 'points' } } as never))).toEqual([
      415,
      'wrong_content_type',
    ])
  })

  test.for([
    ['that is empty', 'x', ''],
    ['that is JSON', 'x', '{}'],
    [
      'that ends in the file',
      'x',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nEmail\na@',
    ],
    ['without a boundary', '', '--x--'],
    ['with an endless boundary', 'x'.repeat(300), '{}'],
  ])('is refused in a form %s', async ([, boundary, body]) => {
    const response = await fetch(`${okaeri.url}/data/import/csv`, {
      method: 'POST',
      headers: {
        authorization: `Bearer test.${merchant.id}.${merchant.memberId}.owner`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
      body: body ?? '',
    })
    expect(response.status).toBe(400)
    expect(fs.readdirSync(folderOf(merchant.scope()))).toEqual([])
  })

  test('is recognised also when it comes byte by byte', async () => {
    const { port } = new URL(okaeri.url)
    const sendSlowly = (content: Buffer) =>
      new Promise<string>((resolve, reject) => {
        const request = http.request({
          port,
          method: 'POST',
          path: '/data/import/csv',
          headers: {
            authorization: `Bearer test.${merchant.id}.${merchant.memberId}.owner`,
            'content-type': 'multipart/form-data; boundary=x',
          },
        })
        request.on('response', (response) => {
          let text = ''
          response.on('data', (part) => (text += String(part))).on('end', () => resolve(text))
        })
        request.on('error', reject)
        request.setNoDelay(true)
        request.write(
          '--x\r\nContent-Disposition: form-data; name="app"\r\n\r\ncustomers\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n',
        )
        const sendFrom = (at: number): void => {
          if (at === content.length) request.end('\r\n--x--\r\n')
          else request.write(content.subarray(at, at + 1), () => setImmediate(sendFrom, at + 1))
        }
        sendFrom(0)
      })
    expect(await sendSlowly(Buffer.from('PK\u0003\u0004 and what else an archive holds\n'))).toContain(
      'import_is_archive',
    )
    const wide = JSON.parse(await sendSlowly(Buffer.from('\uFEFFEmail\na@example.jp\n', 'utf16le')))
    expect(wide).toMatchObject({ import: { encoding: 'utf-16le', columns: [{ field: 'email' }] } })
  })

  test('is refused while twenty others wait to be begun', async () => {
    for (let waiting = 0; waiting < 20; waiting += 1) await upload('customers', `Email\nperson${waiting}@example.jp\n`)
    const form = formOf('customers', 'Email\nlast@example.jp\n')
    expect(await refusal(merchant.call(uploadImport, { form }))).toEqual([409, 'import_too_many_waiting'])
    expect(fs.readdirSync(folderOf(merchant.scope())).length).toBe(20)
    const { data } = await merchant.call(listImports, { query: {} })
    await merchant.call(deleteImport, { params: { id: data[0]?.id ?? '' } })
    await upload('customers', 'Email\nlast@example.jp\n')
  })

  test('is refused by its announced size, before it is read', async () => {
    const { port } = new URL(okaeri.url)
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const request = http.request({
        port,
        method: 'POST',
        path: '/data/import/csv',
        headers: {
          authorization: `Bearer test.${merchant.id}.${merchant.memberId}.owner`,
          'content-type': 'multipart/form-data; boundary=x',
          'content-length': 700 * 1024 * 1024,
        },
      })
      request.on('response', (response) => {
        resolve(response.statusCode)
        request.destroy()
      })
      request.on('error', reject)
      request.write('--x\r\n')
    })
    expect(status).toBe(413)
  })

  test.for<[string, Buffer, Partial<ImportDetail>, string[]]>([
    [
      'UTF-8 with BOM, CRLF',
      Buffer.from('\uFEFFメール,氏名\r\na@example.jp,山田 花子\r\n'),
      { encoding: 'utf-8-bom', line_ending: 'crlf' },
      ['email', 'full_name'],
    ],
    [
      'Shift_JIS',
      // メール,ポイント / a@example.jp,10
      Buffer.concat([Buffer.from('8381815b838b2c837c834383938367', 'hex'), Buffer.from('\na@example.jp,10\n')]),
      { encoding: 'shift_jis' },
      ['email', 'points'],
    ],
    [
      'UTF-16',
      Buffer.from('\uFEFFEmail\tお名前\na@example.jp\t花子\n', 'utf16le'),
      { encoding: 'utf-16le', delimiter: '\t' },
      ['email', 'full_name'],
    ],
    [
      'semicolons, CR',
      Buffer.from('Email;Tags\ra@example.jp;x\r'),
      { delimiter: ';', line_ending: 'cr' },
      ['email', 'tags'],
    ],
    [
      'full width, other case, spaces, another order',
      Buffer.from('ＴＡＧＳ, ﾒｰﾙ ｱﾄﾞﾚｽ ,PHONE number,Accepts  email_marketing\n'),
      {},
      ['tags', 'email', 'phone', 'marketing_consent'],
    ],
    ['no header', Buffer.from('a@example.jp,10\nb@example.jp,20\n'), { has_header: false }, ['email', 'points']],
    [
      'doubled headers',
      Buffer.from('Email,Email,Points\na@example.jp,b@example.jp,1\n'),
      {},
      ['email', null as never, 'points'],
    ],
  ])('is recognised: %s', async ([, content, expected, fields]) => {
    const app = fields.includes('points') ? 'points' : 'customers'
    const one = await upload(app, content)
    expect(one).toMatchObject(expected)
    expect(fieldsOf(one)).toEqual(fields)
  })

  test('can be read otherwise than it was recognised, until it is begun', async () => {
    const one = await upload('customers', 'a;b\nx@example.jp;1\n')
    const changed = await merchant.call(changeImport, {
      params: { id: one.id },
      body: { delimiter: ',', has_header: false },
    })
    expect(changed.import).toMatchObject({ delimiter: ',', has_header: false, problems: ['identifier_missing'] })
    expect(changed.import.columns).toHaveLength(1)
    const again = await merchant.call(changeImport, {
      params: { id: one.id },
      body: { delimiter: ';', has_header: true },
    })
    expect(again.import.columns.map(({ header }) => header)).toEqual(['a', 'b'])
    const columns = [
      { field: 'email', metafield: null },
      { field: 'metafield', metafield: 'facts.rank' },
    ] as const
    const mapped = await merchant.call(changeImport, { params: { id: one.id }, body: { columns: [...columns] } })
    expect(mapped.import.problems).toEqual([])
    const done = await run(one)
    expect(done).toMatchObject({ status: 'done', created_count: 1 })
    const { rows } = await sql`
      select v.value, s.namespace_type from customer_metafields v join metafield_settings s on s.id = v.metafield_setting_id
      where v.merchant_id = ${merchant.id} and s.namespace = 'facts' and s.key = 'rank'`.execute(okaeri.context.db)
    expect(rows).toEqual([{ value: '1', namespace_type: 'custom' }])
    for (const work of [
      () => merchant.call(changeImport, { params: { id: one.id }, body: { delimiter: ',' } }),
      () => merchant.call(startImport, { params: { id: one.id } }),
    ])
      expect(await refusal(work())).toEqual([409, 'import_not_waiting'])
    expect(await refusal(merchant.call(cancelImport, { params: { id: one.id } }))).toEqual([409, 'import_not_running'])
  })

  test('is not begun while a needed column is missing', async () => {
    const one = await upload('points', 'Email,Whatever\na@example.jp,10\n')
    expect(one.problems).toEqual(['points_missing'])
    expect(await refusal(merchant.call(startImport, { params: { id: one.id } }))).toEqual([
      409,
      'import_mapping_incomplete',
    ])
    const wrong = [{ field: 'email' as const, metafield: null }]
    expect(await refusal(merchant.call(changeImport, { params: { id: one.id }, body: { columns: wrong } }))).toEqual([
      400,
      'validation',
    ])
  })

  test('is nobody else’s', async () => {
    const one = await upload('customers', 'Email\na@example.jp\n')
    const other = await okaeri.merchant()
    for (const endpoint of [getImport, startImport, cancelImport, deleteImport, downloadImportErrors] as const)
      expect(await refusal(other.call(endpoint as typeof getImport, { params: { id: one.id } }))).toEqual([
        404,
        'not_found',
      ])
    expect((await other.call(listImports, { query: {} })).total).toBe(0)
  })
})

describe('rows that cannot be taken over', () => {
  test('are refused one by one, with line, reason and cells; the others are taken', async () => {
    const one = await importAll(
      'customers',
      [
        'Customer ID,Email,First Name,Accepts Email Marketing,Birthday,Phone',
        '7.21E+12,a@example.jp,花子,yes,,',
        ',good@example.jp,"改\r\n行",yes,1990/4/1,\'+819012345678',
        ',not-an-address,x,,,',
        ',b@example.jp,x,perhaps,,',
        ',c@example.jp,x,,1990-02-30,',
        ',d@example.jp,x',
        ',,x,,,',
        `,e@example.jp,${'長'.repeat(400_000)},,,`,
        ',f@example.jp,x,,,12',
        ',g@example.jp,a "quoted" name,,,',
        ',h@example.jp,"never closed,,,',
        ',i@example.jp,last,,,',
      ].join('\n'),
    )
    expect(one).toMatchObject({ status: 'done', rows_count: 12, created_count: 3, error_count: 9 })
    expect(reasonsOf(one)).toEqual([
      [2, 'id_damaged'],
      [5, 'not_an_email'],
      [6, 'not_a_consent'],
      [7, 'not_a_date'],
      [8, 'column_count'],
      [9, 'no_identifier'],
      [10, 'cell_too_long'],
      [11, 'not_a_phone'],
      [13, 'quote_not_closed'],
    ])
    expect(
      (await people()).map(({ email, first_name, phone, birthday }) => [email, first_name, phone, birthday]),
    ).toEqual([
      ['g@example.jp', 'a "quoted" name', null, null],
      ['good@example.jp', '改 行', '+819012345678', '1990-04-01'],
      ['i@example.jp', 'last', null, null],
    ])
    const csv = await merchant.call(downloadImportErrors, { params: { id: one.id }, query: { lang: 'ja' } })
    expect(csv).toContain('2,IDが表計算ソフトによって壊れています')
    expect(csv).toContain('7.21E+12,a@example.jp,花子,yes')
    expect(await merchant.call(downloadImportErrors, { params: { id: one.id }, query: { lang: 'en' } })).toContain(
      'A spreadsheet has damaged the ID',
    )
  })

  test('are those whose quote is closed by a later row; that row is read for itself', async () => {
    const one = await importAll(
      'customers',
      [
        'Email,名,姓',
        'a@example.jp,"open,山田',
        'b@example.jp,"花子","鈴木"',
        'c@example.jp,"open',
        'd@example.jp,桃子,"佐藤"',
        'e@example.jp,"太郎""と""次郎","two',
        'lines"',
        '',
      ].join('\n'),
    )
    expect(reasonsOf(one)).toEqual([
      [2, 'quote_not_closed'],
      [4, 'quote_not_closed'],
    ])
    expect((await people()).map(({ email, first_name }) => [email, first_name])).toEqual([
      ['b@example.jp', '花子'],
      ['d@example.jp', '桃子'],
      ['e@example.jp', '太郎"と"次郎'],
    ])
  })

  test('are those in another encoding than the file', async () => {
    const one = await importAll(
      'customers',
      Buffer.concat([
        Buffer.from('Email,名\na@example.jp,花子\nb@example.jp,桃子\nx@example.jp,'),
        Buffer.from([0x83, 0x81, 0x0a]),
        Buffer.from('c@example.jp,太郎\n'),
      ]),
    )
    expect(one.encoding).toBe('utf-8')
    expect(reasonsOf(one)).toEqual([[4, 'wrong_encoding']])
    expect((await people()).map(({ first_name }) => first_name)).toEqual(['花子', '桃子', '太郎'])
  })

  test('do not run in a spreadsheet when downloaded', async () => {
    const one = await importAll('customers', 'Email,名\n"=HYPERLINK(""http://x"")",x\n')
    const csv = await merchant.call(downloadImportErrors, { params: { id: one.id }, query: {} })
    expect(csv).toContain(`"'=HYPERLINK(`)
  })

  test('may be none: a header alone, and nothing but blank rows, end well', async () => {
    expect(await importAll('customers', 'Email,名\n')).toMatchObject({
      status: 'done',
      rows_count: 0,
      read_percent: 100,
    })
    expect(await importAll('customers', 'Email,名\n,\n\n,\n')).toMatchObject({ status: 'done', rows_count: 0 })
  })
})

describe('customers', () => {
  test('the same file twice changes nothing', async () => {
    const file = 'Email,名,姓,タグ,Accepts Email Marketing\nA@Example.jp,花子,山田,"VIP,常連",yes\nb@example.jp,,,,no\n'
    expect(await importAll('customers', file)).toMatchObject({ created_count: 2, changed_count: 0 })
    const before = await everything()
    expect(await importAll('customers', file)).toMatchObject({ created_count: 0, changed_count: 0, unchanged_count: 2 })
    expect(await everything()).toEqual(before)
    expect((await people()).map(({ email, tags, marketing_state }) => [email, tags, marketing_state])).toEqual([
      ['a@example.jp', ['VIP', '常連'], 'granted'],
      ['b@example.jp', [], 'unknown'],
    ])
  })

  test('are known by the store’s number, then by address; an empty cell wipes nothing; nobody is created unless wanted', async () => {
    await importAll('customers', 'Email,名,姓,電話番号\na@example.jp,花子,山田,090-1234-5678\n')
    const one = await upload('customers', 'Email,名,電話番号,メモ\nA@EXAMPLE.jp,,,お得意様\nnew@example.jp,x,,\n')
    await merchant.call(changeImport, {
      params: { id: one.id },
      body: { options: { create_unknown: false, known_values: 'keep' } },
    })
    const done = await run(one)
    expect(done).toMatchObject({ created_count: 0, changed_count: 1 })
    expect(reasonsOf(done)).toEqual([[3, 'unknown_customer']])
    expect(await people()).toMatchObject([
      { first_name: '花子', last_name: '山田', phone: '09012345678', note: 'お得意様' },
    ])
  })

  test('keep what a person wrote, unless the file is said to be newer', async () => {
    await importAll('customers', 'Email,名\na@example.jp,花子\n')
    await sql`update customers set first_name = 'はなこ' where merchant_id = ${merchant.id}`.execute(okaeri.context.db)
    expect(await importAll('customers', 'Email,名\na@example.jp,華子\n')).toMatchObject({ unchanged_count: 1 })
    const one = await upload('customers', 'Email,名\na@example.jp,華子\n')
    await merchant.call(changeImport, {
      params: { id: one.id },
      body: { options: { create_unknown: true, known_values: 'replace' } },
    })
    expect(await run(one)).toMatchObject({ changed_count: 1 })
    expect(await people()).toMatchObject([{ first_name: '華子' }])
  })

  test('of the store keep the store’s data, and permission is only added where nothing is known', async () => {
    const ids = await upsertStoreCustomers(
      merchant.scope(),
      [11, 12].map((storeCustomerId) => ({
        storeCustomerId,
        email: `store${storeCustomerId}@example.jp`,
        firstName: '店',
        lastName: null,
        phone: null,
        language: null,
        address: null,
        tags: [],
        createdAt: null,
        updatedAt: new Date('2026-01-01'),
      })),
    )
    await changeConsent(merchant.scope(), {
      customerId: ids.get(12) ?? '',
      kind: 'marketing',
      to: 'withdrawn',
      source: 'one_click',
    })
    const file =
      "Customer ID,Email,First Name,Last Name,Tags,Birthday,Accepts Email Marketing\n'11,,別名,名字,x,1990-04-01,yes\n12,store12@example.jp,,,,,yes\n"
    expect(await importAll('customers', file)).toMatchObject({ changed_count: 1, unchanged_count: 1, created_count: 0 })
    expect(await people()).toMatchObject([
      { first_name: '店', last_name: null, tags: [], birthday: '1990-04-01', marketing_state: 'granted' },
      { marketing_state: 'withdrawn' },
    ])
    const { rows } = await sql`select source, to_state, wording, page from consent_changes
      where merchant_id = ${merchant.id} and customer_id = ${ids.get(11)}`.execute(okaeri.context.db)
    expect(rows).toEqual([
      { source: 'import', to_state: 'granted', wording: 'Accepts Email Marketing', page: 'CSV: people.csv' },
    ])
  })

  test('of somebody who opted out and was deleted does not bring the permission back', async () => {
    const file = 'Email,Accepts Email Marketing\nback@example.jp,yes\nother@example.jp,yes\n'
    await importAll('customers', file)
    const [back] = await people()
    await changeConsent(merchant.scope(), {
      customerId: back?.id ?? '',
      kind: 'marketing',
      to: 'withdrawn',
      source: 'unsubscribe_link',
    })
    for (const { id } of await people()) await merchant.call(deleteCustomer, { params: { id } })
    expect(await people()).toEqual([])
    const states = async () => (await people()).map(({ email, marketing_state }) => [email, marketing_state])
    // The second file finds them known.
    for (let times = 0; times < 2; times += 1) {
      await importAll('customers', file)
      expect(await states()).toEqual([
        ['back@example.jp', 'unknown'],
        ['other@example.jp', 'granted'],
      ])
    }
    const [again] = await people()
    await merchant.call(changeCustomer, { params: { id: again?.id ?? '' }, body: { accepts_marketing: true } })
    expect((await states())[0]).toEqual(['back@example.jp', 'granted'])
  })

  test('in a store’s own export: consent, address and metafields', async () => {
    const one = await importAll(
      'customers',
      `Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address City,Default Address Province Code,Default Address Country Code,Default Address Zip,Phone,Total Spent,Note,Tags,誕生日 (customer.metafields.facts.birth_date)\n'7210448301122,花子,山田,hanako@example.com,yes,千代田区,JP-13,JP,'100-0005,'+819012345678,12800,,"VIP, 誕生日",1990-04-01\n`,
    )
    expect(one).toMatchObject({ created_count: 1, error_count: 0 })
    const { rows } = await sql`select address, province_code, store_customer_id, display_name from customers
      where merchant_id = ${merchant.id}`.execute(okaeri.context.db)
    expect(rows).toEqual([
      {
        address: { city: '千代田区', zip: '100-0005', country: 'JP' },
        province_code: 'JP-13',
        store_customer_id: null,
        display_name: '山田 花子',
      },
    ])
  })
})

describe('points', () => {
  const balances = async () =>
    (
      await sql`select c.email, s.key, v.value from customer_metafields v
        join metafield_settings s on s.merchant_id = v.merchant_id and s.id = v.metafield_setting_id
        join customers c on c.merchant_id = v.merchant_id and c.id = v.customer_id
        where v.merchant_id = ${merchant.id} order by 1, 2`.execute(okaeri.context.db)
    ).rows

  test('become a metafield once the file is read: rows of one person are added up, the unknown and expired refused', async () => {
    await importAll('customers', 'Email\na@example.jp\nb@example.jp\n')
    const file =
      'email,points,expired_at\nA@example.jp,"1,200",2150-01-01\na@example.jp,-200,2149-12-31\nnobody@example.jp,5,\nb@example.jp,10,2020-01-01\nb@example.jp,3.5,\n'
    const done = await importAll('points', file)
    expect(done).toMatchObject({ status: 'done', changed_count: 1, error_count: 3 })
    expect(reasonsOf(done)).toEqual([
      [4, 'unknown_customer'],
      [5, 'points_expired'],
      [6, 'not_a_number'],
    ])
    const expected = [
      { email: 'a@example.jp', key: 'balance', value: '1000' },
      { email: 'a@example.jp', key: 'expires_on', value: '2149-12-31' },
    ]
    expect(await balances()).toEqual(expected)
    expect(await importAll('points', file)).toMatchObject({ changed_count: 0, unchanged_count: 1 })
    expect(await balances()).toEqual(expected)
    await importAll('points', 'email,points\na@example.jp,300\n')
    expect(await balances()).toMatchObject([{ value: '300' }, { value: '2149-12-31' }])
  })
})

describe('restock requests', () => {
  test('are registered once, for strangers too', async () => {
    await importAll('customers', 'Email\na@example.jp\n')
    const file =
      'Email,ProductId,VariantId,Product Title,Subscribed At,Last Message Sent At\na@example.jp,632910392,808950810,Tシャツ,2026-03-01 09:12:33 UTC,\nstranger@example.jp,632910392,808950811,Tシャツ,2026-02-20 22:00:01 UTC,2026-03-02 01:00:00 UTC\nc@example.jp,7.21E+12,1,x,,\nd@example.jp,,1,x,,\n'
    const done = await importAll('restock', file)
    expect(done).toMatchObject({ created_count: 2, error_count: 2 })
    expect(reasonsOf(done)).toEqual([
      [4, 'id_damaged'],
      [5, 'product_missing'],
    ])
    const requests = sql`select email, customer_id is not null as known, status, source, store_variant_id, created_at from restock_requests
      where merchant_id = ${merchant.id} order by email`
    const before = (await requests.execute(okaeri.context.db)).rows
    expect(before).toEqual([
      {
        email: 'a@example.jp',
        known: true,
        status: 'active',
        source: 'import',
        store_variant_id: 808950810,
        created_at: new Date('2026-03-01T09:12:33Z'),
      },
      {
        email: 'stranger@example.jp',
        known: false,
        status: 'sent',
        source: 'import',
        store_variant_id: 808950811,
        created_at: new Date('2026-02-20T22:00:01Z'),
      },
    ])
    expect(await importAll('restock', file)).toMatchObject({ created_count: 0, unchanged_count: 2 })
    expect((await requests.execute(okaeri.context.db)).rows).toEqual(before)
  })

  test('for text messages are refused', async () => {
    const done = await importAll(
      'restock',
      'email,product_id,variation_id,type\na@example.jp,1,0,SMS\nb@example.jp,1,0,EMAIL\n',
    )
    expect(reasonsOf(done)).toEqual([[2, 'unknown_channel']])
    expect(done.created_count).toBe(1)
  })
})

describe('an import', () => {
  test('ends with a mail to whoever began it, in their language, and its file goes', async () => {
    mails.length = 0
    await importAll('customers', 'Email\na@example.jp\nbad\n')
    expect(mails.map(({ subject }) => subject)).toEqual(['【Okaeri】取り込みが完了しました（エラー行あり）'])
    expect(mails[0]?.text).toContain('エラー: 1')
    await sql`update members set language = 'en' where merchant_id = ${merchant.id}`.execute(okaeri.context.db)
    const { id } = await importAll('customers', 'Email\nb@example.jp\n')
    expect(mails[1]?.subject).toBe('[Okaeri] Your import is done')
    expect(mails[1]?.text).toContain(`/_app/data/import/${id}`)
    expect(fs.readdirSync(folderOf(merchant.scope()))).toEqual([])
  })

  test('can be cancelled while it runs, and then deleted', async () => {
    const one = await upload('customers', 'Email\na@example.jp\n')
    await merchant.call(startImport, { params: { id: one.id } })
    expect(await refusal(merchant.call(deleteImport, { params: { id: one.id } }))).toEqual([409, 'import_running'])
    const { import: cancelled } = await merchant.call(cancelImport, { params: { id: one.id } })
    expect(cancelled.status).toBe('cancelled')
    await okaeri.settle()
    expect(await people()).toEqual([])
    await merchant.call(deleteImport, { params: { id: one.id } })
    expect((await merchant.call(listImports, { query: {} })).data).toEqual([])
  })

  test('whose file is gone fails and says so', async () => {
    const one = await upload('customers', 'Email\na@example.jp\n')
    fs.rmSync(path.join(folderOf(merchant.scope()), `${one.id}.csv`))
    expect(await run(one)).toMatchObject({ status: 'failed', failure: 'file_gone' })
  })

  test('and its file are forgotten after thirty days', async () => {
    await upload('customers', 'Email\na@example.jp\n')
    const done = await importAll('customers', 'Email\nbad\n')
    okaeri.advance(31 * 86_400_000)
    await okaeri.settle()
    expect((await merchant.call(listImports, { query: {} })).total).toBe(0)
    expect(fs.readdirSync(folderOf(merchant.scope()))).toEqual([])
    const { rows } = await sql`select from import_errors where import_id = ${done.id}`.execute(okaeri.context.db)
    expect(rows).toEqual([])
  })
})

// Real headers, invented rows; only where they are at hand.
const samples = path.join(import.meta.dirname, '../../../../../shared/reference/csv')
describe.skipIf(!fs.existsSync(samples))('files of known applications', () => {
  const named: [string, ImportApp, (string | null)[]][] = [
    ['points_smile.csv', 'points', ['email', 'points']],
    ['points_easypoints.csv', 'points', ['email', 'points', null]],
    ['points_vip_stack.csv', 'points', ['store_id', null, 'points', 'points_expire_on', null]],
    ['points_poingpong_like.csv', 'points', ['store_id', 'email', 'points']],
    ['points_mrpoint_like_sjis.csv', 'points', ['email', 'points']],
    [
      'restock_backinstock_export.csv',
      'restock',
      ['email', 'product_id', 'variant_id', null, null, 'requested_at', 'notified_at'],
    ],
  ]
  const isThere = ([file]: readonly [string, ...unknown[]]): boolean => fs.existsSync(path.join(samples, file))
  test.for(named.filter(isThere))('%s is recognised', async ([file, app, fields]) => {
    const content = fs.readFileSync(path.join(samples, file))
    const one = await upload(app, content, file)
    expect([one.problems, fieldsOf(one)]).toEqual([[], fields])
    if (file.includes('sjis')) expect(one.encoding).toBe('shift_jis')
  })

  const begun: [string, ImportApp][] = [
    ['restock_supporter_import.csv', 'restock'],
    ['shopify_customers_export.csv', 'customers'],
    ['shopify_customers_export_2026_extra.csv', 'customers'],
    ['shopify_customers_import_legacy.csv', 'customers'],
  ]
  test.for(begun.filter(isThere))('%s can be begun as it is', async ([file, app]) => {
    const one = await upload(app, fs.readFileSync(path.join(samples, file)), file)
    expect(one.problems).toEqual([])
    expect(await run(one)).toMatchObject({ status: 'done' })
  })
})
