import { z } from 'zod'
import { MetafieldKey } from '../metafields/metafield.ts'

/** Which application a file comes from; decides what its rows become. */
export const importApps = ['points', 'restock', 'customers'] as const
export const ImportApp = z.enum(importApps, 'not_allowed')
export type ImportApp = z.output<typeof ImportApp>

/**
 * `mapping`: uploaded, waiting to be checked and started. `running`. `done`: read to the end, refused rows included. `failed`: could not be read
 * further. `cancelled`: by a member; rows written before stay.
 */
export const importStatuses = ['mapping', 'running', 'done', 'failed', 'cancelled'] as const
export const ImportStatus = z.enum(importStatuses)
export type ImportStatus = z.output<typeof ImportStatus>

export const importEncodings = ['utf-8', 'utf-8-bom', 'shift_jis', 'utf-16le', 'utf-16be'] as const
export const ImportEncoding = z.enum(importEncodings, 'not_allowed')
export type ImportEncoding = z.output<typeof ImportEncoding>

export const importDelimiters = [',', '\t', ';'] as const
export const ImportDelimiter = z.enum(importDelimiters, 'not_allowed')
export type ImportDelimiter = z.output<typeof ImportDelimiter>

export const LineEnding = z.enum(['lf', 'crlf', 'cr'])
export type LineEnding = z.output<typeof LineEnding>

/** The largest accepted file, in bytes. */
export const MAX_IMPORT_BYTES = 500 * 1024 * 1024
export const MAX_IMPORT_COLUMNS = 200
/** Files and imports are deleted after this. */
export const IMPORT_KEPT_DAYS = 30
/** Imports uploaded but not started, per merchant: each may take 500 MB of disk that long. */
export const MAX_WAITING_IMPORTS = 20

/** What a column can be. */
export const importFields = [
  'store_id',
  'email',
  'first_name',
  'last_name',
  'full_name',
  'phone',
  'language',
  'birthday',
  'tags',
  'company',
  'zip',
  'country',
  'province',
  'province_code',
  'city',
  'address1',
  'address2',
  'marketing_consent',
  'notification_consent',
  'note',
  'metafield',
  'points',
  'points_expire_on',
  'product_id',
  'variant_id',
  'channel',
  'requested_at',
  'request_status',
  'notified_at',
] as const
export const ImportField = z.enum(importFields, 'not_allowed')
export type ImportField = z.output<typeof ImportField>

const customerFields = importFields.slice(0, importFields.indexOf('points'))
/** What a column can be in a file of each application, in the order in which they are offered. */
export const fieldsOfApp: Readonly<Record<ImportApp, readonly ImportField[]>> = {
  customers: customerFields,
  points: ['email', 'store_id', 'points', 'points_expire_on'],
  restock: [
    'email',
    'store_id',
    'product_id',
    'variant_id',
    'channel',
    'requested_at',
    'request_status',
    'notified_at',
  ],
}

/** The metafield of points, and that of their expiry. */
export const POINTS_METAFIELD = 'points.balance'
export const POINTS_EXPIRY_METAFIELD = 'points.expires_on'

/** One column of the file and its meaning; `field` null: not imported. */
export const ImportColumn = z
  .object({
    /** The file's heading; empty without a header row. */
    header: z.string(),
    field: ImportField.nullable(),
    /** `namespace.key`, only for the field `metafield`. */
    metafield: z.string().nullable(),
  })
  .meta({ id: 'ImportColumn' })
export type ImportColumn = z.output<typeof ImportColumn>

/** `keep`: known values stay, only missing ones are filled in. `replace`: the file is newer. Never for customers of a store. */
export const KnownValues = z.enum(['keep', 'replace'], 'not_allowed')
export type KnownValues = z.output<typeof KnownValues>

export const ImportOptions = z
  .object({
    /** Creates unknown customers, only here. Only for files of customers. */
    create_unknown: z.boolean('not_a_boolean'),
    known_values: KnownValues,
  })
  .meta({ id: 'ImportOptions' })
export type ImportOptions = z.output<typeof ImportOptions>

/** Why a row was not imported. */
export const rowReasons = [
  'column_count',
  'row_too_long',
  'cell_too_long',
  'quote_not_closed',
  'wrong_encoding',
  'unreadable_characters',
  'no_identifier',
  'id_damaged',
  'not_an_id',
  'not_an_email',
  'not_a_date',
  'not_a_number',
  'not_a_phone',
  'not_a_consent',
  'unknown_language',
  'unknown_country',
  'unknown_province',
  'text_too_long',
  'too_many_tags',
  'unknown_customer',
  'points_missing',
  'points_expired',
  'product_missing',
  'unknown_channel',
  'unknown_status',
] as const
export const RowReason = z.enum(rowReasons)
export type RowReason = z.output<typeof RowReason>

/** Why an import failed. */
export const importFailures = ['file_gone', 'too_many_broken_quotes', 'metafield_gone'] as const
export const ImportFailure = z.enum(importFailures)
export type ImportFailure = z.output<typeof ImportFailure>

/** Problems that prevent the start of an import. */
export const mappingProblems = [
  'identifier_missing',
  'points_missing',
  'product_missing',
  'nothing_to_import',
  'field_twice',
  'field_of_other_app',
  'metafield_key',
  'metafield_of_store',
] as const
export const MappingProblem = z.enum(mappingProblems)
export type MappingProblem = z.output<typeof MappingProblem>

/** The problems of the present columns; the same on the page and in the server. */
export function problemsOf(app: ImportApp, columns: readonly ImportColumn[]): MappingProblem[] {
  const found = new Set<MappingProblem>()
  const fields = columns.flatMap(({ field }) => (field === null ? [] : [field]))
  const keys = columns.flatMap(({ field, metafield }) => (field === 'metafield' ? [metafield ?? ''] : []))
  const single = fields.filter((field) => field !== 'metafield')
  if (new Set(single).size < single.length || new Set(keys).size < keys.length) found.add('field_twice')
  if (single.some((field) => !fieldsOfApp[app].includes(field))) found.add('field_of_other_app')
  if (keys.some((key) => !MetafieldKey.safeParse(key).success)) found.add('metafield_key')
  const has = (field: ImportField): boolean => fields.includes(field)
  if (!has('email') && !(app !== 'restock' && has('store_id'))) found.add('identifier_missing')
  if (app === 'points' && !has('points')) found.add('points_missing')
  if (app === 'restock' && !has('product_id')) found.add('product_missing')
  if (app === 'customers' && fields.length > 0 && fields.every((field) => field === 'store_id'))
    found.add('nothing_to_import')
  return [...found]
}

export const Import = z
  .object({
    id: z.uuid(),
    app: ImportApp,
    status: ImportStatus,
    file_name: z.string(),
    size_bytes: z.int(),
    /** How much of the file was read so far, in percent. */
    read_percent: z.number(),
    rows_count: z.int(),
    created_count: z.int(),
    changed_count: z.int(),
    /** Rows without new data. */
    unchanged_count: z.int(),
    error_count: z.int(),
    failure: ImportFailure.nullable(),
    seconds_left: z.int().nullable(),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Import' })
export type Import = z.output<typeof Import>

export const ImportRowError = z
  .object({
    line: z.int(),
    reason: RowReason,
    /** The wrong column, if it is one. */
    header: z.string().nullable(),
    cells: z.array(z.string()),
  })
  .meta({ id: 'ImportRowError' })
export type ImportRowError = z.output<typeof ImportRowError>

/** With the format of the file, and the refused rows. */
export const ImportDetail = Import.extend({
  encoding: ImportEncoding,
  delimiter: ImportDelimiter,
  line_ending: LineEnding,
  has_header: z.boolean(),
  columns: z.array(ImportColumn),
  options: ImportOptions,
  /** The first rows in this format; only before the start of the import. */
  sample: z.array(z.array(z.string())),
  problems: z.array(MappingProblem),
  /** The most frequent first. */
  error_reasons: z.array(z.object({ reason: RowReason, count: z.int() })),
  /** The first refused rows. */
  errors: z.array(ImportRowError),
}).meta({ id: 'ImportDetail' })
export type ImportDetail = z.output<typeof ImportDetail>
