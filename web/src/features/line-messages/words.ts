import type { Localized } from '@okaeri/contract/locale'
import type { LineAction, LinePartType } from '@okaeri/contract/line-messages/message'
import type { CheckedByLine } from '@okaeri/contract/line-messages/routes'
import type { WordTree } from '../../app/word-tree.ts'

/** A type without words does not compile. */
type PartTypes = Record<LinePartType, { name: Localized; about: Localized }>
type ActionTypes = Record<LineAction['type'], Localized>
type Checked = Record<Exclude<CheckedByLine, 'accepted'>, Localized>

export const words = {
  title: { ja: 'LINEメッセージ', en: 'LINE messages' },
  description: {
    ja: 'LINEの友だちに配信するメッセージを作成・管理します。',
    en: 'Write and manage the messages for your LINE friends.',
  },
  add: { ja: 'LINEメッセージを作成', en: 'Create LINE message' },
  search: { ja: 'メッセージ名で検索', en: 'Search by name' },
  back: { ja: 'LINEメッセージ', en: 'LINE messages' },
  backToMessage: { ja: 'LINEメッセージ詳細', en: 'LINE message details' },
  name: { ja: 'メッセージ名', en: 'Message name' },
  nameHelp: { ja: '管理用の名前です。顧客には表示されません。', en: 'Internal name. Not shown to customers.' },
  begin: { ja: '内容', en: 'Content' },
  types: { ja: '種類', en: 'Type' },
  createdAt: { ja: '作成日時', en: 'Created at' },
  updatedAt: { ja: '更新日時', en: 'Updated at' },
  details: { ja: '詳細', en: 'Details' },
  edit: { ja: '編集', en: 'Edit' },
  duplicate: { ja: '複製', en: 'Duplicate' },
  delete: { ja: '削除', en: 'Delete' },
  deleteAsk: { ja: 'LINEメッセージ「{{name}}」を削除しますか？', en: 'Delete the LINE message “{{name}}”?' },
  duplicateAsk: { ja: 'LINEメッセージ「{{name}}」を複製しますか？', en: 'Duplicate the LINE message “{{name}}”?' },
  duplicateBody: {
    ja: '同じ内容のLINEメッセージを作成します。',
    en: 'A new LINE message with the same content will be created.',
  },
  readOnly: {
    ja: '閲覧のみの権限のため、変更できません。',
    en: 'You have view-only access, so you cannot change this.',
  },
  empty: {
    title: { ja: 'LINEメッセージはまだありません', en: 'No LINE messages yet' },
    text: {
      ja: 'テキスト・画像・カードなどを組み合わせて作成します。作成しただけでは配信されません。',
      en: 'Put texts, pictures and cards together. Nothing is sent until you send it.',
    },
  },
  facts: {
    title: { ja: '基本情報', en: 'Properties' },
    count: { ja: 'メッセージ数', en: 'Messages' },
    quickReplies: { ja: 'クイックリプライ', en: 'Quick replies' },
    notUsed: {
      ja: 'このLINEメッセージを使用している、配信前・配信中のキャンペーンやシナリオはありません。',
      en: 'Not used in any scenario or upcoming campaign.',
    },
    preview: { ja: 'スマートフォンでの見え方', en: 'On a phone' },
  },
  testSend: { ja: 'テスト送信', en: 'Test send' },
  sendCampaign: { ja: 'キャンペーンを作成', en: 'Create campaign' },
  test: {
    title: { ja: 'テスト送信', en: 'Test send' },
    intro: {
      ja: '保存されている内容を、テスト用のLINEアカウントに送ります。テストも今月のLINEメッセージの数に含まれます。',
      en: 'Sends the saved content to test LINE accounts. It counts toward this month’s LINE messages.',
    },
    unsaved: {
      ja: '保存していない変更は含まれません。先に保存してください。',
      en: 'Unsaved changes are not included. Please save first.',
    },
    to: { ja: '宛先', en: 'Send to' },
    notAFriend: { ja: '友だちではないため、送れません。', en: 'No longer a friend, so nothing can be sent.' },
    as: { ja: '差し込みに使う顧客', en: 'Preview as' },
    send: { ja: 'テスト送信する', en: 'Send' },
    sent: {
      ja: 'テスト送信しました（{{count}}人）',
      en: { one: 'One test sent', other: '{{count}} tests sent' },
    },
    noTesters: {
      ja: 'テスト送信を受け取る友だちが選ばれていません。設定の「LINE」で、テスト用のLINEアカウントを選んでください。',
      en: 'No friend is chosen to get test sends. Choose test LINE accounts in Settings → LINE.',
    },
    chooseTesters: { ja: 'LINEの設定を開く', en: 'Open LINE settings' },
  },
  history: {
    description: {
      ja: 'LINEで配信したメッセージの一覧です。1人につき1行で表示します。',
      en: 'Everything sent by LINE, one row for each person.',
    },
    search: { ja: '顧客名・LINEの表示名で検索', en: 'Search by customer or LINE name' },
    message: { ja: 'LINEメッセージ', en: 'LINE message' },
    days: { ja: '配信日', en: 'Date sent' },
    anyDay: { ja: '配信日の絞り込みを解除', en: 'Show all dates' },
    csv: { ja: 'CSVダウンロード', en: 'Download CSV' },
    empty: { ja: 'まだ配信されていません。', en: 'Nothing sent yet.' },
    emptyTitle: { ja: 'LINEの配信はまだありません', en: 'Nothing sent by LINE yet' },
    emptyText: {
      ja: 'キャンペーンやシナリオでLINEメッセージを配信すると、ここに表示されます。',
      en: 'LINE messages sent by campaigns and scenarios will appear here.',
    },
  },
  start: {
    title: { ja: 'LINEメッセージを作成', en: 'Create LINE message' },
    text: {
      ja: 'テンプレートを選ぶと、そのまま編集を始められます。保存するまで作成されません。',
      en: 'Choose a template to begin with. Nothing is created until you save.',
    },
    blank: { ja: '空白から作成', en: 'Start from scratch' },
    blankAbout: { ja: 'テキスト1つから始めます', en: 'Begins with one text' },
    choose: { ja: 'このテンプレートを使う', en: 'Use this template' },
    chooseNamed: { ja: 'このテンプレートを使う（{{name}}）', en: 'Use this template: {{name}}' },
  },
  editor: {
    title: { ja: 'LINEメッセージを編集', en: 'Edit LINE message' },
    saved: { ja: '保存済み', en: 'Saved' },
    create: { ja: '作成', en: 'Create' },
    parts: { ja: 'メッセージ', en: 'Messages' },
    partsHelp: {
      ja: '5つまで、この順番で配信されます。',
      en: 'Up to 5, sent in this order.',
    },
    part: { ja: '{{number}}. {{type}}', en: '{{number}}. {{type}}' },
    addPart: { ja: 'メッセージを追加', en: 'Add message' },
    full: { ja: 'メッセージは5つまでです。', en: 'There can be up to 5 messages.' },
    up: { ja: '上へ移動', en: 'Move up' },
    down: { ja: '下へ移動', en: 'Move down' },
    drag: { ja: 'ドラッグで並べ替え', en: 'Drag to reorder' },
    remove: { ja: 'このメッセージを削除', en: 'Remove this message' },
    moved: { ja: '{{number}}番目に移動しました', en: 'Moved to place {{number}}' },
    previewAs: { ja: 'プレビューする顧客', en: 'Preview as' },
    preview: { ja: 'プレビュー', en: 'Preview' },
    previewFailed: {
      ja: '差し込みタグを表示できません。タグのまま表示しています。',
      en: 'The content tags could not be filled in. They are shown as written.',
    },
    problems: { ja: 'この顧客では配信できません', en: 'Cannot be sent to this customer' },
    problem: { ja: '{{field}}: {{reason}}', en: '{{field}}: {{reason}}' },
    samplePicture: {
      ja: 'テンプレートの画像または{{address}}へのリンクが残っています。配信する前に、自分のストアのものに変更してください。',
      en: 'A template picture or a link to {{address}} is still there. Replace it with your own before sending.',
    },
    shortcut: { ja: '保存（{{keys}}）', en: 'Save ({{keys}})' },
    count: { ja: '{{count}} / {{max}}', en: '{{count}} / {{max}}' },
    countWithTags: { ja: '{{count}} / {{max}}（差し込みを除く）', en: '{{count}} / {{max}} without content tags' },
  },
  checked: {
    not_connected: {
      ja: '保存しました。LINEが接続されていないため、LINEによる確認はしていません。',
      en: 'Saved. LINE is not connected, so LINE has not checked it.',
    },
    away: {
      ja: '保存しました。LINEに接続できなかったため、LINEによる確認はしていません。',
      en: 'Saved. LINE could not be reached, so LINE has not checked it.',
    },
    not_asked: {
      ja: '保存しました。差し込みの結果によっては配信できない箇所があります。プレビューで確認してください。',
      en: 'Saved. Depending on what is filled in, some places cannot be sent. Check the preview.',
    },
  } satisfies Checked,
  type: {
    text: {
      name: { ja: 'テキスト', en: 'Text' },
      about: { ja: '文章とLINE絵文字', en: 'Words and LINE emoji' },
    },
    image: {
      name: { ja: '画像', en: 'Image' },
      about: { ja: '写真1枚（リンクも付けられます）', en: 'One picture, with a link if you like' },
    },
    buttons: {
      name: { ja: 'ボタン', en: 'Buttons' },
      about: { ja: '画像・文章とボタン4つまで', en: 'Picture, words and up to 4 buttons' },
    },
    confirm: {
      name: { ja: '確認', en: 'Confirmation' },
      about: { ja: '質問と2つのボタン', en: 'A question with two buttons' },
    },
    carousel: {
      name: { ja: 'カルーセル', en: 'Carousel' },
      about: { ja: '横にめくるカード10枚まで', en: 'Up to 10 cards to swipe through' },
    },
    image_carousel: {
      name: { ja: '画像カルーセル', en: 'Image carousel' },
      about: { ja: '横にめくる画像10枚まで', en: 'Up to 10 pictures to swipe through' },
    },
    flex: {
      name: { ja: 'Flex Message', en: 'Flex Message' },
      about: { ja: 'JSONで自由にレイアウト', en: 'Any layout, written in JSON' },
    },
  } satisfies PartTypes,
  field: {
    text: { ja: '本文', en: 'Text' },
    image_url: { ja: '画像のURL', en: 'Picture URL' },
    imageHelp: { ja: 'https:// で始まるJPEGまたはPNG', en: 'JPEG or PNG, beginning with https://' },
    preview_url: { ja: 'プレビュー画像のURL', en: 'Preview picture URL' },
    previewHelp: {
      ja: 'トークに表示する小さい画像（1MBまで）。空欄の場合は同じ画像を使います。',
      en: 'A smaller one for the chat, up to 1 MB. Leave blank to use the same picture.',
    },
    link_url: { ja: 'リンクURL', en: 'Link URL' },
    linkHelp: { ja: 'タップで開くページ。空欄でもかまいません。', en: 'Opens when tapped. May be left blank.' },
    ratio: { ja: '縦横比（幅：高さ）', en: 'Width : height' },
    ratioRead: { ja: '画像から読み取る', en: 'Read from picture' },
    ratioFailed: { ja: '画像を読み込めませんでした。', en: 'The picture could not be loaded.' },
    alt_text: { ja: '代替テキスト', en: 'Alt text' },
    altHelp: {
      ja: '通知とトーク一覧に表示されます。',
      en: 'Shown in notifications and the list of chats.',
    },
    title: { ja: 'タイトル', en: 'Title' },
    actions: { ja: 'ボタン', en: 'Buttons' },
    columns: { ja: 'カード', en: 'Cards' },
    json: { ja: 'FlexのJSON', en: 'Flex JSON' },
    image_ratio: { ja: '画像の形', en: 'Picture shape' },
    rectangle: { ja: '横長', en: 'Wide' },
    square: { ja: '正方形', en: 'Square' },
    image_fit: { ja: '画像の表示', en: 'Picture fit' },
    cover: { ja: '全体を埋める', en: 'Fill' },
    contain: { ja: '全体を表示', en: 'Show all of it' },
    label: { ja: 'ラベル', en: 'Label' },
    uri: { ja: 'リンクURL', en: 'Link URL' },
    data: { ja: '受け取るデータ', en: 'Data' },
    dataHelp: { ja: 'シナリオのきっかけに使えます。', en: 'Can start a scenario.' },
    display_text: { ja: 'トークに表示するテキスト', en: 'Text shown in the chat' },
    said: { ja: '送るメッセージ', en: 'Message to send' },
    action: { ja: 'タップ', en: 'Tap' },
    quick_replies: { ja: 'クイックリプライ', en: 'Quick replies' },
    type: { ja: '種類', en: 'Type' },
  },
  action: {
    type: { ja: 'タップしたとき', en: 'When tapped' },
    uri: { ja: 'リンクを開く', en: 'Open link' },
    message: { ja: 'メッセージを送る', en: 'Send message' },
    postback: { ja: 'データを受け取る', en: 'Receive data' },
    number: { ja: 'ボタン{{number}}', en: 'Button {{number}}' },
    add: { ja: 'ボタンを追加', en: 'Add button' },
    remove: { ja: 'ボタン{{number}}を削除', en: 'Remove button {{number}}' },
  },
  column: {
    number: { ja: 'カード{{number}}', en: 'Card {{number}}' },
    add: { ja: 'カードを追加', en: 'Add card' },
    remove: { ja: 'カード{{number}}を削除', en: 'Remove card {{number}}' },
    buttons: { ja: 'カードのボタン数', en: 'Buttons per card' },
  },
  quick: {
    about: {
      ja: '最後のメッセージの下に表示されるボタンです。13個まで。',
      en: 'Buttons below the last message, up to 13.',
    },
    number: { ja: 'クイックリプライ{{number}}', en: 'Quick reply {{number}}' },
    add: { ja: 'クイックリプライを追加', en: 'Add quick reply' },
    remove: { ja: 'クイックリプライ{{number}}を削除', en: 'Remove quick reply {{number}}' },
  },
  emoji: {
    insert: { ja: 'LINE絵文字', en: 'LINE emoji' },
    product: { ja: 'プロダクトID', en: 'Product ID' },
    number: { ja: '絵文字ID', en: 'Emoji ID' },
    add: { ja: '挿入', en: 'Insert' },
    help: {
      ja: 'IDはLINE Developersの絵文字リストで確認できます。1つのテキストに20個まで。',
      en: 'Find the IDs in LINE Developers’ emoji list. Up to 20 in one text.',
    },
  },
  flex: {
    completion: {
      ja: 'Ctrl+Spaceキーで、入力できる項目と値の候補を表示します。',
      en: 'Press Ctrl+Space to see the keys and values you can use.',
    },
    samples: { ja: 'サンプル', en: 'Samples' },
    replaceAsk: { ja: 'サンプルに置き換えますか？', en: 'Replace with the sample?' },
    replaceBody: { ja: '今のJSONは失われます。', en: 'The current JSON will be lost.' },
    replace: { ja: '置き換える', en: 'Replace' },
    tidy: { ja: '整形', en: 'Format' },
    fine: { ja: 'JSONに問題はありません', en: 'The JSON is fine' },
    place: { ja: '{{line}}行目 {{place}}: {{reason}}', en: 'Line {{line}} {{place}}: {{reason}}' },
    product: { ja: '商品カード', en: 'Product card' },
    notice: { ja: 'お知らせ（見出しと表）', en: 'Notice with a table' },
    carousel: { ja: 'カードを並べる', en: 'Several cards' },
  },
  phone: {
    label: { ja: 'スマートフォンでの見え方', en: 'As on a phone' },
    chat: { ja: 'トーク', en: 'Chat' },
    dark: { ja: 'ダークモード', en: 'Dark mode' },
    emoji: { ja: 'LINE絵文字', en: 'LINE emoji' },
    unreadable: {
      ja: 'FlexのJSONに直す箇所があるため、表示できません。',
      en: 'This cannot be shown: the Flex JSON needs to be corrected.',
    },
  },
} satisfies WordTree & { action: ActionTypes & WordTree }
