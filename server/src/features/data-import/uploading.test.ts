import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import type { ApiError } from '@okaeri/contract/client'
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
import { describe, expect, test } from 'vitest'
import { fieldsOf, formOf, people, refusal, run, upload, withImports } from '../../../test/imports.ts'
import { merchant, okaeri } from '../../../test/with-okaeri.ts'
import { folderOf } from './files.ts'

withImports()

describe('what is uploaded', () => {
  test('waits, with the recognized format and the first rows', async () => {
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
    ['UTF-32', Buffer.from('fffe0000450000006d00000061000000', 'hex'), 'import_is_binary'],
    ['empty', Buffer.alloc(0), 'import_empty'],
    ['blank lines', Buffer.from('\n\n,,\n'), 'import_empty'],
    ['one line without an end', Buffer.alloc(3_000_000, 'x'), 'import_row_too_long'],
    ['nothing but delimiters', Buffer.from(',\n'.repeat(100_000)), 'import_empty'],
    ['fifty thousand columns', Buffer.from(`${'a,'.repeat(50_000)}a\n`), 'import_too_many_columns'],
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

  test('is taken without a name of its own', async () => {
    const response = await fetch(`${okaeri.url}/data/import/csv`, {
      method: 'POST',
      headers: {
        authorization: `Bearer test.${merchant.id}.${merchant.memberId}.owner`,
        'content-type': 'multipart/form-data; boundary=x',
      },
      body: [
        '--x\r\nContent-Disposition: form-data; name="app"\r\n\r\ncustomers',
        '--x\r\nContent-Disposition: form-data; name="file"\r\nContent-Type: application/octet-stream\r\n\r\nEmail\na@example.jp',
        '--x--\r\n',
      ].join('\r\n'),
    })
    expect([response.status, await response.json()]).toMatchObject([201, { import: { file_name: 'import.csv' } }])
  })

  test('is recognized also when it arrives byte by byte', async () => {
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

  test('is refused while twenty others wait to be started', async () => {
    for (let waiting = 0; waiting < 20; waiting += 1) await upload('customers', `Email\nperson${waiting}@example.jp\n`)
    const form = formOf('customers', 'Email\nlast@example.jp\n')
    expect(await refusal(merchant.call(uploadImport, { form }))).toEqual([409, 'import_too_many_waiting'])
    expect(fs.readdirSync(folderOf(merchant.scope())).length).toBe(20)
    const { data } = await merchant.call(listImports, { query: {} })
    await merchant.call(deleteImport, { params: { id: data[0]?.id ?? '' } })
    await upload('customers', 'Email\nlast@example.jp\n')
  })

  test('is refused while twenty others wait or are being uploaded, however many come at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        merchant
          .call(uploadImport, { form: formOf('customers', `Email\nperson${n}@example.jp\n`) })
          .then(() => 'taken')
          .catch((error: ApiError) => error.reason),
      ),
    )
    expect(new Set(answers)).toEqual(new Set(['taken', 'import_too_many_waiting']))
    const { total } = await merchant.call(listImports, { query: {} })
    expect(total).toBeLessThanOrEqual(20)
    expect(answers.filter((answer) => answer === 'taken').length).toBe(total)
    expect(fs.readdirSync(folderOf(merchant.scope())).length).toBe(total)
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
  ])('is recognized: %s', async ([, content, expected, fields]) => {
    const app = fields.includes('points') ? 'points' : 'customers'
    const one = await upload(app, content)
    expect(one).toMatchObject(expected)
    expect(fieldsOf(one)).toEqual(fields)
  })

  test('can be read in another way than recognized, until it is started', async () => {
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
    const rows = await okaeri.query`
      select v.value, s.namespace_type from customer_metafields v
      join metafield_settings s on s.merchant_id = v.merchant_id and s.id = v.metafield_setting_id
      where v.merchant_id = ${merchant.id} and s.namespace = 'facts' and s.key = 'rank'`
    expect(rows).toEqual([{ value: '1', namespace_type: 'custom' }])
    for (const work of [
      () => merchant.call(changeImport, { params: { id: one.id }, body: { delimiter: ',' } }),
      () => merchant.call(startImport, { params: { id: one.id } }),
    ])
      expect(await refusal(work())).toEqual([409, 'import_not_waiting'])
    expect(await refusal(merchant.call(cancelImport, { params: { id: one.id } }))).toEqual([409, 'import_not_running'])
  })

  test('cannot be started while a required column is missing', async () => {
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

  test('belongs to its merchant alone', async () => {
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

// Real headers, invented rows; only if the samples are there.
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
  test.for(named.filter(isThere))('%s is recognized', async ([file, app, fields]) => {
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
  test.for(begun.filter(isThere))('%s can be started without changes', async ([file, app]) => {
    const one = await upload(app, fs.readFileSync(path.join(samples, file)), file)
    expect(one.problems).toEqual([])
    expect(await run(one)).toMatchObject({ status: 'done' })
  })
})
