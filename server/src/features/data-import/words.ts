import type { ImportApp, ImportFailure, RowReason } from '@okaeri/contract/imports/import'
import type { Localized } from '@okaeri/contract/locale'

/** For the file of refused rows and the mail at the end. The pages have their own words for the same reasons. */
export const importWords = {
  line: { ja: '行', en: 'Line' },
  reason: { ja: '理由', en: 'Reason' },
  column: { ja: '列', en: 'Column' },
  errors: { ja: 'エラー行', en: 'error-rows' },
  apps: {
    points: { ja: 'ポイントアプリ', en: 'points app' },
    restock: { ja: '再入荷通知アプリ', en: 'back-in-stock app' },
    customers: { ja: '顧客', en: 'customers' },
  } satisfies Record<ImportApp, Localized>,
  failures: {
    file_gone: {
      ja: 'アップロードしたファイルが見つかりません。もう一度アップロードしてください。',
      en: 'The uploaded file is no longer available. Please upload it again.',
    },
    too_many_broken_quotes: {
      ja: '閉じられていない引用符（"）が多すぎて、行を区切れません。ファイルを作り直してください。',
      en: 'Too many quotes (") are not closed, so rows cannot be separated. Please recreate the file.',
    },
    metafield_gone: {
      ja: '取り込み先のメタフィールドが、途中で削除または変更されました。',
      en: 'The target metafield was deleted or changed during the import.',
    },
  } satisfies Record<ImportFailure, Localized>,
  reasons: {
    column_count: { ja: '列の数が見出しと違います', en: 'Not the same number of columns as the header' },
    row_too_long: { ja: '行が長すぎます', en: 'Row too long' },
    cell_too_long: { ja: 'セルの文字数が多すぎます（64 KBまで）', en: 'Cell too long (up to 64 KB)' },
    quote_not_closed: { ja: '引用符（"）が閉じられていません', en: 'A quote (") is not closed' },
    wrong_encoding: {
      ja: 'ほかの行と文字コードが違うため読み取れません',
      en: 'Different encoding from the rest of the file',
    },
    unreadable_characters: { ja: '使えない制御文字が含まれています', en: 'Contains invalid control characters' },
    no_identifier: { ja: 'メールアドレスとIDのどちらもありません', en: 'No email address or ID' },
    id_damaged: {
      ja: 'IDが表計算ソフトで変換され、元の値が失われています（例：7.21E+12）。元のアプリから出力し直してください。',
      en: 'ID damaged by a spreadsheet (such as 7.21E+12). Export the file again from its source.',
    },
    not_an_id: { ja: 'IDとして読み取れません', en: 'Invalid ID' },
    not_an_email: { ja: 'メールアドレスとして正しくありません', en: 'Invalid email address' },
    not_a_date: { ja: '日付として読み取れません', en: 'Invalid date' },
    not_a_number: { ja: '数値として読み取れません', en: 'Invalid number' },
    not_a_phone: { ja: '電話番号として正しくありません', en: 'Invalid phone number' },
    not_a_consent: {
      ja: '許可の有無として読み取れません（yes / no など）',
      en: 'Invalid permission value (use yes or no, for example)',
    },
    unknown_language: {
      ja: '言語として読み取れません（ja、en など）',
      en: 'Unknown language (use ja or en, for example)',
    },
    unknown_country: {
      ja: '国として読み取れません（JP、日本、Japan など）',
      en: 'Unknown country (use JP, Japan or 日本, for example)',
    },
    unknown_province: {
      ja: '都道府県コードとして読み取れません（JP-13 など。13 のときは国の列も必要です）',
      en: 'Unknown prefecture code (use JP-13, for example; 13 needs a country column)',
    },
    text_too_long: { ja: '文字数が多すぎます', en: 'Text too long' },
    too_many_tags: { ja: 'タグが多すぎます（250個まで）', en: 'Too many tags (up to 250)' },
    unknown_customer: { ja: '該当する顧客がいません', en: 'Customer not found' },
    points_missing: { ja: 'ポイントがありません', en: 'No points' },
    points_expired: { ja: 'ポイントの有効期限が切れています', en: 'Points expired' },
    product_missing: { ja: '商品IDがありません', en: 'No product ID' },
    unknown_channel: { ja: 'メール以外の通知方法は取り込めません', en: 'Only email notifications can be imported' },
    unknown_status: { ja: 'ステータスを読み取れません', en: 'Unknown status' },
  } satisfies Record<RowReason, Localized>,
}
