import { ApiError } from '@okaeri/contract/client'
import type { ImportApp, ImportDetail } from '@okaeri/contract/imports/import'
import { getImport, startImport, uploadImport } from '@okaeri/contract/imports/routes'
import type { Email } from 'postal-mime'
import { afterAll, beforeAll } from 'vitest'
import { readMail, startMailServer, type TestMailServer } from './mail-server.ts'
import { merchant, okaeri, withMerchants } from './with-okaeri.ts'

// Files of the present merchant, from the upload to what became of their rows.

/** The mails at the end of imports, in the order they came. */
export const mails: Email[] = []
export function withImports(): void {
  let server: TestMailServer
  beforeAll(async () => {
    server = await startMailServer({
      onData(stream, _session, done) {
        void readMail(stream).then((mail) => {
          mails.push(mail)
          done()
        }, done)
      },
    })
  })
  afterAll(() => server.close())
  withMerchants(() => ({ smtpUrl: server.url }))
}

export const formOf = (app: string | null, content: string | Buffer, name = 'people.csv'): FormData => {
  const form = new FormData()
  if (app !== null) form.append('app', app)
  form.append('file', new File([typeof content === 'string' ? content : new Uint8Array(content)], name))
  return form
}
export const upload = async (app: ImportApp, content: string | Buffer, name?: string): Promise<ImportDetail> =>
  (await merchant.call(uploadImport, { form: formOf(app, content, name) })).import
export const run = async ({ id }: { id: string }): Promise<ImportDetail> => {
  await merchant.call(startImport, { params: { id } })
  await okaeri.settle()
  return (await merchant.call(getImport, { params: { id } })).import
}
export const importAll = async (app: ImportApp, content: string | Buffer): Promise<ImportDetail> =>
  run(await upload(app, content))
export const refusal = async (work: Promise<unknown>): Promise<[number, string]> => {
  const error = await work.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(error instanceof ApiError)) throw new Error('it was not refused')
  return [error.status, error.reason]
}
export const fieldsOf = (one: ImportDetail): (string | null)[] => one.columns.map(({ field }) => field)
export const reasonsOf = (one: ImportDetail): [number, string][] => one.errors.map(({ line, reason }) => [line, reason])

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
export const people = async (): Promise<Person[]> => {
  const rows = await okaeri.query<Person>`
    select id, email, first_name, last_name, phone, tags, birthday, note, marketing_state from customers
    where merchant_id = ${merchant.id} order by email_key, id`
  return rows
}
