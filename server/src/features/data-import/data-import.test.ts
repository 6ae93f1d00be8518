import fs from 'node:fs'
import path from 'node:path'
import { cancelImport, deleteImport, getImport, listImports, startImport } from '@okaeri/contract/imports/routes'
import { describe, expect, test } from 'vitest'
import { importAll, mails, people, refusal, run, upload, withImports } from '../../../test/imports.ts'
import { merchant, okaeri } from '../../../test/with-okaeri.ts'
import { folderOf } from './files.ts'

withImports()

describe('an import', () => {
  test('ends with a mail to the member who began it, in their language, and its file is deleted', async () => {
    mails.length = 0
    await importAll('customers', 'Email\na@example.jp\nbad\n')
    expect(mails.map(({ subject }) => subject)).toEqual(['【Okaeri】取り込みが完了しました（エラー行あり）'])
    expect(mails[0]?.text).toContain('エラー：1')
    await okaeri.query`update members set language = 'en' where merchant_id = ${merchant.id}`
    const { id } = await importAll('customers', 'Email\nb@example.jp\n')
    expect(mails[1]?.subject).toBe('[Okaeri] Your import is complete')
    expect(mails[1]?.text).toContain(`/_app/data/import/${id}`)
    expect(fs.readdirSync(folderOf(merchant.scope()))).toEqual([])
  })

  test.for(['customers', 'points'] as const)('of %s ends though who began it was removed meanwhile', async (app) => {
    mails.length = 0
    const one = await upload(app, app === 'points' ? 'Email,Points\na@example.jp,5\n' : 'Email\na@example.jp\n')
    await merchant.call(startImport, { params: { id: one.id } })
    await okaeri.query`delete from members where merchant_id = ${merchant.id}`
    await okaeri.settle()
    const { import: ended } = await merchant.call(getImport, { params: { id: one.id } })
    expect([ended.status, mails]).toEqual(['done', []])
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

  test('whose file is missing fails and says so', async () => {
    const one = await upload('customers', 'Email\na@example.jp\n')
    fs.rmSync(path.join(folderOf(merchant.scope()), `${one.id}.csv`))
    expect(await run(one)).toMatchObject({ status: 'failed', failure: 'file_gone' })
  })

  test('and its file are deleted after thirty days', async () => {
    await upload('customers', 'Email\na@example.jp\n')
    const done = await importAll('customers', 'Email\nbad\n')
    okaeri.advance(31 * 86_400_000)
    await okaeri.settle()
    expect((await merchant.call(listImports, { query: {} })).total).toBe(0)
    expect(fs.readdirSync(folderOf(merchant.scope()))).toEqual([])
    const rows = await okaeri.query`select from import_errors where import_id = ${done.id}`
    expect(rows).toEqual([])
  })
})
