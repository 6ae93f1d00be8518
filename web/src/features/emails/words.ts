import type { ContentTag, FindingCode } from '@okaeri/contract/emails/email'
import type { Localized } from '@okaeri/contract/locale'
import type { WordTree } from '../../app/word-tree.ts'

/** A finding without words does not compile. */
type Findings = Record<FindingCode, { title: Localized; what: Localized }>
type Categories = Record<ContentTag['category'], Localized>

export const words = {
  title: { ja: 'メール', en: 'Emails' },
  description: {
    ja: 'キャンペーンやシナリオで配信するメールを作成・管理します。',
    en: 'Write and manage the emails that your campaigns and scenarios send.',
  },
  add: { ja: 'メールを作成', en: 'Create email' },
  search: { ja: 'メール名・件名で検索', en: 'Search by name or subject' },
  back: { ja: 'メール', en: 'Emails' },
  backToReview: { ja: '配信内容の確認', en: 'Review' },
  backToEmail: { ja: 'メール詳細', en: 'Email details' },
  name: { ja: 'メール名', en: 'Email name' },
  nameHelp: { ja: '管理用の名前です。顧客には表示されません。', en: 'Internal name. Not shown to customers.' },
  subject: { ja: '件名', en: 'Subject' },
  preheader: { ja: 'プリヘッダー', en: 'Preheader' },
  preheaderHelp: {
    ja: '受信箱の一覧で、件名の後に表示される短い文です。',
    en: 'A short text shown after the subject in the inbox.',
  },
  sentCount: { ja: '配信数', en: 'Sent' },
  openRate: { ja: '開封率', en: 'Open rate' },
  clickRate: { ja: 'クリック率', en: 'Click rate' },
  revenue: { ja: '売上', en: 'Revenue' },
  createdAt: { ja: '作成日時', en: 'Created at' },
  updatedAt: { ja: '更新日時', en: 'Updated at' },
  size: { ja: 'サイズ', en: 'Size' },
  type: { ja: '形式', en: 'Type' },
  details: { ja: '詳細', en: 'Details' },
  edit: { ja: '編集', en: 'Edit' },
  editProperties: { ja: '基本情報を編集', en: 'Edit properties' },
  openEditor: { ja: 'エディターで編集', en: 'Open the editor' },
  testSend: { ja: 'テスト送信', en: 'Test send' },
  sendCampaign: { ja: 'キャンペーンを作成', en: 'Create campaign' },
  duplicate: { ja: '複製', en: 'Duplicate' },
  delete: { ja: '削除', en: 'Delete' },
  deleteAsk: { ja: 'メール「{{name}}」を削除しますか？', en: 'Delete the email “{{name}}”?' },
  duplicateAsk: { ja: 'メール「{{name}}」を複製しますか？', en: 'Duplicate the email “{{name}}”?' },
  duplicateBody: { ja: '同じ内容のメールを作成します。', en: 'A new email with the same content will be created.' },
  readOnly: {
    ja: '閲覧のみの権限のため、変更できません。',
    en: 'You have view-only access, so you cannot change this.',
  },
  empty: {
    title: { ja: 'メールはまだありません', en: 'No emails yet' },
    text: {
      ja: 'キャンペーンやシナリオで配信するメールを、ここで作成します。作成しただけでは配信されません。',
      en: 'Create emails here and send them with campaigns and scenarios. Nothing is sent until then.',
    },
  },
  sender: {
    title: { ja: '差出人', en: 'Sender' },
    text: {
      ja: '差出人は、設定の「メール」で追加できます。',
      en: 'You can add senders in Settings, Email.',
    },
    choice: { ja: '差出人を選択', en: 'Choose a sender' },
    other: { ja: 'その他（入力する）', en: 'Other (enter below)' },
    name: { ja: '差出人名', en: 'Sender name' },
    email: { ja: '差出人メールアドレス', en: 'Sender email address' },
    fromSettings: { ja: '設定の差出人（{{sender}}）', en: 'Default sender ({{sender}})' },
  },
  form: {
    newTitle: { ja: 'メールを作成', en: 'Create email' },
    editTitle: { ja: 'メールの基本情報を編集', en: 'Edit email properties' },
    basics: { ja: '基本情報', en: 'Properties' },
    language: { ja: 'テンプレートの言語', en: 'Template language' },
    languageHelp: {
      ja: 'そのまま配信できる文章で始めます。住所・問い合わせ先・配信停止リンクも入っています。',
      en: 'Starts with text you can send as is, including your address, contact details and unsubscribe link.',
    },
    starter: { ja: 'テンプレート', en: 'Template' },
    typeTitle: { ja: '作り方', en: 'How to make it' },
    visual: { ja: 'ビジュアルエディター', en: 'Visual editor' },
    visualHelp: {
      ja: '文章・画像・商品などのブロックを並べて作ります。HTMLの知識は必要ありません。',
      en: 'Put together from blocks: texts, pictures, products. No HTML needed.',
    },
    html: { ja: 'HTMLエディター', en: 'HTML editor' },
    htmlHelp: { ja: 'HTMLを直接書きます。', en: 'Write the HTML yourself.' },
    starterTitle: { ja: 'テンプレートを選ぶ', en: 'Choose a template' },
    create: { ja: '作成して本文の編集へ', en: 'Create and write the content' },
  },
  facts: {
    title: { ja: '基本情報', en: 'Properties' },
    results: { ja: '結果', en: 'Results' },
    resultsHow: {
      ja: '人による開封・クリックのみを、1通につき1回数えます。テスト配信・テスト送信は含みません。',
      en: 'Opens and clicks by people only, counted once per email. Tests are excluded.',
    },
  },
  preview: { ja: 'プレビュー', en: 'Preview' },
  previewFailed: { ja: 'プレビューを表示できませんでした。', en: 'The preview could not be shown.' },
  usedBy: {
    title: { ja: '使用先', en: 'Used in' },
    none: {
      ja: 'このメールを使用している、配信前・配信中のキャンペーンやシナリオはありません。',
      en: 'Not used in any scenario or upcoming campaign.',
    },
    campaign: { ja: 'キャンペーン「{{name}}」', en: 'Campaign “{{name}}”' },
    scenario: { ja: 'シナリオ「{{name}}」', en: 'Scenario “{{name}}”' },
  },
  toVisual: {
    action: { ja: 'ビジュアルエディターに切り替え', en: 'Switch to the visual editor' },
    title: { ja: 'ビジュアルエディターに切り替えますか？', en: 'Switch to the visual editor?' },
    lost: {
      ja: '現在のHTMLは、選んだテンプレートの内容に置き換わります。今のHTMLには、変更履歴から戻せます。',
      en: 'The current HTML is replaced by the template you choose. You can bring it back from the version history.',
    },
    kept: {
      ja: 'メール名・件名・プリヘッダー・差出人は変わりません。',
      en: 'Name, subject, preheader and sender stay as they are.',
    },
    confirm: { ja: 'HTMLを置き換えて切り替え', en: 'Replace the HTML and switch' },
    unsaved: {
      ja: '保存していない変更があります。先に保存してください。',
      en: 'You have unsaved changes. Save them first.',
    },
  },
  links: {
    title: { ja: 'リンクの確認', en: 'Link check' },
    text: {
      ja: 'メールのリンク、画像、クーポンコードを実際に確認した結果です。確認できなくても配信は止まりません。',
      en: 'What came back from the links, images and coupon codes of this email. What could not be checked does not keep it from being sent.',
    },
    none: { ja: 'リンクも画像もありません。', en: 'No links and no images.' },
    checking: { ja: 'リンクを確認しています…', en: 'Checking links…' },
    total: {
      ja: 'リンク・画像・クーポン {{count}}件',
      en: { one: '{{count}} link, image or coupon', other: '{{count}} links, images and coupons' },
    },
    dead: { ja: '見つからない {{count}}件', en: '{{count}} not found' },
    noneDead: { ja: '見つからないものはありません', en: 'none is missing' },
    unknown: { ja: '確認できない {{count}}件', en: '{{count}} could not be checked' },
    all: { ja: 'すべて見る', en: 'See all' },
    again: { ja: 'もう一度確認', en: 'Check again' },
    kind: {
      page: { ja: 'リンク', en: 'Link' },
      picture: { ja: '画像', en: 'Image' },
      coupon: { ja: 'クーポンコード', en: 'Coupon code' },
    },
    places: { ja: '{{count}}か所', en: { one: '{{count}} place', other: '{{count}} places' } },
    status: { ja: '応答 {{status}}', en: 'Answer {{status}}' },
    endsAt: { ja: '{{at}}まで', en: 'Until {{at}}' },
    usesLeft: { ja: '残り{{n}}回', en: { one: '{{n}} use left', other: '{{n}} uses left' } },
    checkedAt: { ja: '{{at}}に確認', en: 'Checked {{at}}' },
    leadsTo: { ja: '転送先：{{address}}', en: 'Leads to {{address}}' },
    state: {
      answers: { ja: '開けます', en: 'Works' },
      gone: { ja: '見つかりません', en: 'Not found' },
      noCode: { ja: 'ストアにありません', en: 'Not in the store' },
      no_host: { ja: 'サイトがありません', en: 'No such site' },
      unknown: { ja: '確認できません', en: 'Not certain' },
      waits: { ja: '確認中', en: 'Checking' },
      not_checked: { ja: '未確認', en: 'Not checked' },
      never_checked: { ja: '対象外', en: 'Not checked' },
    },
    reason: {
      private: {
        ja: '社内や手元のネットワークのアドレスのため、開きませんでした。',
        en: 'It is an address inside a private network, so it was not opened.',
      },
      port: {
        ja: 'ポート番号のあるアドレスは開きません。',
        en: 'Addresses with a port number are not opened.',
      },
      no_answer: {
        ja: 'サイトから応答がありませんでした。時間をおいて、もう一度確認してください。',
        en: 'The site did not answer. Check again later.',
      },
      certificate: {
        ja: 'サイトの証明書に問題があります。ブラウザで警告が表示されるおそれがあります。',
        en: 'There is a problem with the certificate of the site. Browsers may show a warning.',
      },
      too_many_redirects: {
        ja: '転送が続き、ページにたどり着けませんでした。ブラウザで開いて確認してください。',
        en: 'It was redirected too often. Open it in a browser to see.',
      },
      refused: {
        ja: 'サイトが自動の確認を断りました。ブラウザで開いて確認してください。',
        en: 'The site does not let programs in. Open it in a browser to see.',
      },
      server_error: {
        ja: 'サイトが一時的に応答できませんでした。時間をおいて、もう一度確認してください。',
        en: 'The site had a problem just then. Check again later.',
      },
      not_visited: {
        ja: '同じサイトの確認が多いため、今は開きませんでした。1時間ほどしてから、もう一度確認してください。',
        en: 'That site was checked very often, so it was not opened. Check again in about an hour.',
      },
      store: {
        ja: 'ストアに確認できませんでした。',
        en: 'The store could not be asked.',
      },
      personal: {
        ja: '受信者ごとに変わるリンクのため、確認しません。',
        en: 'It is another address for each recipient, so it is not checked.',
      },
      ours: {
        ja: 'メール配信用のアドレスのため、確認しません。',
        en: 'It is an address that belongs to sending, so it is not checked.',
      },
    },
  },
  versions: {
    title: { ja: '変更履歴', en: 'Version history' },
    text: {
      ja: '保存するたびに残ります。直近の{{count}}件を見たり、元に戻したりできます。',
      en: 'Kept at each save. You can look at the last {{count}} and bring one back.',
    },
    mode: { ja: '表示', en: 'View' },
    compare: { ja: '現在と比較', en: 'Compare with now' },
    before: { ja: 'この版', en: 'This version' },
    now: { ja: '現在の内容', en: 'Now' },
    body: { ja: '本文', en: 'Text' },
    sameText: { ja: '文章に違いはありません。', en: 'The texts are the same.' },
    removed: { ja: '削除：', en: 'Removed: ' },
    added: { ja: '追加：', en: 'Added: ' },
    unchanged: {
      ja: '変更のない{{count}}行',
      en: { one: '{{count}} unchanged line', other: '{{count}} unchanged lines' },
    },
    current: { ja: '現在', en: 'Current' },
    unknown: { ja: '保存した人は不明です', en: 'No record of who saved it' },
    none: {
      ja: '履歴はまだありません。次に保存したときから残ります。',
      en: 'No history yet. It begins with the next save.',
    },
    restore: { ja: 'この内容に戻す', en: 'Restore this version' },
    restoreAsk: { ja: '{{at}}の内容に戻しますか？', en: 'Restore the version of {{at}}?' },
    restoreBody: {
      ja: '現在の内容も履歴に残るため、あとから戻せます。予約済みのキャンペーンは変わりません。',
      en: 'The present content stays in the history, so you can go back to it. Scheduled campaigns do not change.',
    },
  },
  languages: {
    title: { ja: '言語', en: 'Languages' },
    label: { ja: '表示する言語', en: 'Language shown' },
    base: { ja: '{{language}}（基本）', en: '{{language}} (base)' },
    add: { ja: '{{language}}を追加', en: 'Add {{language}}' },
    remove: { ja: '{{language}}を削除', en: 'Remove {{language}}' },
    removeAsk: { ja: '{{language}}の内容を削除しますか？', en: 'Remove the {{language}} version?' },
    removeBody: {
      ja: 'これから配信するメールは、全員に{{base}}の内容で届きます。予約済みのキャンペーンは変わりません。変更履歴から元に戻せます。',
      en: 'From now on, everyone gets {{base}}. Scheduled campaigns do not change. You can bring it back from the version history.',
    },
    unsaved: {
      ja: '保存していない変更があります。先に保存してください。',
      en: 'You have unsaved changes. Save them first.',
    },
    none: {
      ja: 'ほかの言語を追加すると、顧客の言語に合わせた内容が届きます。',
      en: 'Add a language, and customers get the email in their own.',
    },
    how: {
      ja: '顧客の言語に合わせて届きます。言語が登録されていない顧客と、ほかの言語の顧客には{{base}}の内容が届きます。',
      en: 'Customers get the email in their language. Customers with no language, or another one, get {{base}}.',
    },
    why: {
      language: {
        ja: 'この顧客には{{name}}の内容が届きます（顧客の言語：{{tag}}）。',
        en: 'This customer gets {{name}} (customer language: {{tag}}).',
      },
      no_variant: {
        ja: 'この顧客の言語（{{tag}}）の内容がないため、{{name}}の内容が届きます。',
        en: 'There is no content in this customer’s language ({{tag}}), so they get {{name}}.',
      },
      no_language: {
        ja: 'この顧客の言語が登録されていないため、{{name}}の内容が届きます。',
        en: 'This customer has no language on record, so they get {{name}}.',
      },
    },
    show: { ja: '{{name}}を表示', en: 'Show {{name}}' },
    test: { ja: 'テスト送信の言語', en: 'Language to send' },
    testEach: { ja: 'すべての言語', en: 'Each language' },
    testCustomer: { ja: '顧客に届く言語', en: 'The one this customer gets' },
    people: { ja: '{{name}}：{{people}}', en: '{{name}}: {{people}}' },
  },
  plainText: {
    title: { ja: 'テキスト版', en: 'Plain text' },
    what: {
      ja: 'HTMLを表示しないメールアプリや、読み上げソフトで使われます。',
      en: 'For email apps that show no HTML, and for screen readers.',
    },
    made: { ja: 'メールの内容から自動で作成', en: 'Made from the email' },
    written: { ja: '自分で書く', en: 'Written by you' },
    field: { ja: 'テキスト版の内容', en: 'Content of the plain text' },
    shown: { ja: '実際に届く内容', en: 'As it will be sent' },
    begin: { ja: '自動作成した内容から始める', en: 'Start from the generated text' },
    beginAsk: { ja: '自動作成した内容に置き換えますか？', en: 'Replace your text with the generated one?' },
    beginBody: { ja: '入力したテキスト版は失われます。', en: 'The text you wrote is lost.' },
    dropAsk: { ja: 'テキスト版を自動で作成しますか？', en: 'Make the plain text from the email?' },
    dropBody: {
      ja: '入力したテキスト版は使われなくなります。保存済みのものは、変更履歴から戻せます。',
      en: 'The text you wrote is no longer used. You can bring a saved one back from the version history.',
    },
    behind: {
      ja: 'テキスト版を書いた後に、メールの内容が変更されています。テキスト版も確認してください。',
      en: 'The email was changed after you wrote the plain text. Check whether the text still fits.',
    },
    fits: { ja: 'このままで問題ありません', en: 'It still fits' },
  },
  draft: {
    found: {
      ja: '{{at}}に入力した、保存していない内容があります。',
      en: 'There is unsaved content that you typed on {{at}}.',
    },
    behind: {
      ja: '{{at}}に入力した、保存していない内容があります。その後に保存された変更があります。続きから編集すると、その変更は含まれません。',
      en: 'There is unsaved content that you typed on {{at}}. Changes were saved since; if you continue, they are not in it.',
    },
    otherTab: { ja: '別のタブでも編集されています', en: 'It is being edited in another tab, too' },
    otherTabText: {
      ja: 'この画面に入力した内容は、選ぶまで下書きとして残りません。保存はできます。',
      en: 'Until you choose, what you type here is not kept as a draft. It can be saved.',
    },
    keepHere: { ja: 'この画面の内容を残す', en: 'Keep what is here' },
    takeOther: { ja: '別のタブの内容を開く', en: 'Open what the other tab has' },
    take: { ja: '続きから編集', en: 'Continue with it' },
    discard: { ja: '破棄', en: 'Discard' },
    discardAsk: { ja: '入力した内容を破棄しますか？', en: 'Discard what you typed?' },
    discardBody: { ja: '保存済みの内容はそのまま残ります。', en: 'What is saved stays as it is.' },
  },
  inbox: {
    line: { ja: 'スマートフォンの受信箱での表示', en: 'In the inbox of a phone' },
    emoji: { ja: '絵文字を挿入', en: 'Insert emoji' },
    countWide: {
      ja: '全角{{count}}文字（目安：{{most}}文字まで）',
      en: '{{count}} full-width characters (up to {{most}})',
    },
    count: { ja: '半角{{count}}文字（目安：{{most}}文字まで）', en: '{{count}} characters (up to {{most}})' },
    subjectLong: {
      ja: 'スマートフォンでは途中で切れます。大事な言葉を先頭に置いてください。',
      en: 'Phones cut it off. Put what matters first.',
    },
    preheaderLong: { ja: 'スマートフォンでは途中で切れます。', en: 'Phones cut it off.' },
    noPreheader: {
      ja: '（プリヘッダーなし：本文の冒頭が表示されます）',
      en: '(no preheader: the first words of the content)',
    },
  },
  gallery: {
    filter: { ja: '用途で絞り込む', en: 'Filter by use' },
    all: { ja: 'すべて', en: 'All' },
    campaign: { ja: 'キャンペーン', en: 'Campaigns' },
    scenario: { ja: 'シナリオ', en: 'Scenarios' },
  },
  blockMenu: {
    insert: { ja: 'ブロック', en: 'Block' },
    help: {
      ja: '配信時に内容が決まるブロックを、カーソル位置に挿入します',
      en: 'Filled when the email is sent; inserted at the cursor',
    },
    confirm: { ja: '挿入', en: 'Insert' },
    product: {
      name: { ja: '商品', en: 'Product' },
      what: { ja: '配信する時点の価格と在庫', en: 'Price and stock as of sending' },
    },
    products_by: {
      name: { ja: 'おすすめ商品', en: 'Products by rule' },
      what: { ja: '売れ筋や、顧客ごとの商品', en: 'Best sellers, or each customer’s own' },
    },
    only_for: {
      name: { ja: 'セグメントの人だけに表示', en: 'Only for a segment' },
      what: { ja: 'ほかの人には表示されません', en: 'The others do not see it' },
    },
    except_for: {
      name: { ja: 'セグメントの人以外に表示', en: 'Except for a segment' },
      what: { ja: 'セグメントの人には表示されません', en: 'People in it do not see it' },
    },
    event_items: {
      name: { ja: '注文・カートの内容', en: 'Order or cart' },
      what: { ja: 'シナリオのメールで使えます', en: 'For emails of scenarios' },
    },
    coupon: {
      name: { ja: 'クーポン', en: 'Coupon' },
      what: { ja: '1人ずつ発行するクーポン', en: 'Each recipient’s own code' },
    },
  },
  editor: {
    title: { ja: 'メールの編集', en: 'Edit email' },
    code: { ja: 'HTML', en: 'HTML' },
    codeLabel: { ja: 'メールのHTML', en: 'HTML of the email' },
    insertTag: { ja: '差し込みタグ', en: 'Insert tag' },
    insertTagInto: { ja: '差し込みタグを挿入（{{field}}）', en: 'Insert tag into {{field}}' },
    lineTagHelp: {
      ja: '受け取った友だちが開いてストアにログインすると、その友だちのLINEとストアの顧客が連携されます。URLは1人ずつ異なり、クリックは計測されません。',
      en: 'A friend who opens it and logs in to the store connects their LINE account with their customer account there. Each friend gets a URL of their own; clicks on it are not tracked.',
    },
    instead: { ja: '値がないときの文字', en: 'If it is empty, write' },
    insteadHelp: {
      ja: '顧客やイベントの項目を選ぶと、値がない人にはこの文字が入ります。',
      en: 'For the tags of customers and events you choose below.',
    },
    insteadExample: { ja: '例：みなさま', en: 'e.g. friend' },
    insertTagHelp: { ja: 'カーソル位置に挿入します', en: 'Inserted at the cursor' },
    example: { ja: '例：{{example}}', en: 'e.g. {{example}}' },
    previewAs: { ja: 'プレビューする顧客', en: 'Preview as' },
    exampleCustomer: { ja: 'サンプル顧客', en: 'Sample customer' },
    searchCustomer: { ja: '顧客を検索', en: 'Search customers' },
    saved: { ja: '保存済み', en: 'Saved' },
    shortcut: { ja: '{{keys}} で保存', en: '{{keys}} to save' },
    rendering: { ja: 'プレビューを更新しています', en: 'Updating the preview' },
    codeLoading: { ja: 'エディターを読み込んでいます', en: 'Loading the editor' },
    reservedKeep: {
      ja: '予約済みのキャンペーンは、予約した時点の内容で配信されます。',
      en: 'Scheduled campaigns keep the content from when they were scheduled.',
    },
  },
  codeEditor: {
    find: { ja: '検索', en: 'Find' },
    replaceWith: { ja: '置換後の文字列', en: 'Replace with' },
    next: { ja: '次へ', en: 'Next' },
    previous: { ja: '前へ', en: 'Previous' },
    all: { ja: 'すべて選択', en: 'Select all' },
    matchCase: { ja: '大文字と小文字を区別', en: 'Match case' },
    regexp: { ja: '正規表現', en: 'Regular expression' },
    byWord: { ja: '単語単位', en: 'Whole words' },
    replace: { ja: '置換', en: 'Replace' },
    replaceAll: { ja: 'すべて置換', en: 'Replace all' },
    close: { ja: '閉じる', en: 'Close' },
    currentMatch: { ja: '現在の一致箇所', en: 'Current match' },
    onLine: { ja: '行番号', en: 'on line' },
    replacedOnLine: { ja: '$行目を置換しました', en: 'Replaced on line $' },
    replacedMatches: { ja: '$件を置換しました', en: 'Replaced: $' },
    goToLine: { ja: '行番号を指定', en: 'Go to line' },
    go: { ja: '移動', en: 'Go' },
    controlCharacter: { ja: '制御文字', en: 'Control character' },
    foldLine: { ja: '折りたたむ', en: 'Fold line' },
    unfoldLine: { ja: '展開する', en: 'Unfold line' },
    foldedLines: { ja: '折りたたみました', en: 'Folded lines' },
    unfoldedLines: { ja: '展開しました', en: 'Unfolded lines' },
    foldedCode: { ja: '折りたたまれた部分', en: 'Folded code' },
    unfold: { ja: '展開', en: 'Unfold' },
    to: { ja: '～', en: 'to' },
    completions: { ja: '入力候補', en: 'Suggestions' },
  },
  view: {
    label: { ja: '表示方法', en: 'View as' },
    desktop: { ja: 'パソコン', en: 'Desktop' },
    phone: { ja: 'スマートフォン', en: 'Phone' },
    dark: { ja: 'ダークモード', en: 'Dark mode' },
    format: { ja: '形式', en: 'Format' },
    html: { ja: 'HTML', en: 'HTML' },
    text: { ja: 'テキスト', en: 'Plain text' },
    frame: { ja: 'メールのプレビュー：{{subject}}', en: 'Preview of the email: {{subject}}' },
    from: { ja: '差出人', en: 'From' },
    to: { ja: '宛先', en: 'To' },
    linksBy: { ja: 'リンクのドメイン', en: 'Link domain' },
    noSubject: { ja: '（件名なし）', en: '(no subject)' },
    noAddress: { ja: '（アドレス未設定）', en: '(no address)' },
    cannotShow: {
      ja: '本文を表示できません。配信前チェックの問題を直すと表示されます。',
      en: 'Fix the problems in the pre-send checks to see the content.',
    },
    darkApproximate: {
      ja: 'ダークモードの表示はメールソフトによって異なります。これは目安です。',
      en: 'Email apps differ in dark mode; this is an approximation.',
    },
    noText: { ja: '（テキスト形式の本文はありません）', en: '(no plain text version)' },
  },
  sizeMeter: {
    label: { ja: '配信時のサイズ', en: 'Size when sent' },
    of: { ja: '{{size}} / {{limit}}', en: '{{size}} of {{limit}}' },
    ok: { ja: '問題ありません。', en: 'Good size.' },
    near: {
      ja: '90 kBを超えています。102 kBを超えると、Gmailなどで途中から表示されなくなります。',
      en: 'Over 90 kB. Gmail and others cut off emails over 102 kB.',
    },
    clipped: {
      ja: '102 kBを超えています。Gmailなどで途中から表示されず、配信停止リンクも隠れます。',
      en: 'Over 102 kB. Gmail and others cut off the email and hide the unsubscribe link.',
    },
  },
  findings: {
    title: { ja: '配信前チェック', en: 'Pre-send checks' },
    none: { ja: '問題は見つかりませんでした。', en: 'No problems found.' },
    blocks: { ja: '配信できません', en: 'Cannot be sent' },
    warns: { ja: '確認してください', en: 'Please check' },
    blocksCount: { ja: '配信できない問題 {{count}}件', en: 'Blocking: {{count}}' },
    warnsCount: { ja: '確認事項 {{count}}件', en: 'To check: {{count}}' },
    settings: { ja: '設定を開く', en: 'Open settings' },
    campaign: { ja: 'キャンペーンを編集', en: 'Edit the campaign' },
    line: { ja: '{{line}}行目', en: 'Line {{line}}' },
    people: { ja: '{{n}}人が空欄', en: { one: 'Empty for {{n}} person', other: 'Empty for {{n}} people' } },
    showBlock: { ja: '「{{name}}」を表示', en: 'Show “{{name}}”' },
    usesLeft: { ja: '残り{{n}}回', en: { one: '{{n}} use left', other: '{{n}} uses left' } },
    openBlock: { ja: 'ブロックを表示', en: 'Show the block' },
    edit: { ja: 'エディターで直す', en: 'Correct it in the editor' },
    goToLine: { ja: 'HTMLの{{line}}行目へ', en: 'Go to line {{line}}' },
  },
  finding: {
    no_unsubscribe_link: {
      title: { ja: '配信停止リンクがありません', en: 'Unsubscribe link missing' },
      what: {
        ja: '広告メールには配信停止の方法が必要です。差し込みタグ「配信停止ページ」をリンクとして入れてください。',
        en: 'Marketing emails need a way to unsubscribe. Insert the tag “Unsubscribe page” as a link.',
      },
    },
    no_sender_name: {
      title: { ja: '送信者の名称が本文にありません', en: 'Sender name missing' },
      what: {
        ja: '法律により送信者の名称の表示が必要です。差し込みタグ「差出人名」または「ストア名」を本文に入れ、設定で名称を登録してください。',
        en: 'The law requires it. Insert the tag “Sender name” or “Store name”, and enter the name in the settings.',
      },
    },
    no_postal_address: {
      title: { ja: '事業者の住所が本文にありません', en: 'Postal address missing' },
      what: {
        ja: '法律により住所の表示が必要です。設定で住所を登録し、差し込みタグ「事業者の住所」を本文に入れてください。',
        en: 'The law requires it. Enter it in the settings and insert the tag “Postal address”.',
      },
    },
    no_contact: {
      title: { ja: '問い合わせ先が本文にありません', en: 'Contact details missing' },
      what: {
        ja: '苦情や問い合わせを受け付けるメールアドレス、電話番号またはURLを本文に入れてください。',
        en: 'Add an email address, phone number or page for questions and complaints.',
      },
    },
    no_subject: {
      title: { ja: '件名がありません', en: 'Subject missing' },
      what: { ja: '件名を入力してください。', en: 'Enter a subject.' },
    },
    no_content: {
      title: { ja: '本文がありません', en: 'Content missing' },
      what: { ja: '本文に文章または画像を入れてください。', en: 'Add text or an image.' },
    },
    text_no_unsubscribe_link: {
      title: { ja: 'テキスト版に配信停止リンクがありません', en: 'Unsubscribe link missing in the plain text' },
      what: {
        ja: 'テキスト版にも配信停止の方法が必要です。差し込みタグ「配信停止ページ」を入れてください。',
        en: 'The plain text needs a way to unsubscribe too. Insert the tag “Unsubscribe page”.',
      },
    },
    text_no_sender_name: {
      title: { ja: 'テキスト版に送信者の名称がありません', en: 'Sender name missing in the plain text' },
      what: {
        ja: '差し込みタグ「差出人名」または「ストア名」をテキスト版に入れてください。',
        en: 'Insert the tag “Sender name” or “Store name” into the plain text.',
      },
    },
    text_no_postal_address: {
      title: { ja: 'テキスト版に事業者の住所がありません', en: 'Postal address missing in the plain text' },
      what: {
        ja: '差し込みタグ「事業者の住所」をテキスト版に入れてください。',
        en: 'Insert the tag “Postal address” into the plain text.',
      },
    },
    text_no_contact: {
      title: { ja: 'テキスト版に問い合わせ先がありません', en: 'Contact missing in the plain text' },
      what: {
        ja: '苦情や問い合わせを受け付けるメールアドレス、電話番号またはURLをテキスト版に入れてください。',
        en: 'Add an email address, phone number or page for questions and complaints to the plain text.',
      },
    },
    text_empty: {
      title: { ja: 'テキスト版が空です', en: 'The plain text is empty' },
      what: {
        ja: '文章を入れるか、自動で作成する設定に戻してください。',
        en: 'Write a text, or let it be made from the email.',
      },
    },
    text_behind: {
      title: { ja: 'テキスト版がメールの内容より古い可能性があります', en: 'The plain text may be out of date' },
      what: {
        ja: 'テキスト版を書いた後に、メールの内容が変更されています。エディターで確認してください。',
        en: 'The email was changed after the plain text was written. Check it in the editor.',
      },
    },
    placeholder_left: {
      title: { ja: 'テンプレートの説明文が残っています', en: 'Placeholder text is still in the email' },
      what: {
        ja: '下の文を、お送りする文章に書き換えるか、削除してください。',
        en: 'Replace the text below with your own, or delete it.',
      },
    },
    template_broken: {
      title: { ja: '差し込みタグの書き方に誤りがあります', en: 'A tag is not written correctly' },
      what: {
        ja: 'タグの括弧「{{ }}」や「{% %}」が閉じているか、下の箇所を確認してください。',
        en: 'Check that the brackets “{{ }}” and “{% %}” below are closed.',
      },
    },
    template_not_offered: {
      title: { ja: '差し込みタグに使えない書き方があります', en: 'A tag uses an unsupported filter or range' },
      what: {
        ja: '下の箇所のフィルター（where_exp など）や1,000件を超える範囲は、処理に時間がかかりすぎるため使えません。別の書き方に変えてください。',
        en: 'Filters that compute for each item (such as where_exp) and ranges of more than 1,000 items take too long. Write the part below another way.',
      },
    },
    template_too_costly: {
      title: { ja: '差し込みタグの処理が重すぎます', en: 'Tags are too complex' },
      what: {
        ja: 'このままでは1通の作成に時間がかかりすぎるか、大きくなりすぎるため配信できません。繰り返しを減らすか、下の箇所を簡単にしてください。',
        en: 'Rendering this email takes too long or makes it too large, so it cannot be sent. Use fewer loops, or simplify the part below.',
      },
    },
    sender_missing: {
      title: { ja: '差出人メールアドレスがありません', en: 'Sender address missing' },
      what: {
        ja: '設定で差出人メールアドレスを登録するか、このメールの差出人を入力してください。',
        en: 'Enter a sender address in settings, or set one for this email.',
      },
    },
    sender_unconfirmed: {
      title: { ja: '差出人メールアドレスが確認されていません', en: 'Sender address not confirmed' },
      what: {
        ja: 'このアドレスに届く確認メールのリンクを開くと、差出人として使えるようになります。',
        en: 'Open the confirmation link sent to this address to use it as the sender.',
      },
    },
    line_not_connected: {
      title: { ja: 'LINEチャネルが接続されていません', en: 'LINE is not connected' },
      what: {
        ja: '設定の「LINE」で、LINE公式アカウントのチャネルを接続してください。',
        en: 'Connect your LINE Official Account in Settings, LINE.',
      },
    },
    account_unconfirmed: {
      title: { ja: 'アカウントのメールアドレスが確認されていません', en: 'Account email not confirmed' },
      what: {
        ja: 'ログイン用メールアドレスに届いた確認メールのリンクを開いてください。確認が済むまで、メールは配信されません。',
        en: 'Open the confirmation link sent to your login email. Nothing is sent until then.',
      },
    },
    size_clipped: {
      title: { ja: 'メールが大きすぎます', en: 'The email is too large' },
      what: {
        ja: '102 kBを超えたメールは途中で切れて表示されます。不要な記述を減らすか、文章を短くしてください。',
        en: 'Email apps cut off emails over 102 kB. Remove what is not needed, or shorten the text.',
      },
    },
    size_near_clipping: {
      title: { ja: 'メールが大きくなっています', en: 'The email is getting large' },
      what: {
        ja: '102 kBを超えると途中で切れて表示されます。90 kB以下に減らすと安心です。',
        en: 'Email apps cut off emails over 102 kB. Staying under 90 kB is safe.',
      },
    },
    sender_domain_public: {
      title: { ja: '差出人がフリーメールのアドレスです', en: 'The sender uses a public email provider' },
      what: {
        ja: '迷惑メールと判定されやすくなります。独自ドメインのアドレスを使ってください。',
        en: 'Such emails are likely to be treated as spam. Use an address on your own domain.',
      },
    },
    needs_scenario: {
      title: { ja: 'シナリオのメールでだけ使える差し込みタグです', en: 'Some tags only work in scenario emails' },
      what: {
        ja: '注文・カートの内容は、キャンペーンでは空欄になります。タグを取り除くか、シナリオで送ってください。',
        en: 'Order and cart content stays empty in a campaign. Remove the tags, or send the email with a scenario.',
      },
    },
    line_sample_left: {
      title: {
        ja: 'LINEメッセージにテンプレートの画像またはリンクが残っています',
        en: 'The LINE message still has pictures or links of its template',
      },
      what: {
        ja: 'example.comの画像は表示されず、リンクはストアに届きません。LINEメッセージを開いて、自分のストアのものに変更してください。',
        en: 'Pictures of example.com are not shown, and its links do not lead to your store. Open the LINE message and replace them.',
      },
    },
    coupon_not_set: {
      title: { ja: 'クーポンの内容が設定されていません', en: 'The coupon is not set up' },
      what: {
        ja: '1人ずつ発行するコードを表示する内容です。キャンペーンの「1人ずつのクーポン」で割引率と有効期間を設定してください。',
        en: 'The message shows a code of each recipient’s own. Set its discount and days in the campaign, under “A coupon for each recipient”.',
      },
    },
    coupon_needs_store: {
      title: { ja: 'ストアが接続されていません', en: 'No store is connected' },
      what: {
        ja: 'クーポンのコードはストアで作成します。ストアを接続するか、1人ずつの発行をやめてください。',
        en: 'Coupon codes are created in the store. Connect it, or turn off the coupon for each recipient.',
      },
    },
    coupon_ends_early: {
      title: { ja: '配信が終わる前にクーポンの期限が切れます', en: 'The coupon ends before everyone has it' },
      what: {
        ja: 'A/Bテストやウォームアップのため、配信に時間がかかります。有効期間を延ばしてください。',
        en: 'An A/B test or a warm-up makes sending last longer. Let the codes be valid for more days.',
      },
    },
    coupon_not_shown: {
      title: { ja: '発行するコードがどこにも表示されません', en: 'The code for each recipient is not shown' },
      what: {
        ja: 'キャンペーンでは1人ずつの発行を選んでいますが、内容にコードがないため、作成されません。メールのクーポンブロックで「1人ずつ発行」を選ぶか、差し込みタグの「クーポンコード」を入れてください。',
        en: 'The campaign gives each recipient a code, but the message does not show it, so none are created. In the email’s coupon block choose “One each”, or insert the tag “Coupon code”.',
      },
    },
    product_gone: {
      title: { ja: '販売していない商品が入っています', en: 'A product is not on sale' },
      what: {
        ja: 'ストアで公開されていないか、削除された商品です。別の商品を選ぶか、ブロックを取り除いてください。',
        en: 'It is not published in the store, or was deleted. Choose another product, or remove the block.',
      },
    },
    segment_gone: {
      title: { ja: '削除されたセグメントが指定されています', en: 'A segment was deleted' },
      what: {
        ja: '「この人だけに表示」のセグメントが見つかりません。別のセグメントを選ぶか、ブロックを取り除いてください。',
        en: 'The segment of an “only for” block does not exist. Choose another segment, or remove the block.',
      },
    },
    coupon_expired: {
      title: { ja: 'クーポンの有効期限が過ぎています', en: 'The coupon has expired' },
      what: {
        ja: '配信する日には使えないクーポンです。期限とコードを確認してください。',
        en: 'It cannot be used on the day the email is sent. Check its last day and its code.',
      },
    },
    no_products_chosen: {
      title: { ja: '条件に合う商品がありません', en: 'No product fits the rule' },
      what: {
        ja: '今配信すると、このブロックには商品が表示されません。別の条件を選ぶか、ブロックを取り除いてください。',
        en: 'Sent now, the block would show no product. Choose another rule, or remove the block.',
      },
    },
    too_many_blocks: {
      title: { ja: '配信時に決まるブロックが多すぎます', en: 'Too many blocks are filled when it is sent' },
      what: {
        ja: '1通のメールに入れられるのは、商品は100点、表示する人を限るセグメントは30件、条件で選ぶ商品は10件までです。ブロックを減らしてください。',
        en: 'An email can name 100 products, 30 segments and 10 choices of products by rule. Remove some blocks.',
      },
    },
    segment_not_ready: {
      title: { ja: 'セグメントの集計が終わっていません', en: 'A segment is still being counted' },
      what: {
        ja: '誰に表示するかがまだ決まっていません。集計が終わるまでお待ちください。',
        en: 'It is not known yet who will see the block. Wait until the segment has been counted.',
      },
    },
    unknown_tag: {
      title: { ja: '存在しない差し込みタグです', en: 'Unknown tag' },
      what: {
        ja: 'このタグは空欄になります。差し込みタグの一覧から選び直してください。',
        en: 'It stays empty in the email. Choose a tag from the list.',
      },
    },
    links_to_nowhere: {
      title: { ja: 'リンク先がないリンクです', en: 'Link has no destination' },
      what: {
        ja: '「#」や空のリンク先を、開きたいページのURLに直してください。',
        en: 'Replace “#” or the empty address with the URL to open.',
      },
    },
    insecure_link: {
      title: { ja: '暗号化されていないリンクです', en: 'Insecure link' },
      what: { ja: '「http://」を「https://」に変えてください。', en: 'Change “http://” to “https://”.' },
    },
    script_removed: {
      title: { ja: 'スクリプトは取り除かれます', en: 'Scripts are removed' },
      what: {
        ja: 'メールソフトはスクリプトを実行しないため、配信時に取り除きます。なくても伝わる内容にしてください。',
        en: 'Email apps do not run scripts, so they are removed when sending. Make sure the email works without them.',
      },
    },
    image_without_alt: {
      title: { ja: '代替テキストのない画像です', en: 'Image without alternative text' },
      what: {
        ja: '画像が表示されない場合に備えて、alt属性で内容を説明してください。',
        en: 'Describe the image in its alt attribute for readers who do not see images.',
      },
    },
    empty_for_some: {
      title: { ja: '差し込みタグが空欄になる顧客がいます', en: 'A tag is empty for some customers' },
      what: {
        ja: 'このタグの値が登録されていない顧客には、空欄のまま届きます。「{{tag}}」のように、代わりの文字を指定できます。',
        en: 'Customers without this value see nothing in its place. You can give a replacement, as in “{{tag}}”.',
      },
    },
    past_date: {
      title: { ja: '配信日には過ぎている日付があります', en: 'A date will be over when this is sent' },
      what: {
        ja: '以前のメールの日付が残っていないか、確認してください。',
        en: 'Check that it is not left over from an earlier email.',
      },
    },
    unreadable_characters: {
      title: { ja: '正しく表示されない文字があります', en: 'Some characters may not be shown' },
      what: {
        ja: '外字や文字化けした文字は、読む人の端末では別の文字や空白になります。ほかの文字に置き換えてください。①や㈱、髙は問題ありません。',
        en: 'Custom or garbled characters look different or blank on other devices. Replace them.',
      },
    },
    subject_in_capitals: {
      title: { ja: '件名がすべて大文字です', en: 'The subject is in capitals' },
      what: {
        ja: '大文字だけの件名は読みにくく、迷惑メールと判定されやすくなります。',
        en: 'Subjects in capitals are hard to read and more likely to be treated as spam.',
      },
    },
    too_many_exclamations: {
      title: { ja: '件名に「！」が多すぎます', en: 'Too many exclamation marks in the subject' },
      what: {
        ja: '迷惑メールのような印象を与えます。2つまでに減らしてください。',
        en: 'They make an email look like spam. Use two at most.',
      },
    },
    mostly_picture: {
      title: { ja: '文章がほとんどなく、画像が中心です', en: 'Almost all of this is an image' },
      what: {
        ja: '画像を表示しない設定の人には内容が伝わらず、迷惑メールと判定されやすくなります。要点を文章でも書いてください。',
        en: 'Readers with images turned off see nothing, and such emails are more likely to be treated as spam. Write the main points as text too.',
      },
    },
    picture_missing: {
      title: { ja: '画像が選ばれていません', en: 'No image chosen' },
      what: {
        ja: '画像を選ぶか、この場所の画像を削除してください。',
        en: 'Choose an image, or remove it from this place.',
      },
    },
    link_dead: {
      title: { ja: 'リンク先が見つかりません', en: 'Link leads nowhere' },
      what: {
        ja: 'このページはありません。URLを正しいものに直してください。直したあと、もう一度確認できます。',
        en: 'There is no such page. Correct the address; then it can be checked again.',
      },
    },
    link_private: {
      title: { ja: 'お客さまには開けないリンクです', en: 'Link that customers cannot open' },
      what: {
        ja: '社内のアドレス、ストアの管理画面、またはプレビューのURLです。公開されているページのURLに変えてください。',
        en: 'It leads to an internal address, the admin of the store or a preview. Use the address of a public page.',
      },
    },
    link_shortened: {
      title: { ja: '短縮URLです', en: 'Shortened link' },
      what: {
        ja: '短縮URLは迷惑メールと判定されやすくなります。クリックはこのままでも計測されるため、元のURLを使ってください。',
        en: 'Spam filters distrust shortened links. Use the full address; clicks are counted anyway.',
      },
    },
    link_to_hidden_product: {
      title: { ja: '公開されていない商品へのリンクです', en: 'Link to a product that is not published' },
      what: {
        ja: 'ストアで下書きまたはアーカイブになっています。配信までに商品を公開するか、リンクを変えてください。',
        en: 'In the store it is a draft or archived. Publish it before sending, or change the link.',
      },
    },
    picture_dead: {
      title: { ja: '画像が見つかりません', en: 'Image not found' },
      what: {
        ja: 'この画像は表示されません。画像を選び直すか、この場所から削除してください。',
        en: 'This image will not be shown. Choose another one, or remove it.',
      },
    },
    picture_heavy: {
      title: { ja: '画像が重すぎます', en: 'Image is too heavy' },
      what: {
        ja: '電波の弱い場所では表示に時間がかかります。1 MBより小さくしてください。画像ライブラリを使うと自動で小さくなります。',
        en: 'On a weak connection it takes long to appear. Keep it below 1 MB; images of the library are made smaller automatically.',
      },
    },
    pictures_heavy: {
      title: { ja: '画像の合計が重すぎます', en: 'Images are too heavy together' },
      what: {
        ja: 'すべての画像の合計を2 MBより小さくしてください。',
        en: 'Keep all images together below 2 MB.',
      },
    },
    coupon_unknown: {
      title: { ja: 'ストアにないクーポンコードです', en: 'The store has no such coupon code' },
      what: {
        ja: 'お客さまは使えません。コードを直すか、ストアで作成してください。',
        en: 'Customers cannot use it. Correct the code, or create it in the store.',
      },
    },
    coupon_ended: {
      title: { ja: '配信時に期限が切れているクーポンです', en: 'Coupon has ended by the time of sending' },
      what: {
        ja: 'ストアで期限を延ばすか、別のコードに変えてください。',
        en: 'Extend it in the store, or use another code.',
      },
    },
    coupon_not_begun: {
      title: { ja: '配信時にまだ使えないクーポンです', en: 'Coupon has not begun by the time of sending' },
      what: {
        ja: 'ストアで開始日時を早めるか、メールにいつから使えるか書いてください。',
        en: 'Let it begin earlier in the store, or say in the email from when it can be used.',
      },
    },
    coupon_too_few: {
      title: { ja: 'クーポンの残り回数が配信先より少ないです', en: 'Fewer coupon uses left than recipients' },
      what: {
        ja: '先着の人数をメールに書くか、ストアで使用回数の上限を増やしてください。',
        en: 'Say in the email that it is for the first ones, or raise the limit in the store.',
      },
    },
    low_contrast: {
      title: { ja: '文字と背景の色が似ています', en: 'Text and background colors are too similar' },
      what: {
        ja: '読みにくいため、文字か背景の色を変えてください。',
        en: 'It is hard to read. Change one of the colors.',
      },
    },
    dark_mode_contrast: {
      title: { ja: 'ダークモードで文字が読めないおそれがあります', en: 'Text may be unreadable in dark mode' },
      what: {
        ja: '濃い文字色だけが指定され、背景色がありません。ダークモードでは背景が黒になるため、背景色も指定してください。',
        en: 'The text has a dark color but no background. In dark mode the background turns black, so set a background color too.',
      },
    },
    sender_domain_unverified: {
      title: { ja: '差出人のドメインが認証されていません', en: 'The sender domain is not verified' },
      what: {
        ja: 'GmailやYahooなどで迷惑メールに入りやすくなります。設定の「メール」で、DNSレコードを登録してください。',
        en: 'Gmail, Yahoo and others are more likely to treat the email as spam. Set up its DNS records in the email settings.',
      },
    },
    sender_dmarc_missing: {
      title: { ja: '差出人のドメインにDMARCレコードがありません', en: 'The sender domain has no DMARC record' },
      what: {
        ja: 'GmailやYahooは、大量に配信するドメインにDMARCレコードを求めています。設定の「メール」で内容を確認できます。',
        en: 'Gmail and Yahoo ask for one from those who send many emails. The email settings show what to publish.',
      },
    },
  } satisfies Findings,
  components: {
    title: { ja: 'メールのパーツ', en: 'Email components' },
    description: {
      ja: 'ヘッダーやフッターなど、複数のメールで使う部品です。ここで直すと、これから配信するすべてのメールに反映されます。',
      en: 'Headers, footers and other parts that several emails share. Edit one here, and every email sent from then on is updated.',
    },
    add: { ja: 'パーツを作成', en: 'Create component' },
    search: { ja: 'パーツ名・キーで検索', en: 'Search by name or key' },
    name: { ja: 'パーツ名', en: 'Component name' },
    tag: { ja: 'タグ', en: 'Tag' },
    tagHelp: {
      ja: 'このタグをメールの本文に書くと、その場所にパーツが入ります。パーツ名を変えても、タグは変わりません。',
      en: 'Write this tag into an email, and the component appears there. Renaming the component does not change its tag.',
    },
    copyTag: { ja: 'タグをコピー', en: 'Copy tag' },
    copied: { ja: 'コピーしました', en: 'Copied' },
    emailCount: { ja: '使用中のメール', en: 'Used in emails' },
    emails: { ja: '{{count}}件', en: { one: '1 email', other: '{{count}} emails' } },
    unused: { ja: '未使用', en: 'Not used' },
    back: { ja: 'パーツ一覧', en: 'Email components' },
    newTitle: { ja: 'パーツを作成', en: 'Create component' },
    newText: {
      ja: '名前を付けて作成します。内容は次の画面で編集します。',
      en: 'Give it a name. You edit its content on the next page.',
    },
    key: { ja: 'タグのキー', en: 'Tag key' },
    keyHelp: {
      ja: 'メールに {{tag}} のように書くための名前です。半角の英小文字・数字・ハイフンで入力します。空欄ならパーツ名から作ります。あとから変更できません。',
      en: 'Used to write it into an email: {{tag}}. Lower-case letters, digits and hyphens. Made from the name if left blank. Cannot be changed later.',
    },
    create: { ja: '作成して編集', en: 'Create and edit' },
    code: { ja: 'HTML', en: 'HTML' },
    codeLabel: { ja: 'パーツのHTML', en: 'HTML of the component' },
    firstContent: {
      ja: '<p style="margin:0">ここに内容を書いてください。</p>\n',
      en: '<p style="margin:0">Write its content here.</p>\n',
    },
    duplicateAsk: { ja: '「{{name}}」を複製しますか？', en: 'Duplicate “{{name}}”?' },
    duplicateBody: {
      ja: '複製したパーツは別のタグになります。元のパーツを使っているメールは変わりません。',
      en: 'The copy gets a tag of its own. Emails that use this component stay as they are.',
    },
    deleteAsk: { ja: '「{{name}}」を削除しますか？', en: 'Delete “{{name}}”?' },
    uses: {
      title: { ja: '使用中のメールとパーツ', en: 'Where it is used' },
      none: { ja: 'まだどのメールでも使われていません。', en: 'No email uses it yet.' },
      email: { ja: 'メール「{{name}}」', en: 'Email “{{name}}”' },
      component: { ja: 'パーツ「{{name}}」', en: 'Component “{{name}}”' },
      through: { ja: '（別のパーツの中で使用）', en: '(within another component)' },
      more: { ja: 'ほか{{count}}件', en: { one: 'and 1 more', other: 'and {{count}} more' } },
    },
    saveAsk: {
      ja: 'このパーツを使っているメール（{{count}}件）が変わります',
      en: { one: 'This changes 1 email', other: 'This changes {{count}} emails' },
    },
    saveBody: {
      ja: '保存すると、有効なシナリオがこれから送るメールと、下書きのキャンペーンに反映されます。予約済み・配信済みのキャンペーンは変わりません。',
      en: 'Active scenarios send the new content from now on, and drafts of campaigns will contain it. Campaigns already scheduled or sent stay as they are.',
    },
    save: { ja: '保存して反映', en: 'Save and update' },
    empty: {
      title: { ja: 'パーツはまだありません', en: 'No components yet' },
      text: {
        ja: 'ヘッダーやフッターをパーツにしておくと、すべてのメールを一度に直せます。',
        en: 'Make your header or footer a component, and change all your emails at once.',
      },
    },
  },
  tagCategory: {
    customer: { ja: '顧客', en: 'Customer' },
    metafields: { ja: 'メタフィールド', en: 'Metafields' },
    store: { ja: 'ストア・差出人', en: 'Store and sender' },
    scenario: {
      ja: 'シナリオの注文・カート、1人ずつのクーポン',
      en: 'Order and cart of a scenario, each recipient’s coupon',
    },
    links: { ja: 'リンク', en: 'Links' },
    components: { ja: 'パーツ', en: 'Components' },
    line: { ja: 'LINE', en: 'LINE' },
  } satisfies Categories,
  test: {
    title: { ja: 'テスト送信', en: 'Test send' },
    intro: {
      ja: '保存されている内容を、入力したアドレスに送ります。',
      en: 'Sends the saved content to these addresses.',
    },
    unsaved: {
      ja: '保存していない変更は含まれません。先に保存してください。',
      en: 'Unsaved changes are not included. Please save first.',
    },
    addresses: { ja: '宛先メールアドレス', en: 'Send to' },
    addressesHelp: {
      ja: '入力してEnterキーを押すと追加されます。10件まで指定できます。',
      en: 'Type and press Enter to add; up to 10.',
    },
    as: { ja: '差し込みに使う顧客', en: 'Preview as' },
    asExample: { ja: 'サンプル顧客', en: 'Sample customer' },
    send: { ja: 'テスト送信する', en: 'Send' },
    sent: {
      ja: 'テストメールを送信しました（{{count}}件）',
      en: { one: 'One test email sent', other: '{{count}} test emails sent' },
    },
    wrong: { ja: '{{addresses}}：{{reason}}', en: '{{addresses}}: {{reason}}' },
    notSent: { ja: '届けられなかった宛先があります', en: 'Not sent to some addresses' },
    testMode: {
      ja: 'テストモードのため、メールはテスト用の宛先（{{emails}}）にのみ送られます。',
      en: 'In test mode, emails go only to the test addresses ({{emails}}).',
    },
    testModeNone: {
      ja: 'テストモードですが、確認済みのテスト用の宛先がありません。設定をご確認ください。',
      en: 'Test mode is on, but no test address is confirmed. Check your settings.',
    },
    failed: {
      ja: 'テスト送信に失敗しました。しばらくしてからもう一度お試しください。',
      en: 'Preview send failed. Please retry later.',
    },
    captchaRequired: { ja: '確認のチェックを入れてください', en: 'Please check the box' },
  },
  captcha: {
    label: { ja: '私はロボットではありません', en: 'I’m not a robot' },
    verifying: { ja: '確認中…', en: 'Verifying…' },
    verified: { ja: '確認できました', en: 'Verified' },
    error: { ja: '確認に失敗しました。もう一度お試しください。', en: 'The check failed. Please try again.' },
    expired: { ja: '有効期限が切れました。もう一度お試しください。', en: 'The check expired. Please try again.' },
    verificationRequired: { ja: '確認のチェックを入れてください', en: 'Please check the box' },
    waitAlert: { ja: '確認中です。しばらくお待ちください。', en: 'Verifying. Please wait.' },
    loading: { ja: '読み込み中…', en: 'Loading…' },
  },
  picker: { label: { ja: 'メール', en: 'Email' }, placeholder: { ja: 'メール名で検索', en: 'Search by name' } },
} satisfies WordTree
