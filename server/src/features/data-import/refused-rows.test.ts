import { downloadImportErrors } from '@okaeri/contract/imports/routes'
import { describe, expect, test } from 'vitest'
import { importAll, people, reasonsOf, withImports } from '../../../test/imports.ts'
import { merchant } from '../../../test/with-okaeri.ts'

withImports()

describe('rows that cannot be imported', () => {
  test('are refused one by one, with line, reason and cells; the others are imported', async () => {
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
    expect(csv).toContain('2,IDが表計算ソフトで変換され')
    expect(csv).toContain('7.21E+12,a@example.jp,花子,yes')
    expect(await merchant.call(downloadImportErrors, { params: { id: one.id }, query: { lang: 'en' } })).toContain(
      'ID damaged by a spreadsheet',
    )
  })

  test('are those whose quote is closed by a later row; that row is read separately', async () => {
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

  test('may be none: only a header, and only blank rows, are fine', async () => {
    expect(await importAll('customers', 'Email,名\n')).toMatchObject({
      status: 'done',
      rows_count: 0,
      read_percent: 100,
    })
    expect(await importAll('customers', 'Email,名\n,\n\n,\n')).toMatchObject({ status: 'done', rows_count: 0 })
  })
})
