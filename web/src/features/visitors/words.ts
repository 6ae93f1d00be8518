import type { WordTree } from '../../app/word-tree.ts'

export const words = {
  readOnly: {
    ja: '閲覧のみの権限のため、ウィジェットの設定は変更できません。',
    en: 'You have view-only access, so you cannot change the widget.',
  },
  preview: {
    title: { ja: 'プレビュー', en: 'Preview' },
    text: {
      ja: '保存する前の内容を、ストアのページと同じプログラムで表示しています。ボタンを押しても何も登録されません。',
      en: 'What you have entered, shown by the same program that runs in your store. Nothing you press here is saved.',
    },
    look: { ja: 'テーマの明るさ', en: 'Theme' },
    light: { ja: 'ライト', en: 'Light' },
    dark: { ja: 'ダーク', en: 'Dark' },
    language: { ja: 'ストアの言語', en: 'Store language' },
    region: { ja: '商品ページのプレビュー', en: 'Preview of a product page' },
    failed: {
      ja: 'プレビューを表示できませんでした。ページを再読み込みしてください。',
      en: 'The preview could not be loaded. Please reload the page.',
    },
  },
  /** What the parts say themselves (plain-texts.test.ts); shown where the merchant says nothing. */
  plain: {
    heart_add: { ja: 'お気に入りに追加', en: 'Add to favorites' },
    heart_remove: { ja: 'お気に入りから外す', en: 'Remove from favorites' },
    favorites_title: { ja: 'お気に入り', en: 'Favorites' },
    favorites_empty: {
      ja: 'お気に入りはまだありません。商品のハートを押すと、ここに並びます。',
      en: 'No favorites yet. Press the heart of a product to see it here.',
    },
    birthday_label: { ja: '誕生日', en: 'Birthday' },
    birthday_save: { ja: '保存する', en: 'Save' },
    sign_up_label: { ja: 'メールアドレス', en: 'Email address' },
    sign_up_button: { ja: '登録する', en: 'Sign up' },
    sign_up_done: { ja: 'ご登録ありがとうございます。', en: 'Thank you for signing up.' },
  },
  shop: {
    product: { ja: '深蒸し煎茶 100g', en: 'Deep-steamed sencha, 100 g' },
    price: { ja: '1,620円（税込）', en: '¥1,620 (tax included)' },
    size: { ja: 'サイズ：100g（在庫切れ）', en: 'Size: 100 g (sold out)' },
    soldOut: { ja: '在庫切れ', en: 'Sold out' },
    account: { ja: 'アカウントページ', en: 'Account page' },
    footer: { ja: 'フッター', en: 'Footer' },
  },
  parts: {
    title: { ja: '表示するもの', en: 'What to show' },
    text: {
      ja: 'オフにすると、テーマに置いてあっても表示されません。場所はあいたままになるので、使わないものはテーマからも外してください。変更は2分以内にストアへ反映されます。',
      en: 'What is off is not shown, but its place in your theme stays empty: remove it there, too. Changes reach your store within two minutes.',
    },
    names: {
      heart: { ja: 'お気に入りボタン', en: 'Favorite button' },
      'favorites-page': { ja: 'お気に入りページ', en: 'Favorites page' },
      restock: { ja: '再入荷のお知らせ', en: 'Back in stock form' },
      birthday: { ja: '誕生日の登録', en: 'Birthday form' },
      consent: { ja: 'マーケティング許可の切り替え', en: 'Marketing permission switch' },
      'sign-up': { ja: 'メールマガジンの登録フォーム', en: 'Newsletter form' },
    },
    about: {
      heart: {
        ja: '商品カードと商品ページに、ハートのボタンを表示します。',
        en: 'A heart on product cards and product pages.',
      },
      'favorites-page': {
        ja: 'お気に入りに追加した商品を一覧で表示します。',
        en: 'Lists the products a visitor added to favorites.',
      },
      restock: {
        ja: '在庫切れの商品ページに、再入荷のお知らせを申し込むボタンを表示します。',
        en: 'A button on pages of sold-out products, to ask for an email or LINE message when they are back.',
      },
      birthday: {
        ja: 'アカウントページと購入後のページで、誕生日を登録できます。',
        en: 'Customers enter their birthday on the account page and after checkout.',
      },
      consent: {
        ja: 'アカウントページで、お知らせを受け取るかどうかを選べます。',
        en: 'Customers choose on the account page whether to receive your emails.',
      },
      'sign-up': {
        ja: 'ログインしていない方も、メールアドレスだけで登録できます。',
        en: 'Visitors subscribe with their email address, without signing in.',
      },
    },
    place: { ja: '表示する場所', en: 'Position' },
    selector: { ja: 'CSSセレクター', en: 'CSS selector' },
    selectorHelp: {
      ja: 'テーマにブロックを置けないときだけ入力します。表示されるとき、下の内容が少しずれます。',
      en: 'Only for themes without blocks. What is below moves a little when it appears.',
    },
    where: { ja: '要素のどこに', en: 'Position in the element' },
    wheres: {
      before: { ja: '要素の前', en: 'Before it' },
      after: { ja: '要素の後', en: 'After it' },
      start: { ja: '要素の中の先頭', en: 'Inside, at the start' },
      end: { ja: '要素の中の末尾', en: 'Inside, at the end' },
    },
  },
  texts: {
    title: { ja: '文言', en: 'Texts' },
    text: {
      ja: '空欄のところは、初期設定の文言で表示されます。',
      en: 'Leave blank to use the default text.',
    },
    ja: { ja: '日本語', en: 'Japanese' },
    en: { ja: '英語', en: 'English' },
    names: {
      heart_add: { ja: 'お気に入りに追加', en: 'Add to favorites' },
      heart_remove: { ja: 'お気に入りから外す', en: 'Remove from favorites' },
      favorites_title: { ja: 'お気に入りページの見出し', en: 'Heading of the favorites page' },
      favorites_empty: { ja: 'お気に入りがないとき', en: 'When there are no favorites' },
      birthday_label: { ja: '誕生日のラベル', en: 'Label of the birthday form' },
      birthday_save: { ja: '誕生日のボタン', en: 'Button of the birthday form' },
      sign_up_label: { ja: 'メールマガジンのラベル', en: 'Label of the newsletter form' },
      sign_up_button: { ja: 'メールマガジンのボタン', en: 'Button of the newsletter form' },
      sign_up_done: { ja: 'メールマガジンの登録後', en: 'After subscribing to the newsletter' },
    },
    of: { ja: '{{name}}（{{language}}）', en: '{{name}} ({{language}})' },
  },
  colors: {
    title: { ja: '色', en: 'Colors' },
    text: {
      ja: '空欄のところは、テーマの色に合わせて表示されます。',
      en: 'Leave blank to follow your theme.',
    },
    names: {
      accent: { ja: 'ボタンとハート', en: 'Buttons and hearts' },
      on_accent: { ja: 'ボタンの文字', en: 'Text on buttons' },
      text: { ja: 'ポップアップと入力欄の文字', en: 'Text of popups and fields' },
      ground: { ja: 'ポップアップと入力欄の背景', en: 'Background of popups and fields' },
      line: { ja: '線', en: 'Lines' },
    },
    weak: {
      ja: 'ボタンの文字が読みにくい組み合わせです（コントラスト比 {{ratio}}、推奨は4.5以上）。',
      en: 'The text on buttons is hard to read (contrast {{ratio}}; 4.5 or more is recommended).',
    },
    weakText: {
      ja: 'ポップアップの文字が読みにくい組み合わせです（コントラスト比 {{ratio}}、推奨は4.5以上）。',
      en: 'The text of popups is hard to read (contrast {{ratio}}; 4.5 or more is recommended).',
    },
  },
  install: {
    title: { ja: 'ストアへの設置', en: 'Put it into your store' },
    text: {
      ja: 'どちらか1つの方法で設置します。両方を設置しても、二重には表示されません。',
      en: 'Use one of the two ways. If both are there, nothing is shown twice.',
    },
    noStore: { ja: 'ストアを接続すると、設置の方法が表示されます。', en: 'Connect your store to see how.' },
    blocks: { ja: 'テーマエディターで設置（おすすめ）', en: 'In the theme editor (recommended)' },
    blockSteps: {
      open: {
        ja: 'テーマエディターを開き、「アプリの埋め込み」で「Okaeri」をオンにします。',
        en: 'Open the theme editor and turn on “Okaeri” under “App embeds”.',
      },
      add: {
        ja: '商品ページで「ブロックを追加」→「アプリ」を開き、お気に入りボタンと再入荷のお知らせを置きます。',
        en: 'On the product page choose “Add block”, then “Apps”, and place the favorite button and the back in stock form.',
      },
      more: {
        ja: '同じように、アカウントページに誕生日の登録とマーケティング許可を、フッターにメールマガジンの登録を置きます。',
        en: 'In the same way, place the birthday form and the marketing permission on the account page, and the newsletter form in the footer.',
      },
      save: { ja: '「保存」を押します。', en: 'Press “Save”.' },
    },
    openEditor: { ja: 'テーマエディターを開く', en: 'Open the theme editor' },
    blocksPicture: {
      ja: 'テーマエディターの図。左の「アプリの埋め込み」でOkaeriがオンになり、商品ページの購入ボタンの下に再入荷のお知らせが置かれている。',
      en: 'Drawing of the theme editor: Okaeri is on under App embeds at the left, and the back in stock form is below the buy button of the product page.',
    },
    tag: { ja: 'テーマのコードに貼り付けて設置', en: 'In the code of the theme' },
    tagSteps: {
      paste: {
        ja: '「オンラインストア」→「テーマ」→「コードを編集」で layout/theme.liquid を開き、下のスクリプトを </body> のすぐ上に貼り付けます。',
        en: 'Open layout/theme.liquid under “Online Store”, “Themes”, “Edit code”, and paste the script below just above </body>.',
      },
      styles: {
        ja: 'assets/base.css の最後に、下のスタイルを貼り付けます。表示される前から場所をあけておくため、ページがずれません。',
        en: 'Paste the styles below at the end of assets/base.css. They keep the places free from the start, so that nothing on the page moves.',
      },
      place: {
        ja: '表示したい場所に、下の目印を置きます。目印を置けないときは、上の「表示する場所」でCSSセレクターを指定します。',
        en: 'Put the markers below where the parts should appear. Where you cannot, enter a CSS selector under “Position” above.',
      },
      save: { ja: '「保存」を押します。', en: 'Press “Save”.' },
    },
    tagPicture: {
      ja: 'theme.liquidの図。コードの最後、</body> のすぐ上の行にOkaeriのタグがある。',
      en: 'Drawing of theme.liquid: the Okaeri tag is on the line just above </body> at the end.',
    },
    checkout: { ja: '購入後のページに設置', en: 'On the pages after checkout' },
    checkoutText: {
      ja: 'サンクスページ、注文状況ページ、顧客アカウントには、テーマもスクリプトも表示されません。上の方法に加えて、ブロックを追加します。ログインした顧客だけに、誕生日の登録とマーケティング許可が表示されます。',
      en: 'The thank-you page, the order status page and customer accounts take neither a theme nor a script. Add a block there as well. Only signed-in customers see the birthday form and the marketing permission.',
    },
    checkoutSteps: {
      open: {
        ja: 'チェックアウトとアカウントのエディターを開き、上のメニューで「サンクスページ」を選びます。',
        en: 'Open the checkout and accounts editor and choose “Thank you” in the menu at the top.',
      },
      add: {
        ja: '「アプリブロックを追加」で「Okaeri」を選び、表示したい場所に置きます。',
        en: 'Choose “Add app block”, then “Okaeri”, and place it where you like.',
      },
      more: {
        ja: '同じように、「注文状況」と「プロフィール」にも置けます。ブロックの設定で、誕生日か許可のどちらかを隠せます。',
        en: 'In the same way, place it on “Order status” and “Profile”. The settings of the block hide the birthday or the permission.',
      },
      save: { ja: '「保存」を押します。', en: 'Press “Save”.' },
    },
    openCheckoutEditor: {
      ja: 'チェックアウトとアカウントのエディターを開く',
      en: 'Open the checkout and accounts editor',
    },
    checkoutPicture: {
      ja: 'エディターの図。サンクスページの注文内容の横に、誕生日の入力欄とチェックボックスのブロックが置かれている。',
      en: 'Drawing of the editor: beside the order on the thank-you page there is a block with a birthday field and a checkbox.',
    },
    code: { ja: 'スクリプト', en: 'Script' },
    styles: { ja: 'スタイル', en: 'Styles' },
    places: { ja: '目印', en: 'Markers' },
    favorites: { ja: 'お気に入りページのアドレス', en: 'Address of the favorites page' },
    favoritesText: {
      ja: 'どちらの方法でも、「オンラインストア」→「メニュー」にこのアドレスを追加すると、訪問者がお気に入りページを開けます。',
      en: 'Either way, add this address under “Online Store”, “Navigation”, so that visitors find their favorites.',
    },
    copy: { ja: 'コピー', en: 'Copy' },
    copied: { ja: 'コピーしました', en: 'Copied' },
  },
} as const satisfies WordTree
