import type { ImportApp, ImportField } from '@okaeri/contract/imports/import'
import { describe, expect, test } from 'vitest'
import { guessColumns } from './columns.ts'

interface Kind {
  app: ImportApp
  field: ImportField
  cells: string[]
  headings: string
}
/** Headings that shops and their tools invent; none of them is in the table of names. */
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
      'ポイントの有効期限|有効期限日|ポイント失効日|失効予定日|期限|ポイント期限|有効期限（年月日）|ポイントの失効日時|次回失効日|有効期限終了日|expired_on|expiration_day|points_expire_at|Points expiry|Expiring on|ExpiresOn|point expiration date|expiry_dt|Valid until|Expires (date)|ポイント有効期間終了日|ポイント消滅日|ポイント満了日|最終有効日|Valid through|Use by',
  },
  {
    app: 'points',
    field: 'store_id',
    cells: ['7210448301122', '7210448301123'],
    headings:
      'Shopify顧客ID|お客様コード|会員コード|顧客コード|お客様番号（ID）|ユーザーID|会員ID（数字）|顧客管理番号|カスタマーID|会員No|customer_id|customerId|Shopify Customer Id|user_id|member no|Customer No.|customer number|CustomerCode|user number|shopify_id|会員ナンバー|CUST_ID|client id|account id|Shopify UID',
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
      'お電話番号|電話番号（ハイフンあり）|連絡先電話番号|ご連絡先電話|携帯番号|お客様携帯番号|スマホの番号|日中のお電話番号|会員電話番号|自宅電話|phone_number|customer phone|Contact Tel|mobile_phone|Tel.|phone1|cell phone|Primary Phone|telNo|MobileNumber|スマートフォン番号|TEL1',
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
      'メルマガ登録|メルマガ希望|メルマガ購読状況|メールマガジンの購読|メルマガ配信希望|お知らせメール希望|ニュースレター|メール配信の希望|案内メール配信|ご案内を希望|広告メールへの同意|受信の許可|配信の同意|newsletter_subscribed|marketing_opt_in|Opt-in|email marketing status|accepts_newsletter|Newsletter consent|mailing list|mail_permission|accepts_email|Wants offers by email',
  },
  {
    app: 'customers',
    field: 'zip',
    cells: ['100-0005', '1500001'],
    headings:
      'ご郵便番号|郵便番号（ハイフンなし）|お客様郵便番号|自宅郵便番号|現住所郵便番号|住所の郵便番号|会員郵便番号|郵便番号1|〒（郵便番号）|郵便番号:|zip_code|postal code|postCode|Zip/Postal|customer zip|home postcode|Postal Code (JP)|zip no|default_zip|postal_cd|郵便No|ゆうびん番号',
  },
  {
    app: 'restock',
    field: 'product_id',
    cells: ['632910392', '632910393'],
    headings:
      '商品のID|商品コード|商品ID（Shopify）|対象商品ID|希望商品番号|アイテムID|商品No|プロダクト番号|再入荷商品ID|登録商品ID|product_id|productId|item_id|Item ID|Product Code|product number|shopify_product_id|Product No.|requested product id|productID (numeric)|ShopifyのプロダクトID|Product Identifier',
  },
  {
    app: 'restock',
    field: 'requested_at',
    cells: ['2026-03-01 09:12:33 UTC', '2026/2/20 22:00'],
    headings:
      'ご登録日|登録した日時|お申し込み日|申込み日時|リクエストした日|受付日時|受付日|再入荷の申込日|依頼日|作成した日|subscribed_at|created_at (UTC)|requestedAt|registered_on_date|Registration Date|request_date|Signup date|Date requested|createdDate|registered_at|通知希望日|エントリー日|Requested On|joined at',
  },
]

/** A second set, invented without knowing the rules: odd punctuation, full width, units and remarks in brackets. */
const furtherKinds: Kind[] = [
  {
    app: 'customers',
    field: 'email',
    cells: ['hanako@example.com', 'taro@example.jp'],
    headings:
      '\ufeff電子メールアドレス|※メールアドレス|Ｅメールアドレス|お客さまメールアドレス【PC】|登録ｱﾄﾞﾚｽ（メール）|メールアドレス (確認用)|Buyer Email|Contact.Email|E-mail（ログインID）|EMAIL ADDRESS *',
  },
  {
    app: 'customers',
    field: 'full_name',
    cells: ['山田 花子', '佐藤 太郎'],
    headings:
      'お客さま名|ご契約者名|注文者名|購入者名|【必須】お名前|氏　名|Buyer name|Client name|Contact name|Name (Kanji)|name_full|Display name|Subscriber Name|Full Name *',
  },
  {
    app: 'customers',
    field: 'last_name',
    cells: ['山田', '佐藤'],
    headings:
      'お客様の姓|姓（漢字）|お名前：姓|姓*|【姓】|名前_姓|ラストネーム|lname|Last|Family Name (Kanji)|LASTNAME|ご氏名（姓）|姓名（姓）',
  },
  {
    app: 'customers',
    field: 'first_name',
    cells: ['花子', '太郎'],
    headings:
      'お客様の名|名（漢字）|お名前：名|名*|【名】|下のお名前|ファーストネーム|fname|First|Name First|FIRSTNAME|姓名（名）|名（全角）|会員名（名）',
  },
  {
    app: 'customers',
    field: 'phone',
    cells: ['090-1234-5678', '03-1234-5678'],
    headings:
      'ＴＥＬ|ケータイ番号|【電話番号】|電話番号※ハイフンなし|固定電話|連絡先(電話)|contact_number|Phone #|TEL:|Mobile No',
  },
  {
    app: 'customers',
    field: 'birthday',
    cells: ['1990-04-01', '1985/12/3'],
    headings:
      'お生まれの日|御誕生日|バースデイ|生年月日 (西暦8桁)|【誕生日】|b-day|Born on|D.O.B.|DOB (optional)|Your Birthday?',
  },
  {
    app: 'points',
    field: 'points',
    cells: ['300', '1,200'],
    headings:
      '保有ＰＴ|未使用ポイント|未利用のポイント|使えるポイント|ポイント残高[pt]|Pts|Current pts|Unused points|Reward balance',
  },
  {
    app: 'customers',
    field: 'marketing_consent',
    cells: ['はい', 'いいえ'],
    headings:
      'ＤＭメール可否|お得な情報のメール受信|メール配信可|キャンペーンメールの受信|新着情報メール希望|セール情報を受け取る|メルマガ受け取り|Receives promotional emails|Email subscription|Agreed to promotional email|E-mail marketing (Y/N)',
  },
  {
    app: 'customers',
    field: 'tags',
    cells: ['VIP, 常連', '新規'],
    headings: 'Customer Tag|Tag list|tag_names|ﾀｸﾞ|【タグ】|タグ（複数可）|Tag(s)',
  },
  {
    app: 'restock',
    field: 'requested_at',
    cells: ['2026-03-01 09:12:33', '2026/2/20 22:00'],
    headings:
      '申請日|入荷通知登録日|通知申込日|登録日時（JST）|Created|Created On|Signed up at|sign_up_date|Date added|Added at|Request Time|Subscription date',
  },
  {
    app: 'restock',
    field: 'notified_at',
    cells: ['2026-03-01 09:12:33', '2026/2/20 22:00'],
    headings:
      '送付日|最終通知日時|入荷連絡日|通知済み日時|Notified On|Sent On|Last notified|Notify date|Mail sent (UTC)|Date notified',
  },
  {
    app: 'restock',
    field: 'product_id',
    cells: ['632910392', '632910393'],
    headings: '商品ＩＤ|【商品ID】|商品識別番号|Prod ID|Shopify Product|product.id|Product ID #',
  },
  {
    app: 'restock',
    field: 'variant_id',
    cells: ['8032910392', '8032910393'],
    headings: 'Shopifyバリアント ID|ﾊﾞﾘｴｰｼｮﾝID|【バリアントID】|Variant #|product_variant|Variation No.|規格ID|var_id',
  },
]

describe.each([...kinds, ...furtherKinds])(
  'a column of $field in a file of $app',
  ({ app, field, cells, headings }) => {
    test.each(headings.split('|'))('called %s', (heading) => {
      const rows = cells.map((cell) => [cell, 'x'])
      expect(guessColumns(app, [heading, 'その他'], rows)[0]).toEqual({ header: heading, field, metafield: null })
    })
  },
)

const fieldsOf = (app: ImportApp, columns: Record<string, string[]>) => {
  const headers = Object.keys(columns)
  const rows = [0, 1].map((row) => headers.map((header) => columns[header]?.[row] ?? ''))
  return guessColumns(app, headers, rows).map(({ field }) => field)
}

test('headings that only sound similar are not matched', () => {
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

const misleading: { app: ImportApp; cells: string[]; headings: string }[] = [
  {
    app: 'customers',
    cells: ['2026-01-01', '2026-02-03'],
    headings: 'メールアドレス確認日|誕生日クーポン送付日|電話番号変更日|メルマガ解除日|最終購入日',
  },
  {
    app: 'customers',
    cells: ['はい', 'いいえ'],
    headings:
      '電話番号確認済み|メール認証済み|SMS受信許可|LINE配信許可|生年月日公開|個人情報の同意|メール配信停止|メルマガ不要|メール受信拒否|Unsubscribed|Email opt-out|Do not email|アプリのプッシュ通知許可',
  },
  {
    app: 'customers',
    cells: ['山田 花子', '佐藤 太郎'],
    headings:
      '紹介者名|担当者名|配送先氏名|緊急連絡先氏名|店舗名|商品名|Staff name|ペットの名前|お子様のお名前|Pet name',
  },
  {
    app: 'customers',
    cells: ['ヤマダ', 'ハナコ'],
    headings:
      'フリガナ|氏名（カナ）|セイ|メイ|姓（カナ）|姓ｶﾅ|last_name_kana|First Name (Kana)|よみがな|Furigana|お名前(ひらがな)',
  },
  {
    app: 'points',
    cells: ['300', '1200'],
    headings:
      '累計獲得ポイント|失効ポイント|今月付与予定ポイント|利用済みポイント|ポイント倍率|Pending points|Points spent|Expired points',
  },
  {
    app: 'points',
    cells: ['2027-01-01', '2027-03-31'],
    headings: 'クーポン有効期限|会員証有効期限切れ通知日|クレジットカード有効期限|ポイント付与日|Coupon expires',
  },
  {
    app: 'restock',
    cells: ['632910392', '632910393'],
    headings: '注文番号|JANコード|SKU|SKUコード|商品数|在庫数|商品価格|Order ID|Collection ID',
  },
  {
    app: 'restock',
    cells: ['2026-03-01', '2026-03-02'],
    headings: '入荷予定日|発売日|商品登録日|商品作成日|会員登録日|最終更新日時|product_created_at|Restock date',
  },
]
describe.each(misleading)('with $cells.0 below it in a file of $app, nothing is', ({ app, cells, headings }) => {
  test.each(headings.split('|'))('%s', (heading) => {
    const rows = cells.map((cell) => [cell, 'x', 'x@x.test'])
    expect(guessColumns(app, [heading, 'その他', 'メール'], rows)[0]).toMatchObject({ header: heading, field: null })
  })
})
test('another person’s address is not taken for the customer’s, if the customer’s own is there', () => {
  for (const heading of ['紹介者のメール', '担当者メール', '配送先メールアドレス', 'Referrer email'])
    expect(fieldsOf('customers', { [heading]: ['a@a.test', 'b@b.test'], メール: ['c@c.test', 'd@d.test'] })).toEqual([
      null,
      'email',
    ])
})

test('the values below decide between similar headings', () => {
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
