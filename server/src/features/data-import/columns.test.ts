import type { ImportApp, ImportField } from '@okaeri/contract/imports/import'
import { describe, expect, test } from 'vitest'
import { guessColumns } from './columns.ts'

interface Kind {
  app: ImportApp
  field: ImportField
  cells: string[]
  headings: string
}
/** Headings as shops and their tools make them up; none of them is in the table of names. */
const kinds: Kind[] = [
  {
    app: 'points',
    field: 'email',
    cells: ['hanako@example.com', 'taro@example.jp'],
    headings:
      'お客様のメールアドレス|ご登録メールアドレス|メールアドレス（半角）|メールアドレス1|会員メール|購入者メール|連絡先メールアドレス|E-Mailアドレス|Eメール（PC）|ログイン用メール|メアド|MAIL_ADDRESS|customer_email|Customer E-mail|user email|emailAddress|primary_email|contact email|Email (required)|ログインID',
  },
  {
    app: 'points',
    field: 'points',
    cells: ['300', '1,200', '-20'],
    headings:
      '現在のポイント|お客様の保有ポイント|ポイント（現在）|利用可能なポイント数|ポイント残数|ポイント保有数|所持ポイント|会員ポイント|ポイント残高（pt）|有効ポイント|通常ポイント|移行するポイント|残ポイント|ショップポイント|point_balance|available_points|Current Points Balance|Loyalty points|points_available|rewardPoints',
  },
  {
    app: 'points',
    field: 'points_expire_on',
    cells: ['2027-11-30', '2027/1/5'],
    headings:
      'ポイントの有効期限|有効期限日|ポイント失効日|失効予定日|期限|ポイント期限|有効期限（年月日）|ポイントの失効日時|次回失効日|有効期限終了日|expired_on|expiration_day|points_expire_at|Points expiry|Expiring on|ExpiresOn|point expiration date|expiry_dt|Valid until|Expires (date)',
  },
  {
    app: 'points',
    field: 'store_id',
    cells: ['7210448301122', '7210448301123'],
    headings:
      'Shopify顧客ID|お客様コード|会員コード|顧客コード|お客様番号（ID）|ユーザーID|会員ID（数字）|顧客管理番号|カスタマーID|会員No|customer_id|customerId|Shopify Customer Id|user_id|member no|Customer No.|customer number|CustomerCode|user number|shopify_id',
  },
  {
    app: 'customers',
    field: 'birthday',
    cells: ['1990-04-01', '1985/12/3'],
    headings:
      'お客様の生年月日|ご生年月日|生年月日（西暦）|お客様の誕生日|誕生日（任意）|会員誕生日|お誕生日を教えてください|誕生年月日|バースデー|birth_day|birth-date|Customer birthday|birthday (YYYY-MM-DD)|dateOfBirth|customer dob|Bday|birthdate_on|Birth day|member_birthday|誕生日/生年月日',
  },
  {
    app: 'customers',
    field: 'phone',
    cells: ['090-1234-5678', '0312345678'],
    headings:
      'お電話番号|電話番号（ハイフンあり）|連絡先電話番号|ご連絡先電話|携帯番号|お客様携帯番号|スマホの番号|日中のお電話番号|会員電話番号|自宅電話|phone_number|customer phone|Contact Tel|mobile_phone|Tel.|phone1|cell phone|Primary Phone|telNo|MobileNumber',
  },
  {
    app: 'customers',
    field: 'full_name',
    cells: ['山田 花子', 'John Smith'],
    headings:
      'お客様氏名|ご氏名|お客様のお名前|会員氏名|氏名（漢字）|お名前（フルネーム）|名前（全角）|購入者氏名|姓名|フルネーム|会員のお名前|顧客氏名|ご購入者名前|氏名/名称|full_name|customer_name|CustomerName|Your name|fullName|member name',
  },
  {
    app: 'customers',
    field: 'marketing_consent',
    cells: ['はい', 'いいえ', '希望する'],
    headings:
      'メルマガ登録|メルマガ希望|メルマガ購読状況|メールマガジンの購読|メルマガ配信希望|お知らせメール希望|ニュースレター|メール配信の希望|案内メール配信|ご案内を希望|広告メールへの同意|受信の許可|配信の同意|newsletter_subscribed|marketing_opt_in|Opt-in|email marketing status|accepts_newsletter|Newsletter consent|mailing list',
  },
  {
    app: 'customers',
    field: 'zip',
    cells: ['100-0005', '1500001'],
    headings:
      'ご郵便番号|郵便番号（ハイフンなし）|お客様郵便番号|自宅郵便番号|現住所郵便番号|住所の郵便番号|会員郵便番号|郵便番号1|〒（郵便番号）|郵便番号:|zip_code|postal code|postCode|Zip/Postal|customer zip|home postcode|Postal Code (JP)|zip no|default_zip|postal_cd',
  },
  {
    app: 'restock',
    field: 'product_id',
    cells: ['632910392', '632910393'],
    headings:
      '商品のID|商品コード|商品ID（Shopify）|対象商品ID|希望商品番号|アイテムID|商品No|プロダクト番号|再入荷商品ID|登録商品ID|product_id|productId|item_id|Item ID|Product Code|product number|shopify_product_id|Product No.|requested product id|productID (numeric)',
  },
  {
    app: 'restock',
    field: 'requested_at',
    cells: ['2026-03-01 09:12:33 UTC', '2026/2/20 22:00'],
    headings:
      'ご登録日|登録した日時|お申し込み日|申込み日時|リクエストした日|受付日時|受付日|再入荷の申込日|依頼日|作成した日|subscribed_at|created_at (UTC)|requestedAt|registered_on_date|Registration Date|request_date|Signup date|Date requested|createdDate|registered_at',
  },
]

describe.each(kinds)('a column of $field in a file of $app', ({ app, field, cells, headings }) => {
  test.each(headings.split('|'))('called %s', (heading) => {
    const rows = cells.map((cell) => [cell, 'x'])
    expect(guessColumns(app, [heading, 'その他'], rows)[0]).toEqual({ header: heading, field, metafield: null })
  })
})

const fieldsOf = (app: ImportApp, columns: Record<string, string[]>) => {
  const headers = Object.keys(columns)
  const rows = [0, 1].map((row) => headers.map((header) => columns[header]?.[row] ?? ''))
  return guessColumns(app, headers, rows).map(({ field }) => field)
}

test('what only sounds like it is not taken for it', () => {
  expect(
    fieldsOf('customers', {
      メール配信停止日: ['2026-01-01', ''],
      メール件名: ['春のお知らせ', '夏'],
      配送先電話番号: ['0312345678', ''],
      商品名: ['リネンシャツ', '靴'],
      会社名フリガナ: ['カブシキ', ''],
      SMSマーケティング: ['yes', 'no'],
      お子様の誕生日: ['2020-01-01', ''],
      氏名フリガナ: ['ヤマダ ハナコ', ''],
    }).filter((field) => field !== null && field !== 'company'),
  ).toEqual([])
  expect(
    fieldsOf('points', {
      累計ポイント: ['9000', '100'],
      ポイント名: ['会員登録', '購入'],
      ポイント付与日: ['2026-01-01', '2026-01-02'],
      使用ポイント: ['10', '20'],
    }),
  ).toEqual([null, null, null, null])
})

test('what stands below decides between headings that sound alike', () => {
  expect(fieldsOf('points', { メール: ['届く', '届かない'], 連絡先: ['a@a.test', 'b@b.test'] })).toEqual([
    null,
    'email',
  ])
  expect(
    fieldsOf('points', {
      会員メール種別: ['PC', '携帯'],
      連絡先: ['a@a.test', 'b@b.test'],
      ポイント情報: ['ゴールド', '銀'],
    }),
  ).toEqual([null, 'email', null])
  expect(fieldsOf('points', { ポイント期限: ['2027-01-01', ''], ポイント現在: ['5', '6'] })).toEqual([
    'points_expire_on',
    'points',
  ])
})
