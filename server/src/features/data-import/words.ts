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
      no_identifier: 'メールアドレスもIDもありません',
      id_damaged: 'IDが表計算ソフトによって壊れています（例: 7.21E+12）。元のファイルから出力し直してください',
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
      unknown_status: '状態を読み取れません',
    },
  },
  en: {
    line: 'Line',
    reason: 'Reason',
    column: 'Column',
    errors: 'refused-rows',
    apps: { points: 'points app', restock: 'back-in-stock app', customers: 'customers' },
    failures: {
      file_gone: 'The uploaded file is no longer there. Please upload it again.',
      too_many_broken_quotes:
        'Too many quotes (") are never closed, so rows cannot be told apart. Please make the file anew.',
      metafield_gone: 'The metafield that was being filled was deleted or changed meanwhile.',
    },
    reasons: {
      column_count: 'The row has another number of columns than the header',
      row_too_long: 'The row is too long',
      cell_too_long: 'A cell is too long (64 KB at most)',
      quote_not_closed: 'A quote (") is never closed',
      wrong_encoding: 'The row is not in the same encoding as the file',
      unreadable_characters: 'There are control characters that cannot be used',
      no_identifier: 'There is neither an email address nor an ID',
      id_damaged: 'A spreadsheet has damaged the ID (such as 7.21E+12). Export the file again from its source',
      not_an_id: 'This is not an ID',
      not_an_email: 'This is not a valid email address',
      not_a_date: 'This is not a date',
      not_a_number: 'This is not a number',
      not_a_phone: 'This is not a valid phone number',
      not_a_consent: 'This does not say whether permission was given (such as yes or no)',
      unknown_language: 'This is not a language (such as ja or en)',
      unknown_country: 'This is not a country (such as JP, Japan or 日本)',
      unknown_province: 'This is not a province code (such as JP-13; 13 needs a column with the country)',
      text_too_long: 'The text is too long',
      too_many_tags: 'There are too many tags (250 at most)',
      unknown_customer: 'There is no such customer',
      points_missing: 'There are no points',
      points_expired: 'The points have expired',
      product_missing: 'There is no product ID',
      unknown_channel: 'Only notifications by email can be imported',
      unknown_status: 'This status is not known',
    },
  },
}
