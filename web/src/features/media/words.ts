import type { WordTree } from '../../app/word-tree.ts'

export const words = {
  title: { ja: '画像', en: 'Pictures' },
  description: {
    ja: 'メールやLINEメッセージに使う画像です。アップロードした画像は、アドレスを知っている人なら誰でも見られます。',
    en: 'Pictures for emails and LINE messages. Anyone who knows the address of a picture can see it.',
  },
  upload: { ja: '画像をアップロード', en: 'Upload pictures' },
  dropHint: {
    ja: 'ここにドラッグするか、貼り付けることもできます。JPEG・PNG・GIF・WebP、1枚20MBまで。',
    en: 'You can also drag pictures here or paste them. JPEG, PNG, GIF or WebP, up to 20 MB each.',
  },
  drop: { ja: 'ここにドロップしてアップロード', en: 'Drop to upload' },
  search: { ja: '名前・代替テキストで検索', en: 'Search by name or alt text' },
  folder: { ja: 'フォルダー', en: 'Folder' },
  allFolders: { ja: 'すべてのフォルダー', en: 'All folders' },
  noFolder: { ja: 'フォルダーなし', en: 'No folder' },
  folderWithCount: { ja: '{{name}}（{{n}}）', en: '{{name}} ({{n}})' },
  sort: {
    label: { ja: '並び順', en: 'Order' },
    newest: { ja: '新しい順', en: 'Newest first' },
    oldest: { ja: '古い順', en: 'Oldest first' },
    name: { ja: '名前順', en: 'By name' },
    largest: { ja: 'サイズの大きい順', en: 'Largest first' },
  },
  quota: {
    ja: '{{maxCount}}枚中{{count}}枚、{{max}}MB中{{used}}MBを使用しています。',
    en: '{{count}} of {{maxCount}} pictures, {{used}} of {{max}} MB used.',
  },
  size: { ja: '{{width}}×{{height}}px ・ {{bytes}}', en: '{{width}} × {{height}} px · {{bytes}}' },
  missing: { ja: 'ファイルがありません', en: 'File missing' },
  missingText: {
    ja: 'この画像のファイルが保存先に見つからないため、誰にも表示されません。バックアップから戻すか、アップロードし直してください。',
    en: 'The file of this picture is not in the storage, so no one sees it. Restore it from a backup, or upload it again.',
  },
  open: { ja: '{{name}} の詳細を表示', en: 'Details of {{name}}' },
  choose: { ja: '{{name}} を選択', en: 'Choose {{name}}' },
  viewerMayNot: {
    ja: '閲覧のみの権限では変更できません。',
    en: 'Your role may only view.',
  },
  empty: {
    title: { ja: '画像はまだありません', en: 'No pictures yet' },
    text: {
      ja: '商品の写真やバナーをアップロードすると、メールやLINEメッセージに挿入できます。',
      en: 'Upload photos and banners, and insert them in emails and LINE messages.',
    },
  },
  uploads: {
    title: { ja: 'アップロード', en: 'Uploads' },
    waiting: { ja: '待機中', en: 'Waiting' },
    sending: { ja: 'アップロード中 {{percent}}%', en: 'Uploading, {{percent}}%' },
    looking: { ja: '画像を確認中', en: 'Checking the picture' },
    done: { ja: '完了', en: 'Done' },
    cancelled: { ja: 'キャンセルしました', en: 'Cancelled' },
    cancel: { ja: '{{name}} のアップロードをキャンセル', en: 'Cancel the upload of {{name}}' },
    retry: { ja: '{{name}} を再試行', en: 'Try {{name}} again' },
    dismiss: { ja: '完了した項目を消す', en: 'Clear finished' },
    progress: { ja: '{{name}} の進み具合', en: 'Progress of {{name}}' },
    pasted: { ja: '貼り付けた画像', en: 'Pasted picture' },
    summary: { ja: '{{total}}件中{{done}}件が完了', en: '{{done}} of {{total}} done' },
  },
  details: {
    name: { ja: '名前', en: 'Name' },
    folderHelp: {
      ja: '新しい名前を入力すると、フォルダーが作られます。',
      en: 'A new name makes a new folder.',
    },
    alt: { ja: '代替テキスト', en: 'Alt text' },
    altHelp: {
      ja: '画像が表示されないときに、代わりに読まれる文です。メールに挿入するときの初期値になります。',
      en: 'Read in place of the picture where it is not shown. Used when you insert it in an email.',
    },
    file: { ja: 'ファイル', en: 'File' },
    created: { ja: 'アップロード日時', en: 'Uploaded' },
    mailCopy: { ja: 'メール用の画像', en: 'Copy for emails' },
    address: { ja: 'アドレス', en: 'Address' },
    mailAddress: { ja: 'メール用のアドレス', en: 'Address for emails' },
    copy: { ja: 'コピー', en: 'Copy' },
    copied: { ja: 'コピーしました', en: 'Copied' },
    usedBy: { ja: '使用先', en: 'Used in' },
    unused: { ja: 'メールとLINEメッセージでは使われていません。', en: 'No email or LINE message uses it.' },
    messages: {
      ja: '配信済み、または配信予定のメッセージ{{n}}件にも含まれています。',
      en: {
        one: 'It is also in {{n}} message that was sent or is about to be.',
        other: 'It is also in {{n}} messages that were sent or are about to be.',
      },
    },
  },
  use: {
    email: { ja: 'メール「{{name}}」', en: 'Email “{{name}}”' },
    email_component: { ja: 'メールのパーツ「{{name}}」', en: 'Email component “{{name}}”' },
    line_message: { ja: 'LINEメッセージ「{{name}}」', en: 'LINE message “{{name}}”' },
  },
  remove: {
    title: { ja: '「{{name}}」を削除しますか？', en: 'Delete “{{name}}”?' },
    body: {
      ja: '使っているメールやメッセージでは、画像の代わりに代替テキストが表示されます。',
      en: 'Emails and messages that use it will show its alt text instead.',
    },
  },
  picker: {
    title: { ja: '画像を選択', en: 'Choose a picture' },
    insert: { ja: '画像を挿入', en: 'Insert picture' },
    fromLibrary: { ja: '画像一覧から選択', en: 'Choose from pictures' },
    lineOnly: {
      ja: 'LINEで表示できる画像（JPEG・PNG、10MBまで）だけを表示しています。',
      en: 'Only pictures that LINE shows are listed: JPEG and PNG up to 10 MB.',
    },
    needsHttps: {
      ja: 'LINEが読み込めるのはhttpsのアドレスの画像だけです。このサーバーのアドレスはhttpsで始まらないため、ここにある画像はLINEでは使えません。',
      en: 'LINE loads pictures over https only. The address of this server does not begin with https, so these pictures cannot be used in LINE.',
    },
  },
} satisfies WordTree
