import type { WordTree } from './word-tree.ts'

export const words = {
  product: { ja: 'お帰り Okaeri', en: 'お帰り Okaeri' },
  skip: { ja: '本文へ移動', en: 'Skip to content' },
  mainNavigation: { ja: 'メインメニュー', en: 'Main menu' },
  openMenu: { ja: 'メニューを開く', en: 'Open menu' },
  closeMenu: { ja: 'メニューを閉じる', en: 'Close menu' },
  nav: {
    dashboard: { ja: 'ダッシュボード', en: 'Dashboard' },
    scenarios: { ja: 'シナリオ', en: 'Scenarios' },
    campaigns: { ja: 'キャンペーン', en: 'Campaigns' },
    messages: { ja: 'メッセージ', en: 'Messages' },
    emails: { ja: 'メール', en: 'Emails' },
    emailComponents: { ja: 'メールのパーツ', en: 'Email components' },
    lineMessages: { ja: 'LINEメッセージ', en: 'LINE messages' },
    richMenus: { ja: 'リッチメニュー', en: 'Rich menus' },
    media: { ja: '画像', en: 'Pictures' },
    coupons: { ja: 'クーポン', en: 'Coupons' },
    customerGroup: { ja: '顧客', en: 'Customers' },
    customers: { ja: '顧客一覧', en: 'All customers' },
    segments: { ja: 'セグメント', en: 'Segments' },
    favorites: { ja: 'お気に入り', en: 'Favorites' },
    restock: { ja: '再入荷通知', en: 'Restock notifications' },
    metafields: { ja: 'メタフィールド', en: 'Metafields' },
    suppressions: { ja: '配信除外リスト', en: 'Suppression list' },
    dataGroup: { ja: 'データ', en: 'Data' },
    data: { ja: 'データ一覧', en: 'Data sets' },
    dataImport: { ja: 'データ取り込み', en: 'Data import' },
    privacy: { ja: '個人情報の請求', en: 'Privacy requests' },
    reports: { ja: 'レポート', en: 'Reports' },
    deliverability: { ja: '到達状況', en: 'Deliverability' },
    settings: { ja: '設定', en: 'Settings' },
  },
  testMode: {
    badge: { ja: 'テストモード', en: 'Test mode' },
    explain: {
      ja: 'メールは実際の顧客には届かず、すべてテスト用の宛先に送られます。クリックすると設定を開きます。',
      en: 'No email reaches your customers. Everything goes to your test addresses. Click to open the settings.',
    },
  },
  unconfirmed: {
    title: { ja: 'メールアドレスの確認をお願いします', en: 'Confirm your email address' },
    text: {
      sent: {
        ja: '{{email}} に確認メールをお送りしました。リンクを開いて確認するまで、メールは配信されません。作成や設定は今すぐできます。',
        en: 'We sent a link to {{email}}. No emails are sent until you confirm it. You can set up everything else now.',
      },
      under_way: {
        ja: '{{email}} に確認メールをお送りしています。リンクを開いて確認するまで、メールは配信されません。作成や設定は今すぐできます。',
        en: 'We are sending a link to {{email}}. No emails are sent until you confirm it. You can set up everything else now.',
      },
      stuck: {
        ja: '{{email}} への確認メールを、まだお送りできていません。自動で再試行しています。しばらく続く場合は、メールサーバーの設定（SMTP_URL）をOkaeriの運用担当者に確認してください。作成や設定は今すぐできます。',
        en: 'The link to {{email}} has not been sent yet. Okaeri keeps trying. If this continues, ask the operator of this installation to check the email server (SMTP_URL). You can set up everything else now.',
      },
    },
    test: {
      ja: '確認されていない宛先があります。確認されるまで、テストメールは届きません。',
      en: 'A test address is not confirmed. It won’t receive test emails until it is.',
    },
    sender: {
      ja: '差出人メールアドレスが確認されていません。確認されるまで、このアドレスからは配信されません。',
      en: 'The sender address is not confirmed. No emails are sent from it until it is.',
    },
    asked: {
      sent: { ja: '（確認待ち：リンクを送信済み）', en: '(link sent, waiting for confirmation)' },
      under_way: { ja: '（確認リンクを送っています）', en: '(sending the link)' },
      stuck: { ja: '（確認リンクをまだ送れていません）', en: '(the link has not been sent yet)' },
    },
    unasked: { ja: '（未確認）', en: '(not confirmed)' },
    accountFirst: {
      ja: '先に、アカウントのメールアドレスを確認してください。確認すると、このアドレスに確認リンクが送られます。',
      en: 'Confirm your account’s email address first. Then this address receives its confirmation link.',
    },
    send: { ja: '確認リンクを送る', en: 'Send confirmation link' },
    again: { ja: '確認リンクをもう一度送る', en: 'Resend confirmation link' },
    sent: { ja: '{{email}} に確認リンクを送りました', en: 'Confirmation link sent to {{email}}' },
  },
  storeLost: {
    title: { ja: 'ストアとの接続が切れています', en: 'Your store is disconnected' },
    since: { ja: '{{time}}から切れています。', en: 'Since {{time}}.' },
    text: {
      ja: 'メールの配信は続きますが、ストアでの新しい注文、顧客、配信許可の変更は届いていません。早めに接続し直してください。',
      en: 'Emails are still sent, but new orders, customers and permission changes no longer reach Okaeri. Reconnect your store soon.',
    },
    connect: { ja: '接続し直す', en: 'Reconnect' },
  },
  currencyChanged: {
    title: {
      ja: 'アカウントの通貨が{{before}}から{{now}}に変わりました',
      en: 'The currency of your account changed from {{before}} to {{now}}',
    },
    text: {
      ja: '変更前に開いたページからは、金額を保存できません。再読み込みしてから、金額を確認してください。',
      en: 'Amounts cannot be saved from pages opened before the change. Reload, then check the amounts.',
    },
    reload: { ja: '再読み込み', en: 'Reload' },
  },
  currenciesDiffer: {
    title: {
      ja: 'ストアの通貨は{{store}}ですが、Okaeriの金額は{{own}}です',
      en: 'Your store sells in {{store}}, but amounts in Okaeri are in {{own}}',
    },
    text: {
      ja: 'クーポンの最低購入金額、セグメントの金額、値下げ額は{{own}}で入力され、ストアでは{{store}}として扱われます。{{store}}の注文は、件数には含まれますが売上には加算されません。金額を確認してください。',
      en: 'Coupon minimums, segment amounts and price drops were entered in {{own}} and count as {{store}} in the store. Orders in {{store}} are counted, but not added to revenue. Review your amounts.',
    },
    review: { ja: '金額を確認する', en: 'Review amounts' },
  },
  sendingHeld: {
    title: { ja: '現在、すべてのメール配信を停止しています', en: 'All sending is on hold' },
    what: {
      ja: '{{time}}から、キャンペーン・シナリオ・テスト送信のいずれも配信されません。',
      en: 'No emails have been sent since {{time}}: no campaigns, scenarios or test emails.',
    },
    because: {
      restored: {
        ja: 'データがバックアップから復元されたためです。バックアップより後に送ったメールの記録がなく、そのまま続けると同じ顧客に二重に届くおそれがあります。',
        en: 'The data was restored from a backup. Emails sent after the backup are not on record, so resuming could email the same people twice.',
      },
      copied: {
        ja: 'データが別の場所にコピーまたは移動されたためです。元の場所からすでに送られたメールが、同じ顧客に二重に届くおそれがあります。',
        en: 'The data was copied or moved. Emails already sent from the original could be sent to the same people again.',
      },
    },
    who: {
      ja: 'ストアの設定が原因ではありません。Okaeriの運用担当者が配信の記録を確認し、停止を解除すると、配信が再開されます。',
      en: 'Your settings did not cause this. The Okaeri operator has to check what was sent. Sending resumes once they release it.',
    },
    safe: {
      ja: '作成した内容、予約、配信待ちのメールはすべて残っています。作成や予約は今もでき、解除後に自動で配信されます。予定の時刻を6時間以上過ぎたキャンペーンは、配信してよいかを先に確認します。',
      en: 'Nothing is lost: your content, scheduled campaigns and unsent emails are all still here. You can keep preparing and scheduling; everything is sent automatically once released. A campaign more than six hours late asks you first.',
    },
    short: {
      ja: '配信や予約をしても、運用担当者が停止を解除するまで待機します。内容は失われません。',
      en: 'Anything you send or schedule now waits until the operator releases it. Nothing is lost.',
    },
    more: { ja: '理由と再開について', en: 'Why, and when sending resumes' },
  },
  waitingForStore: {
    outage: {
      title: {
        ja: '配信の再開前に、ストアの配信停止を確認しています',
        en: 'Checking your store for opt-outs before sending resumes',
      },
      what: {
        ja: 'Okaeriが停止していたため、その間にストアで配信停止した顧客がいないかを確認しています。顧客へのメッセージはその間だけ待機し、確認が終わると（遅くとも15分後に）自動で配信されます。操作は必要ありません。',
        en: 'Okaeri was down. Messages to customers wait while your store is asked who opted out in that time. They are sent when it has answered, after 15 minutes at the latest. You don’t need to do anything.',
      },
    },
    another_store: {
      title: {
        ja: '前のストアの顧客を削除するまで、配信を待っています',
        en: 'Sending waits until the previous store’s customers are removed',
      },
      what: {
        ja: '別のストアが接続されました。前のストアだけの顧客に届かないよう、新しいストアの同期が終わるまで顧客へのメッセージは待機します。そのあと自動で配信されます。操作は必要ありません。',
        en: 'Another store was connected. Messages to customers wait until it is synced, so that no one who was only a customer of the previous store gets them. Then they are sent. You don’t need to do anything.',
      },
    },
  },
  databaseWait: {
    ja: 'データベースに接続できないため待機しています。復旧すると自動的に再開します。',
    en: 'Okaeri can’t reach its database. This page resumes automatically when it’s back.',
  },
  storeTrouble: {
    since: { ja: '{{time}}から続いています。', en: 'Since {{time}}.' },
    meanwhile: {
      ja: 'メールの配信は続きます。ストアが使えるようになると、自動で再開します。',
      en: 'Emails are still sent. Everything resumes automatically once your store can be reached again.',
    },
    frozen: {
      title: { ja: 'ストアが凍結されています', en: 'Your store is frozen' },
      text: {
        ja: 'Shopifyの料金の支払いが確認できないため、ストアのデータを読み書きできません。Shopifyの管理画面でお支払い状況をご確認ください。',
        en: 'Shopify is waiting for a payment, so Okaeri can’t access the store. Check billing in your Shopify admin.',
      },
    },
    locked: {
      title: { ja: 'ストアがロックされています', en: 'Your store is locked' },
      text: {
        ja: 'Shopifyがストアをロックしているため、データを読み書きできません。Shopifyの管理画面をご確認のうえ、解除されない場合はShopifyサポートへお問い合わせください。',
        en: 'Shopify has locked the store, so Okaeri can’t access it. Check your Shopify admin, and contact Shopify Support if it stays locked.',
      },
    },
    forbidden: {
      title: { ja: 'ストアへのアクセスが拒否されています', en: 'Your store denies the app access' },
      text: {
        ja: 'Shopifyがこのアプリからのアクセスを受け付けていません。Shopifyの管理画面でストアとアプリの権限をご確認ください。',
        en: 'Shopify doesn’t let this app access the store. Check the store’s status and the app’s permissions in your Shopify admin.',
      },
    },
    gone: {
      title: { ja: 'ストアが見つかりません', en: 'Store not found' },
      text: {
        ja: 'Shopifyにこのストアが見つかりません。ストアを閉鎖または移転していないかご確認ください。',
        en: 'Shopify can’t find this store. Check whether it was closed or moved.',
      },
    },
    app_credentials: {
      title: { ja: 'ストアに接続できません', en: 'Cannot connect to the store' },
      text: {
        ja: 'このアプリのAPIキーまたはシークレットがShopifyに受け付けられていません。Okaeriの運用担当者へご連絡ください。',
        en: 'Shopify doesn’t accept this app’s API key or secret. Contact the Okaeri operator.',
      },
    },
  },
  language: { ja: '言語', en: 'Language' },
  theme: {
    label: { ja: '表示テーマ', en: 'Theme' },
    light: { ja: 'ライト', en: 'Light' },
    dark: { ja: 'ダーク', en: 'Dark' },
    auto: { ja: '端末に合わせる', en: 'Match device' },
  },
  account: {
    menu: { ja: 'アカウント：{{name}}', en: 'Account: {{name}}' },
    settings: { ja: '設定', en: 'Settings' },
    logout: { ja: 'ログアウト', en: 'Log out' },
  },
  palette: {
    open: { ja: '検索', en: 'Search' },
    placeholder: {
      ja: 'ページ、操作、シナリオ、キャンペーン、顧客を検索…',
      en: 'Search pages, actions, scenarios, campaigns, customers…',
    },
    nothing: { ja: '見つかりませんでした', en: 'No results' },
    searching: { ja: '検索しています…', en: 'Searching…' },
    failed: { ja: '検索できませんでした', en: 'Search failed' },
    pages: { ja: 'ページ', en: 'Pages' },
    actions: { ja: '操作', en: 'Actions' },
    campaigns: { ja: 'キャンペーン', en: 'Campaigns' },
    scenarios: { ja: 'シナリオ', en: 'Scenarios' },
    customers: { ja: '顧客', en: 'Customers' },
    emails: { ja: 'メール', en: 'Emails' },
    segments: { ja: 'セグメント', en: 'Segments' },
    newCampaign: { ja: 'キャンペーンを作成', en: 'Create campaign' },
    newScenario: { ja: 'シナリオを作成', en: 'Create scenario' },
    newEmail: { ja: 'メールを作成', en: 'Create email' },
    newSegment: { ja: 'セグメントを作成', en: 'Create segment' },
    switchLanguage: { ja: 'English に切り替え', en: '日本語に切り替え' },
    switchTheme: { ja: 'ライト／ダークを切り替え', en: 'Switch light and dark' },
  },
  notFound: {
    title: { ja: 'ページが見つかりません', en: 'Page not found' },
    text: {
      ja: 'アドレスが間違っているか、ページが移動または削除された可能性があります。',
      en: 'The address may be wrong, or the page was moved or deleted.',
    },
    home: { ja: 'ダッシュボードへ', en: 'Go to the dashboard' },
  },
  broken: {
    title: { ja: 'ページを表示できませんでした', en: 'This page could not be displayed' },
    text: {
      ja: '通信が途切れたか、新しいバージョンに更新された可能性があります。再読み込みしても直らない場合は、サポートまでお知らせください。',
      en: 'The connection may have failed, or a new version may have been released. If reloading does not help, please contact support.',
    },
    away: {
      ja: 'サーバーに接続できません。しばらくしてから、もう一度お試しください。',
      en: 'Cannot reach the server. Please try again shortly.',
    },
    reload: { ja: '再読み込み', en: 'Reload' },
  },
} satisfies WordTree
