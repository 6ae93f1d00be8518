import { fieldsOfApp, type ImportApp, type ImportColumn, type ImportField } from '@okaeri/contract/imports/import'
import { splitMetafieldKey } from '@okaeri/contract/metafields/metafield'
import { foldText } from '../../kernel/folding.ts'
import { readEmail, readId } from './cells.ts'

/** Letter case, width, kana, spaces and punctuation make no difference. */
const fold = (header: string): string => foldText(header).replace(/[\s_\-‐ー・.()（）#:/]+/g, '')

/** What columns are called, in the applications' own files and as people write it. */
const names: Record<Exclude<ImportField, 'metafield'>, readonly string[]> = {
  store_id: [
    'Customer ID',
    'Shopify customer ID',
    'Shopify ID',
    'store customer id',
    'ストアの顧客ID',
    'id',
    'user id',
    'member id',
    '顧客ID',
    '会員ID',
    '顧客番号',
    '会員番号',
    'お客様ID',
    'お客様番号',
  ],
  email: [
    'Email',
    'E-mail',
    'mail',
    'Email address',
    'Mail address',
    'Customer email',
    'メール',
    'メールアドレス',
    'Eメール',
    'Eメールアドレス',
    '電子メール',
    '顧客メールアドレス',
    '顧客のメールアドレス',
    'お客様メールアドレス',
    'アドレス',
    'PCメールアドレス',
  ],
  first_name: ['First name', 'given name', '名', '名前(名)', 'お名前(名)', '氏名(名)', 'めい'],
  last_name: ['Last name', 'family name', 'surname', '姓', '名前(姓)', 'お名前(姓)', '氏名(姓)', '苗字', '名字'],
  full_name: ['Name', 'Full name', 'Customer name', '氏名', '名前', 'お名前', '顧客名', '会員名', 'お客様名'],
  phone: [
    'Phone',
    'Phone number',
    'Tel',
    'Telephone',
    'Mobile',
    '電話',
    '電話番号',
    '携帯',
    '携帯電話',
    '携帯電話番号',
    'TEL番号',
  ],
  language: ['Language', 'Locale', 'lang', '言語'],
  birthday: ['Birthday', 'Birth date', 'Birthdate', 'Date of birth', 'DOB', '誕生日', '生年月日', 'お誕生日'],
  tags: ['Tags', 'Tag', 'タグ', '顧客タグ', 'Customer tags'],
  company: ['Company', 'Default address company', '会社', '会社名', '企業名'],
  zip: ['Zip', 'Postal code', 'Postcode', 'Zip code', 'Default address zip', '郵便番号', '〒'],
  country: ['Country code', 'Default address country code', 'Country', '国', '国コード', '国名'],
  province: ['Province', 'Prefecture', 'State', '都道府県', '県', '都道府県名'],
  province_code: ['Province code', 'Default address province code', 'State code', '都道府県コード'],
  city: ['City', 'Default address city', '市区町村', '市町村', '市', '市区郡'],
  address1: ['Address1', 'Address', 'Default address address1', 'Street', '住所', '住所1', '番地', '町名番地'],
  address2: ['Address2', 'Default address address2', '住所2', '建物名', '建物', 'マンション名'],
  marketing_consent: [
    'Accepts email marketing',
    'Accepts marketing',
    'Email marketing',
    'Marketing consent',
    'Marketing permission',
    'Email marketing consent',
    'Newsletter',
    'Subscribed',
    'メルマガ',
    'メールマガジン',
    'メルマガ購読',
    'メルマガ許可',
    'メールマーケティング',
    'マーケティング許可',
    'メール配信許可',
    'メール配信',
    'メルマガ配信',
    'メルマガ受信',
    '配信許可',
    'メール受信許可',
  ],
  notification_consent: [
    'Accepts notifications',
    'Notification consent',
    'Notification permission',
    'Email notifications',
    'お知らせ許可',
    'お知らせメール',
    '通知許可',
    'メール通知',
    'メール通知許可',
    '通知メール許可',
  ],
  note: ['Note', 'Notes', 'Memo', 'Comment', 'メモ', '備考'],
  points: [
    'Points',
    'Point',
    'Point balance',
    'Points balance',
    'Balance',
    'Current points',
    'ポイント',
    '保有ポイント',
    'ポイント残高',
    '残高',
    '付与ポイント',
    'ポイント数',
    '移行ポイント',
    '現在ポイント',
    '利用可能ポイント',
  ],
  points_expire_on: [
    'Expired at',
    'Expires at',
    'Expiry',
    'Expiry date',
    'Expiration',
    'Expiration date',
    'Expires on',
    '有効期限',
    'ポイント有効期限',
    '失効日',
  ],
  product_id: ['Product ID', 'ProductId', 'Shopify product ID', '商品ID', 'プロダクトID', '商品番号'],
  variant_id: ['Variant ID', 'VariantId', 'Variation ID', 'バリエーションID', 'バリアントID', '種類ID'],
  channel: ['Type', 'Channel', 'Restock type', '種別', '通知方法', '通知種別', 'タイプ'],
  requested_at: [
    'Subscribed at',
    'Created at',
    'Created date',
    'Requested at',
    'Registered at',
    'Date',
    '登録日',
    '登録日時',
    '申込日',
    '申込日時',
    '作成日',
    '作成日時',
    'リクエスト日',
  ],
  request_status: ['Status', 'State', 'ステータス', '状態', '状況'],
  notified_at: [
    'Last message sent at',
    'Sent at',
    'Notified at',
    'Notification sent at',
    '通知日時',
    '通知日',
    '送信日時',
    '通知送信日時',
  ],
}
const fieldsByName = new Map<string, ImportField[]>()
for (const [field, spellings] of Object.entries(names) as [ImportField, readonly string[]][])
  for (const spelling of spellings) {
    const key = fold(spelling)
    fieldsByName.set(key, [...(fieldsByName.get(key) ?? []), field])
  }

/** The platform's export writes metafields as "誕生日 (customer.metafields.facts.birth_date)". */
const METAFIELD_HEADER = /\(?customer\.metafields?\.([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)\)?\s*$/i

/** What each column is, by its header. Of two that would be the same, the first. */
export function guessColumns(app: ImportApp, headers: readonly string[]): ImportColumn[] {
  const offered = fieldsOfApp[app]
  const taken = new Set<string>()
  return headers.map((header) => {
    const none: ImportColumn = { header, field: null, metafield: null }
    const metafield = METAFIELD_HEADER.exec(header)?.[1] ?? null
    if (metafield !== null) {
      if (!offered.includes('metafield') || !splitMetafieldKey(metafield) || taken.has(metafield)) return none
      taken.add(metafield)
      return { header, field: 'metafield', metafield }
    }
    const field = fieldsByName.get(fold(header))?.find((one) => offered.includes(one) && !taken.has(one))
    if (!field) return none
    taken.add(field)
    return { header, field, metafield: null }
  })
}

/** Whether the first row names columns: none of its cells is a mail address or a long number, and at least one is a name we know or a word. */
export function looksLikeHeader(app: ImportApp, row: readonly string[]): boolean {
  if (guessColumns(app, row).some(({ field }) => field !== null)) return true
  return (
    !row.some((cell) => 'value' in readEmail(cell) || 'value' in readId(cell)) && row.some((cell) => cell.trim() !== '')
  )
}

/** Without a header the cells themselves say what they are, as far as they do. */
export function guessFromCells(app: ImportApp, rows: readonly (readonly string[])[]): ImportColumn[] {
  const width = Math.max(0, ...rows.map((row) => row.length))
  const taken = new Set<ImportField>()
  const all = (index: number, test: (cell: string) => boolean): boolean => {
    const cells = rows.map((row) => row[index]?.trim() ?? '').filter((cell) => cell !== '')
    return cells.length > 0 && cells.every(test)
  }
  return Array.from({ length: width }, (_, index) => {
    const candidates: [ImportField, (cell: string) => boolean][] = [
      ['email', (cell) => 'value' in readEmail(cell)],
      [app === 'restock' ? 'product_id' : 'store_id', (cell) => /^'?\d{9,}$/.test(cell)],
      ...(app === 'restock'
        ? [['variant_id', (cell) => /^'?\d{9,}$/.test(cell)] as [ImportField, (cell: string) => boolean]]
        : []),
      ...(app === 'points'
        ? [['points', (cell) => /^-?[\d,]+$/.test(cell)] as [ImportField, (cell: string) => boolean]]
        : []),
    ]
    const field = candidates.find(([field, test]) => !taken.has(field) && all(index, test))?.[0] ?? null
    if (field) taken.add(field)
    return { header: '', field, metafield: null }
  })
}
