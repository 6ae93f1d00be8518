import type { ImportApp, ImportFailure, RowReason } from '@okaeri/contract/imports/import'
import type { Locale } from '@okaeri/contract/locale'

interface ImportWords {
  line: string
  reason: string
  column: string
  errors: string
  apps: Record<ImportApp, string>
  failures: Record<ImportFailure, string>
  reasons: Record<RowReason, string>
}

/** What the file of refused rows and the mail at the end say. The pages have the same reasons in their own words. */
export const importWords: Record<Locale, ImportWords> = {
  ja: {
    line: '行',
    reason: '理由',
    column: '列',
    errors: 'エラー行',
    apps: { points: 'ポイントアプリ', restock: '再入荷通知アプリ', customers: '顧客' },
    failures: {
      file_gone: 'アップロードしたファイルが見つかりません。もう一度アップロードしてください。',
      too_many_broken_quotes: '閉じられていない引用符（"）が多すぎて、行を区切れません。ファイルを作り直してください。',
      metafield_gone: '取り込み先のメタフィールドが、途中で削除または変更されました。',
    },
    reasons: {
      column_count: '列の数が見出しと違います',
      row_too_long: '行が長すぎます',
      cell_too_long: 'セルの文字数が多すぎます（64 KBまで）',
      quote_not_closed: '引用符（"）が閉じられていません',
      wrong_encoding: 'ほかの行と文字コードが違うため読み取れません',
      unreadable_characters: '使えない制御文字が含まれています',
      no_identifier: 'メールアドレスとIDのどちらもありません',
      id_damaged:
        'IDが表計算ソフトで変換され、元の値が失われています（例：7.21E+12）。元のアプリから出力し直してください。',
      not_an_id: 'IDとして読み取れません',
      not_an_email: 'メールアドレスとして正しくありません',
      not_a_date: '日付として読み取れません',
      not_a_number: '数値として読み取れません',
      not_a_phone: '電話番号として正しくありません',
      not_a_consent: '許可の有無として読み取れません（yes / no など）',
      unknown_language: '言語として読み取れません（ja、en など）',
      unknown_country: '国として読み取れません（JP、日本、Japan など）',
      unknown_province: '都道府県コードとして読み取れません（JP-13 など。13 のときは国の列も必要です）',
      text_too_long: '文字数が多すぎます',
      too_many_tags: 'タグが多すぎます（250個まで）',
      unknown_customer: '該当する顧客がいません',
      points_missing: 'ポイントがありません',
      points_expired: 'ポイントの有効期限が切れています',
      product_missing: '商品IDがありません',
      unknown_channel: 'メール以外の通知方法は取り込めません',
      unknown_status: 'ステータスを読み取れません',
    },
  },
  en: {
    line: 'Line',
    reason: 'Reason',
    column: 'Column',
    errors: 'error-rows',
    apps: { points: 'points app', restock: 'back-in-stock app', customers: 'customers' },
    failures: {
      file_gone: 'The uploaded file is no longer available. Please upload it again.',
      too_many_broken_quotes:
        'Too many quotes (") are not closed, so rows cannot be separated. Please recreate the file.',
      metafield_gone: 'The target metafield was deleted or changed during the import.',
    },
    reasons: {
      column_count: 'Not the same number of columns as the header',
      row_too_long: 'Row too long',
      cell_too_long: 'Cell too long (up to 64 KB)',
      quote_not_closed: 'A quote (") is not closed',
      wrong_encoding: 'Different encoding from the rest of the file',
      unreadable_characters: 'Contains invalid control characters',
      no_identifier: 'No email address or ID',
      id_damaged: 'ID damaged by a spreadsheet (such as 7.21E+12). Export the file again from its source.',
      not_an_id: 'Invalid ID',
      not_an_email: 'Invalid email address',
      not_a_date: 'Invalid date',
      not_a_number: 'Invalid number',
      not_a_phone: 'Invalid phone number',
      not_a_consent: 'Invalid permission value (use yes or no, for example)',
      unknown_language: 'Unknown language (use ja or en, for example)',
      unknown_country: 'Unknown country (use JP, Japan or 日本, for example)',
      unknown_province: 'Unknown prefecture code (use JP-13, for example; 13 needs a country column)',
      text_too_long: 'Text too long',
      too_many_tags: 'Too many tags (up to 250)',
      unknown_customer: 'Customer not found',
      points_missing: 'No points',
      points_expired: 'Points expired',
      product_missing: 'No product ID',
      unknown_channel: 'Only email notifications can be imported',
      unknown_status: 'Unknown status',
    },
  },
}
