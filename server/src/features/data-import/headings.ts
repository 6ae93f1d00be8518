import type { ImportField } from '@okaeri/contract/imports/import'
import { foldText } from '../../kernel/folding.ts'

type Field = Exclude<ImportField, 'metafield'>

/** Letter case, width, kana, spaces and punctuation make no difference. */
const fold = (header: string): string => foldText(header).replace(/[^\p{L}\p{N}〒]|ー/gu, '')

/** Names of columns, in the applications' own files and as people write them. */
const names: Record<Field, readonly string[]> = {
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
  first_name: ['First name', 'given name', '名', '名前(名)', 'お名前(名)', '氏名(名)', 'First', 'fname'],
  last_name: [
    'Last name',
    'family name',
    'surname',
    '姓',
    '名前(姓)',
    'お名前(姓)',
    '氏名(姓)',
    '苗字',
    '名字',
    'Last',
    'lname',
  ],
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
    'Email notification permission',
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
const fieldsByName = new Map<string, Field[]>()
for (const [field, spellings] of Object.entries(names) as [Field, readonly string[]][])
  for (const spelling of spellings) {
    const key = fold(spelling)
    fieldsByName.set(key, [...(fieldsByName.get(key) ?? []), field])
  }

export const fieldsCalled = (header: string): readonly Field[] => fieldsByName.get(fold(header)) ?? []

/**
 * Words in headings that people invent: all words of one line of `has`, and none of `not`. Latin words of up to four letters must be whole
 * words, others may be part of a longer one; a word with `$` must end the heading.
 */
interface Hint {
  has: readonly string[]
  not?: readonly string[]
}
const eachWith = (firsts: string, seconds: string): string[] =>
  firsts.split(' ').flatMap((first) => seconds.split(' ').map((second) => `${first} ${second}`))

const WHO = 'customer cust client account member user shopify 顧客 会員 お客 ユーザー カスタマー ショッピファイ'
const NUMBER = 'id uid no code number identifier 番号 コード ナンバー'
const PERMISSION = [
  '許可',
  '同意',
  '希望',
  '可否',
  '購読',
  '配信',
  '受信',
  'accept',
  'subscri',
  'consent',
  'permission',
  'optin',
  'newsletter',
  'magazine',
  'メルマガ',
  'マガジン',
  'marketing',
  'マーケティング',
]
const TIME = ['日時', '年月日', '日付', '登録日', '作成日', '更新日', 'date', 'at']
const READING = ['カナ', 'ガナ', '読み', 'よみ', 'ローマ字', 'kana', 'reading']
const OTHERS_NAME = [
  '会社',
  '企業',
  '法人',
  '商品',
  '店舗',
  '店名',
  'company',
  'product',
  'shop',
  'store',
  'ポイント',
  'ランク',
  'タグ',
]
/** Not the customer's own: the delivery address, the recipient of a present. */
const OTHERS = ['配送先', 'お届け先', '送付先', '請求先', 'shipping', 'billing', '紹介', 'referr', '担当', '緊急']
const FAMILY = ['家族', '子供', '子ども', 'お子', 'ペット', 'child', 'kids', 'pet']
/** The opposite of consent: "yes" below it means no. */
const REFUSAL = ['停止', '解除', '拒否', '不要', '退会', 'optout', 'optedout', 'unsubscri', 'donot']

const hints: Partial<Record<Field, Hint>> = {
  store_id: {
    has: [...eachWith(WHO, NUMBER), 'shopify customer'],
    not: [
      'プロダクト',
      'アイテム',
      'prod',
      'item',
      '電話',
      '携帯',
      'スマホ',
      'バリ',
      'variation',
      'カード',
      '口座',
      '郵便',
      '商品',
      'product',
      'order',
      '注文',
      'line',
      'variant',
      'discount',
      'クーポン',
      'coupon',
      'postal',
      'phone',
    ],
  },
  email: {
    has: ['メール', 'email', 'mail', 'メアド', '連絡先 アドレス'],
    not: [
      ...PERMISSION,
      ...OTHERS,
      '通知',
      'お知らせ',
      'ステータス',
      '状態',
      '件名',
      '種別',
      '形式',
      'sent',
      'status',
      'type',
      'notification',
      ...TIME,
    ],
  },
  first_name: {
    has: [
      '下 名前',
      '名前名',
      '氏名名',
      '名漢字',
      'ファーストネーム',
      '姓名名',
      '会員名名',
      'お客様名名',
      '名全角',
      'の名$',
      'firstname',
      'name first',
      'givenname',
      'forename',
    ],
    not: [
      ...READING,
      ...OTHERS_NAME,
      ...OTHERS,
      '姓名$',
      '姓名漢字',
      '姓名全角',
      '氏名漢字',
      '氏名全角',
      '前漢字',
      '前全角',
      '名称',
    ],
  },
  last_name: {
    has: [
      '姓',
      '氏名姓',
      '名前姓',
      '姓名姓',
      '会員名姓',
      'お客様名姓',
      '苗字',
      '名字',
      '上 名前',
      'ラストネーム',
      'lastname',
      'name last',
      'familyname',
      'surname',
    ],
    not: [...READING, ...OTHERS_NAME, ...OTHERS, '姓名$'],
  },
  full_name: {
    has: [
      '姓名',
      '氏名',
      '名前',
      'フルネーム',
      '顧客名',
      '会員名',
      'お客様名',
      'お客さま名',
      ...eachWith('購入者 注文者 契約者 利用者 登録者', '名$'),
      ...eachWith('full customer member buyer client contact subscriber purchaser display your kanji', 'name'),
    ],
    not: [...READING, ...OTHERS_NAME, ...OTHERS, ...FAMILY, 'ユーザー', 'user', 'first', 'last', 'given', 'family'],
  },
  phone: {
    has: [
      '電話',
      'でんわ',
      '携帯',
      'スマホ 番号',
      'スマートフォン 番号',
      'ケータイ',
      'contact number',
      'phone',
      'mobile',
      'tel',
      'tel1',
      'cell',
    ],
    not: [...OTHERS, ...PERMISSION, '会社', '機種', '種別', 'type'],
  },
  birthday: {
    has: ['誕生', '生年月日', '生まれ', 'バースデ', 'birth', 'bday', 'dob', 'b day', 'born'],
    not: [...OTHERS, ...PERMISSION, 'クーポン', 'coupon', 'ポイント', 'point', '特典', ...FAMILY],
  },
  tags: { has: ['タグ', 'tags', 'tag'], not: ['商品', 'product', '注文', 'order', 'ハッシュ'] },
  company: {
    has: ['会社', '企業', '法人', '勤務先', 'company', 'organization', 'organisation'],
    not: [...OTHERS, '電話', '住所', 'phone', 'address', 'id', '番号'],
  },
  zip: {
    has: ['郵便番号', '郵便', 'ゆうびん', '〒', 'zipcode', 'postcode', 'postal', 'zip'],
    not: [...OTHERS, ...PERMISSION, 'dm', '案内'],
  },
  province: {
    has: ['都道府県', '県名', 'prefecture', 'pref', 'province', 'home state'],
    not: [...OTHERS, 'code', 'コード'],
  },
  province_code: { has: ['都道府県 コード', 'prefecture code', 'province code'], not: OTHERS },
  country: { has: ['国名', '国コード', '国籍', 'お住まい 国', 'country'], not: OTHERS },
  city: { has: ['市区町村', '市町村', '市区', 'city'], not: [...OTHERS, 'capacity'] },
  address2: {
    has: [
      '建物',
      'マンション',
      'アパート',
      '部屋番号',
      '住所2',
      '住所二',
      'address2',
      'addressline2',
      'building',
      'apartment',
    ],
    not: OTHERS,
  },
  address1: {
    has: ['住所', '番地', '町名', 'address1', 'addressline1', 'street'],
    not: [...OTHERS, 'メール', 'mail', '住所2', '住所二', 'カナ', 'かな'],
  },
  language: { has: ['言語', 'language', 'locale'] },
  marketing_consent: {
    has: [
      'メルマガ',
      'マガジン',
      'マーケティング',
      'ニュースレター',
      'newsletter',
      'marketing',
      'mailinglist',
      'optin',
      '案内 メール',
      '案内 希望',
      '配信 希望',
      '配信 許可',
      '配信 同意',
      '受信 希望',
      '受信 許可',
      '購読',
      'お知らせ メール 希望',
      '広告 同意',
      '情報 受け取',
      ...eachWith(
        'メール email mail dm',
        '受信 配信 可否 希望 受け取 受取 許可 同意 購読 subscri agree accept permission receiv promo offer',
      ),
    ],
    not: [
      'sms',
      'line',
      'whatsapp',
      '通知',
      'transaction',
      '個人情報',
      ...REFUSAL,
      ...TIME,
      '電話',
      '郵送',
      'fax',
      'push',
      'アプリ',
    ],
  },
  notification_consent: {
    has: [
      '通知 許可',
      '通知 希望',
      '通知 同意',
      '通知 受信',
      'お知らせ 許可',
      'お知らせ 同意',
      'notification consent',
      'notification permission',
      'accepts notification',
    ],
    not: ['sms', 'line', 'プッシュ', 'push', 'アプリ', ...REFUSAL, ...TIME],
  },
  note: { has: ['備考', 'メモ', '特記', 'コメント', 'notes', 'memo', 'comment', 'remark'], not: ['日'] },
  points: {
    has: ['ポイント', 'points', 'point', '残高', 'balance', 'pt', 'pts'],
    not: [
      '期限',
      '期間',
      '失効',
      '消滅',
      '満了',
      'expir',
      'valid',
      'lapse',
      '日',
      'date',
      '名',
      'title',
      'ランク',
      'rank',
      '累計',
      '累積',
      '使用',
      '消費',
      '利用済',
      'pending',
      'used',
      'spent',
      'lifetime',
      'total',
      '理由',
      'reason',
      'id',
      '予定',
      '倍',
    ],
  },
  points_expire_on: {
    has: [
      '期限',
      '失効',
      '消滅',
      '満了',
      '有効期間',
      '最終有効日',
      'expir',
      'validuntil',
      'validthrough',
      'lapse',
      'useby',
      'ends on',
      'まで 有効',
    ],
    not: ['カード', 'card', 'クーポン', 'coupon', '会員証', '通知', '延長', 'extension', '予定 ポイント'],
  },
  product_id: {
    has: [...eachWith('商品 プロダクト アイテム product prod item', NUMBER), 'shopify product'],
    not: ['variant', 'variation', 'バリ', '種類', 'sku', '名', 'title', 'name'],
  },
  variant_id: {
    has: [
      ...eachWith('バリエーション バリアント variant variation var 種類 規格 選択肢', NUMBER),
      'variant',
      'バリアント',
    ],
    not: ['名', 'title', 'name', 'sku', 'option', '価格', 'price', '在庫', 'stock'],
  },
  channel: { has: ['通知方法', '通知手段', '連絡方法', '種別', 'チャネル', 'チャンネル', 'channel', 'method'] },
  requested_at: {
    has: [
      '登録 日',
      '申込 日',
      '申し込み 日',
      'リクエスト 日',
      '受付 日',
      '作成 日',
      '依頼 日',
      '希望 日',
      'エントリー 日',
      '申請 日',
      'created',
      'date added',
      'added at',
      'added on',
      'signedup',
      'signup',
      'request time',
      'subscription date',
      'subscribed at',
      'created at',
      'requested at',
      'registered at',
      'subscribed date',
      'created date',
      'requested date',
      'registered date',
      'registration date',
      'request date',
      'signup date',
      'requested on',
      'subscribed on',
      'waitlist date',
      'entry date',
      'joined',
      'registration time',
      'timestamp',
    ],
    // The last word decides: 「通知申込日」 is the day of the request, 「申込通知日」 the day of the notification.
    not: [
      '通知日',
      '通知送',
      '通知済',
      '通知メール',
      '送信',
      'sent',
      '更新',
      '最終',
      '商品 登録',
      '商品 作成',
      'product',
      '会員',
      '顧客',
      'customer',
    ],
  },
  request_status: { has: ['ステータス', '状態', '状況', 'status'] },
  notified_at: {
    has: [
      '通知 日',
      '送信 日',
      '連絡 日',
      '配信 日',
      'sent at',
      'notified at',
      'sent date',
      'notified date',
      'notification date',
      'notification at',
      '送付 日',
      'notified',
      'notify date',
      'sent on',
      'mail sent',
    ],
    not: ['登録日', '申込日', '申し込み日', '依頼日', '受付日', 'リクエスト日', '希望'],
  },
}

const NOT_YET = /未(?:使用|利用|消費)/g
const LATIN = /^[a-z0-9]+$/
const ALONE_UP_TO = 4
const tokensOf = (header: string): string[] =>
  header
    .normalize('NFKC')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((token) => token !== '')

/** A heading prepared for matching. */
interface Heading {
  folded: string
  tokens: ReadonlySet<string>
}
const contains = ({ folded, tokens }: Heading, word: string): boolean =>
  word.endsWith('$')
    ? folded.endsWith(fold(word))
    : LATIN.test(word) && word.length <= ALONE_UP_TO
      ? tokens.has(word)
      : folded.includes(fold(word))

/** The fields whose words a heading contains, each with the number of letters they explain. */
export function fieldsMeant(header: string): Map<Field, number> {
  const heading: Heading = { folded: fold(header), tokens: new Set(tokensOf(header)) }
  // 「未使用」 is not 「使用」.
  const denying: Heading = { ...heading, folded: heading.folded.replace(NOT_YET, '') }
  const meant = new Map<Field, number>()
  for (const [field, { has, not = [] }] of Object.entries(hints) as [Field, Hint][]) {
    if (not.some((line) => line.split(' ').every((word) => contains(denying, word)))) continue
    const found = has.filter((line) => line.split(' ').every((word) => contains(heading, word)))
    if (found.length > 0) meant.set(field, Math.max(...found.map((line) => line.replaceAll(' ', '').length)))
  }
  return meant
}
