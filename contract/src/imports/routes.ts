import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { IdParams } from '../fields.ts'
import { Locale } from '../locale.ts'
import { PageQuery, pageOf } from '../paging.ts'
import {
  Import,
  ImportApp,
  ImportColumn,
  ImportDelimiter,
  ImportDetail,
  ImportEncoding,
  ImportField,
  ImportOptions,
  ImportStatus,
  MAX_IMPORT_BYTES,
  MAX_IMPORT_COLUMNS,
} from './import.ts'

const area = 'data'
const reply = z.object({ import: ImportDetail })
/** The size of a form besides its file. */
const FORM_BYTES = 1024 * 1024

/** A form with the fields `app` (points, restock, customers) and `file`. */
export const uploadImport = endpoint('POST', '/data/import/csv', {
  area,
  summary: 'Upload a CSV file of another application; it is looked at and waits for `start`',
  access: 'marketer',
  status: 201,
  bodyKind: 'multipart',
  form: z.object({ app: ImportApp, file: z.string().meta({ format: 'binary' }) }),
  bodyLimitBytes: MAX_IMPORT_BYTES + FORM_BYTES,
  reply,
})

export const listImports = endpoint('GET', '/data/imports', {
  area,
  summary: 'Imports of the last 30 days, the newest first',
  access: 'member',
  query: PageQuery.extend({ status: ImportStatus.optional() }),
  reply: pageOf(Import),
})

export const getImport = endpoint('GET', '/data/imports/{id}', {
  area,
  summary: 'One import: how its file is read, how far it is, what was refused',
  access: 'member',
  params: IdParams,
  reply,
})

/** Only given fields are changed. Another encoding, delimiter or header row reads the file again and guesses the columns again. */
export const changeImport = endpoint('PUT', '/data/imports/{id}', {
  area,
  summary: 'Correct how the file is read, before it is begun',
  access: 'marketer',
  params: IdParams,
  body: z.strictObject({
    encoding: ImportEncoding.optional(),
    delimiter: ImportDelimiter.optional(),
    has_header: z.boolean('not_a_boolean').optional(),
    /** One for each column of the file. */
    columns: z
      .array(
        z.strictObject({
          field: ImportField.nullable(),
          metafield: ImportColumn.shape.metafield.default(null),
        }),
        'not_a_list',
      )
      .max(MAX_IMPORT_COLUMNS, 'too_long')
      .optional(),
    options: ImportOptions.optional(),
  }),
  reply,
})

export const startImport = endpoint('POST', '/data/imports/{id}/start', {
  area,
  summary: 'Begin; rows are taken over in the background',
  access: 'marketer',
  params: IdParams,
  status: 202,
  reply,
})

export const cancelImport = endpoint('POST', '/data/imports/{id}/cancel', {
  area,
  summary: 'Stop; rows already taken over stay',
  access: 'marketer',
  params: IdParams,
  reply,
})

export const deleteImport = endpoint('DELETE', '/data/imports/{id}', {
  area,
  summary: 'Forget the file and its refused rows now, instead of after 30 days',
  access: 'marketer',
  params: IdParams,
  status: 204,
  replyKind: 'empty',
})

export const downloadImportErrors = endpoint('GET', '/data/imports/{id}/errors', {
  area,
  summary: 'CSV of the refused rows: line, reason in words, the cells as they came',
  access: 'member',
  params: IdParams,
  query: z.object({ lang: Locale.default('ja') }),
  replyKind: 'file',
  mediaTypes: ['text/csv'],
})
