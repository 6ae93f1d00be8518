import type { WordTree } from '../../app/word-tree.ts'

export const words = {
  title: { ja: '設定', en: 'Settings' },
  tabs: {
    label: { ja: '設定の種類', en: 'Settings sections' },
    basic: { ja: '基本設定', en: 'Basic settings' },
    mail: { ja: 'メール', en: 'Email' },
    customer: { ja: '顧客', en: 'Customer' },
    store: { ja: 'ストア接続', en: 'Store' },
    widget: { ja: 'ウィジェット', en: 'Widget' },
    favorite: { ja: 'お気に入り', en: 'Favorites' },
    line: { ja: 'LINE', en: 'LINE' },
    restock: { ja: '再入荷通知', en: 'Restock' },
    account: { ja: 'アカウント', en: 'Account' },
  },
  readOnly: {
    ja: '閲覧のみの権限のため、設定は変更できません。',
    en: 'You have view-only access, so you cannot change settings.',
  },
  testMode: {
    title: { ja: 'テストモード', en: 'Test mode' },
    text: {
      ja: 'オンの間は、顧客には配信されません。メールはすべてテスト用の宛先に送られます。',
      en: 'While test mode is on, nothing is sent to customers. All emails go to your test addresses.',
    },
    switch: { ja: 'テストモードで使う', en: 'Use test mode' },
    emails: { ja: 'テスト用の宛先', en: 'Test addresses' },
    emailsHelp: {
      ja: '入力してEnterキーを押すと追加されます。10件まで登録できます。保存すると、それぞれの宛先に確認リンクが送られます。',
      en: 'Type an address and press Enter. Up to 10. When you save, each address receives a confirmation link.',
    },
    emailsPlaceholder: { ja: 'staff@example.com', en: 'staff@example.com' },
    enterTitle: { ja: 'テストモードにしますか？', en: 'Switch to test mode?' },
    enterBody: {
      ja: '保存すると、顧客への配信が止まります。',
      en: 'Once you save, nothing more is sent to customers.',
    },
    enterCampaigns: {
      ja: '予約済みや配信中のキャンペーン{{n}}件は、残りの顧客への配信を待ち、テストモードを解除すると配信します。開始が予定より{{hours}}時間以上遅れたものは、配信前に確認します。',
      en: {
        one: '{{n}} scheduled or running campaign waits, and is sent once you leave test mode. If it begins over {{hours}} hours late, you are asked first.',
        other:
          '{{n}} scheduled or running campaigns wait, and are sent once you leave test mode. You are asked first about those that begin over {{hours}} hours late.',
      },
    },
    enterScenarios: {
      ja: 'シナリオのメッセージは、テストモードの間はテスト用の宛先に送られ、後から顧客に届くことはありません。',
      en: 'Messages of scenarios go to the test recipients meanwhile, and are not sent to customers later.',
    },
    enter: { ja: 'テストモードにする', en: 'Switch to test mode' },
    leaveTitle: { ja: 'テストモードを解除しますか？', en: 'Leave test mode?' },
    leaveBody: {
      ja: '保存すると、これから配信するキャンペーンは顧客に届きます。差出人、返信先、事業者情報に間違いがないか確認してください。',
      en: 'After you save, campaigns reach your customers. Check the sender, the reply-to address and your business details first.',
    },
    leaveCampaigns: {
      ja: '待機中や予約済みの顧客向けキャンペーン{{n}}件は、配信されます。開始が予定より{{hours}}時間以上遅れたものは、配信前に確認します。',
      en: {
        one: '{{n}} waiting or scheduled campaign for customers is sent. If it begins over {{hours}} hours late, you are asked first.',
        other:
          '{{n}} waiting or scheduled campaigns for customers are sent. You are asked first about those that begin over {{hours}} hours late.',
      },
    },
    leaveScenarios: {
      ja: '有効なシナリオ{{n}}件も、顧客に配信するようになります。',
      en: {
        one: '{{n}} active scenario will send to customers, too.',
        other: '{{n}} active scenarios will send to customers, too.',
      },
    },
    leavePeople: {
      ja: 'テストモード中に参加した顧客（実行中{{n}}人）には、残りのステップから届きます。',
      en: {
        one: '{{n}} customer is already in them and receives the remaining steps.',
        other: '{{n}} customers are already in them and receive the remaining steps.',
      },
    },
    leavePeopleAtLeast: {
      ja: 'テストモード中に参加した顧客（実行中{{n}}人以上）には、残りのステップから届きます。',
      en: 'At least {{n}} customers are already in them and receive the remaining steps.',
    },
    leaveScenariosUncounted: {
      ja: '有効なシナリオがあれば、顧客に配信するようになります。実行中の顧客には、残りのステップから届きます。',
      en: 'Active scenarios, if any, will send to customers, too. Customers already in them receive the remaining steps.',
    },
    leaveReserved: {
      ja: 'テストモード中に予約したキャンペーンは、テスト用の宛先にのみ届きます。顧客に配信するには、複製して予約してください。',
      en: 'Campaigns scheduled in test mode still go to the test addresses only. Duplicate them to send to customers.',
    },
    leave: { ja: '解除する', en: 'Leave test mode' },
  },
  sender: {
    title: { ja: '差出人', en: 'Sender' },
    text: {
      ja: '顧客の受信箱に表示される名前とアドレスです。',
      en: 'The name and address customers see in their inbox.',
    },
    name: { ja: '差出人名', en: 'Sender name' },
    email: { ja: '差出人メールアドレス', en: 'Sender email' },
    emailHelp: {
      ja: '独自ドメインのアドレスを使うと、迷惑メールに入りにくくなります。保存すると、このアドレスに確認リンクが送られます。',
      en: 'An address on your own domain is less likely to be treated as spam. When you save, it receives a confirmation link.',
    },
    replyTo: { ja: '返信先メールアドレス', en: 'Reply-to email' },
    replyToHelp: {
      ja: '空欄の場合、返信は差出人メールアドレスに届きます。',
      en: 'Leave blank to receive replies at the sender email.',
    },
    provider: { ja: 'メール配信方式', en: 'Email provider' },
    global: { ja: 'グローバル', en: 'Global' },
    domestic: { ja: '国内', en: 'Domestic' },
    notCustom: {
      ja: '差出人メールアドレスが独自ドメインではありません。届きやすさのため、独自ドメインの利用をおすすめします。',
      en: 'The sender address does not use a custom domain. Using your own domain helps your emails reach the inbox.',
    },
  },
  senders: {
    title: { ja: '差出人', en: 'Senders' },
    text: {
      ja: 'メールごとに選べる差出人です。認証済みのドメインのアドレスは、確認メールなしで使えます。そのほかのアドレスには確認リンクが送られます。',
      en: 'Senders you can choose for each email. Addresses on a verified domain work at once. Other addresses receive a confirmation link.',
    },
    default: { ja: '初期設定', en: 'Default' },
    change: { ja: '基本設定で変更', en: 'Change in basic settings' },
    none: { ja: '差出人メールアドレスが設定されていません', en: 'No sender email yet' },
    repliesTo: { ja: '返信先：{{email}}', en: 'Replies to {{email}}' },
    name: { ja: '表示名', en: 'Display name' },
    email: { ja: 'アドレス', en: 'Address' },
    replyTo: { ja: '返信先（任意）', en: 'Replies to (optional)' },
    add: { ja: '差出人を追加', en: 'Add sender' },
    remove: { ja: '削除', en: 'Delete' },
    removeTitle: { ja: '差出人 {{email}} を削除しますか？', en: 'Delete the sender {{email}}?' },
    removeText: {
      ja: 'このアドレスを使っているメールは、そのまま同じアドレスから配信されます。返信先は、設定の返信先に変わります。',
      en: 'Emails that use this address keep it. Replies to them go to the reply-to address in your settings.',
    },
  },
  shop: {
    title: { ja: 'サイト', en: 'Site' },
    siteName: { ja: 'サイト名', en: 'Site name' },
    timezone: { ja: 'タイムゾーン', en: 'Time zone' },
    timezoneHelp: {
      ja: '配信時刻と集計の区切りに使います。予約済みのキャンペーンの配信は、変更しても早くも遅くもなりません。',
      en: 'Used for send times and for the days in reports. Campaigns already scheduled go out no earlier and no later when you change it.',
    },
    language: { ja: 'メールの基本言語', en: 'Default email language' },
    languageHelp: {
      ja: '新しいメールのテンプレートと、配信停止ページに使います。',
      en: 'Used for new email templates and unsubscribe pages.',
    },
  },
  hours: {
    title: { ja: '配信できる時間帯', en: 'Sending hours' },
    text: {
      ja: '時間外に予定された配信は、次の開始時刻まで待機します。シナリオでは、その後の待機も開始時刻から数えます。終了が開始より早い場合は、翌日の時刻とみなします。',
      en: 'Sends scheduled outside these hours wait until the next start time. In scenarios, waits after them start then too. If the end is earlier than the start, it is on the next day.',
    },
    enabled: { ja: '配信する時間帯を限定する', en: 'Only send during certain hours' },
    start: { ja: '開始', en: 'Start' },
    end: { ja: '終了', en: 'End' },
    exclude: { ja: '購入後のシナリオは制限しない', en: 'Exclude post-purchase scenarios' },
  },
  undo: {
    title: { ja: '配信の取り消し', en: 'Undo send' },
    text: {
      ja: 'キャンペーンの確認画面で配信や予約を決めた後、この秒数の間は取り消して下書きに戻せます。すぐに配信する場合は、この秒数が過ぎてから始まります。',
      en: 'After you confirm a campaign, you can undo for this long to turn it back into a draft. Campaigns sent immediately start after this period.',
    },
    seconds: { ja: '取り消せる時間', en: 'Undo period' },
    unit: { ja: '秒', en: 'seconds' },
  },
  law: {
    title: { ja: '事業者情報', en: 'Business details' },
    text: {
      ja: '特定電子メール法により、広告メールには送信者の住所と問い合わせ先の表示が必要です。すべての広告メールの末尾に表示されます。',
      en: 'Japanese law requires the sender’s address and contact details in every marketing email. They are shown in the footer.',
    },
    address: { ja: '住所', en: 'Postal address' },
    email: { ja: '問い合わせ先メールアドレス', en: 'Contact email' },
    phone: { ja: '問い合わせ先電話番号', en: 'Contact phone' },
  },
  canary: {
    title: { ja: '先行配信', en: 'A few first' },
    text: {
      ja: '宛先の多いキャンペーンのメールは、まず約1%（100〜2,000人）に配信し、宛先不明や迷惑メールの報告が多くないかを確認してから残りに配信します。',
      en: 'A campaign to many people is emailed to about 1% of them first (100 to 2,000), and to the rest once we have seen that few addresses fail and few people complain.',
    },
    enabled: { ja: '先行配信をする', en: 'Send to a few first' },
    from: { ja: '対象にする宛先の数', en: 'For campaigns to at least' },
    fromUnit: { ja: '人以上', en: 'people' },
    minutes: { ja: '結果を確認する時間', en: 'Watch for' },
    minutesUnit: { ja: '分', en: 'minutes' },
  },
  cap: {
    title: { ja: '配信頻度の上限', en: 'Frequency cap' },
    text: {
      ja: '同じ顧客に短期間に何通も届かないようにします。キャンペーンとシナリオを合わせて数え、上限に達した顧客は配信対象外とし、理由を記録します。シナリオごとに「常に配信する」を選べます。',
      en: 'Keeps customers from getting too many emails in a short time. Campaigns and scenarios are counted together. Customers who have reached the cap are skipped, and the reason is recorded. Scenarios can be set to “Always send”.',
    },
    enabled: { ja: '1人に配信する通数を制限する', en: 'Limit the number of emails per customer' },
    days: { ja: '期間', en: 'Within' },
    daysUnit: { ja: '日間', en: 'days' },
    count: { ja: '上限', en: 'At most' },
    countUnit: { ja: '通まで', en: 'emails' },
  },
  attribution: {
    title: { ja: '売上の計測', en: 'Revenue' },
    text: {
      ja: 'メールのクリックから指定した日数以内の注文を、そのメールの売上として数えます。',
      en: 'Orders placed within this many days of a click count as revenue from the email.',
    },
    days: { ja: '計測期間', en: 'Attribution window' },
    daysUnit: { ja: '日', en: 'days' },
    daysHelp: { ja: '1〜30日', en: '1 to 30 days' },
    opens: { ja: '開封のみの顧客の注文も数える', en: 'Also count orders from customers who only opened the email' },
    opensHelp: {
      ja: '自動で開封するメールアプリがあるため、オフをおすすめします。',
      en: 'Some email apps open emails automatically, so we recommend leaving this off.',
    },
  },
  plan: {
    label: { ja: 'プラン', en: 'Plan' },
    trial: { ja: '無料トライアル中（{{date}}まで）', en: 'Free trial until {{date}}' },
    afterTrial: {
      ja: 'トライアルが終わっても、有効なシナリオと予約済みのキャンペーンはそのまま続きます。フローエディターでの作成と変更には、プロ以上のプランが必要になります。',
      en: 'When the trial ends, active scenarios and scheduled campaigns continue unchanged. Creating or changing flows in the flow editor then needs the Pro plan or higher.',
    },
  },
  plans: {
    test: { ja: 'テスト', en: 'Test' },
    standard: { ja: 'スタンダード', en: 'Standard' },
    pro: { ja: 'プロ', en: 'Pro' },
    plus: { ja: 'プラス', en: 'Plus' },
    enterprise: { ja: 'エンタープライズ', en: 'Enterprise' },
  },
  store: {
    title: { ja: 'ストア接続', en: 'Store connection' },
    connectedTo: {
      ja: 'ストアに接続しています。顧客、注文、商品が自動で同期されます。',
      en: 'Your store is connected. Customers, orders and products sync automatically.',
    },
    notConnected: {
      ja: 'ストアに接続すると、顧客、注文、商品が自動で同期され、メールの配信を始められます。',
      en: 'Connect your store to sync customers, orders and products automatically and start sending.',
    },
    connected: { ja: '接続中', en: 'Connected' },
    disconnected: { ja: '未接続', en: 'Not connected' },
    name: { ja: 'ストア名', en: 'Store name' },
    domain: { ja: 'ドメイン', en: 'Domain' },
    currency: { ja: '通貨', en: 'Currency' },
    signInEndedTitle: { ja: 'このストアからはログインできません', en: 'You cannot log in from this store' },
    signInEnded: {
      ja: 'このストアは、メールアドレスが確認される前に接続されました。その後、メールのリンクからパスワードが設定されたため、このストアからのログインを停止しました。ご自身のストアであれば、下の「再接続」を押すと再びログインできます。心当たりがない場合は接続を解除し、作成済みのキャンペーンとシナリオもご確認ください。',
      en: 'This store was connected before your email address was confirmed. A password was later set from an emailed link, so logging in from this store was turned off. If the store is yours, select “Reconnect” below to allow it again. If not, disconnect it and check the existing campaigns and scenarios.',
    },
    missingScopesTitle: { ja: '新しい権限の承認をお願いします', en: 'New permissions need your approval' },
    missingScopes: {
      ja: 'ストアの接続後に、Okaeriが使用する権限が追加されました：{{scopes}}。承認されるまで、その権限を使う機能は利用できません。下の「再接続」から承認できます。',
      en: 'Okaeri needs permissions that were added after this store was connected: {{scopes}}. Some features will not work until you approve them. Select “Reconnect” below.',
    },
    scope: {
      read_customers: { ja: '顧客の閲覧', en: 'view customers' },
      write_customers: { ja: '顧客の編集', en: 'edit customers' },
      read_customer_merge: { ja: '顧客の統合の確認', en: 'view merged customers' },
      read_orders: { ja: '注文の閲覧', en: 'view orders' },
      read_all_orders: { ja: '60日より前の注文の閲覧', en: 'view orders older than 60 days' },
      read_products: { ja: '商品の閲覧', en: 'view products' },
      read_locales: { ja: 'ストアの言語の確認', en: 'view store languages' },
      write_discounts: { ja: 'クーポン（ディスカウント）の作成', en: 'create coupons (discounts)' },
      write_app_proxy: { ja: 'ストア内のLINE連携ページの表示', en: 'show the LINE link pages in the store' },
    },
    storefront: { ja: 'ストアのURL', en: 'Store URL' },
    underReview: {
      ja: 'ストアは審査中です。審査が終わるまでテストモードを解除できません。',
      en: 'Your store is under review. You can leave test mode once the review is complete.',
    },
    shop: { ja: 'ストアのドメイン', en: 'Store domain' },
    shopHelp: { ja: '例：your-store.myshopify.com', en: 'e.g. your-store.myshopify.com' },
    connect: { ja: 'ストアに接続', en: 'Connect store' },
    reconnect: { ja: '再接続', en: 'Reconnect' },
    disconnect: { ja: '接続を解除', en: 'Disconnect' },
    disconnectTitle: { ja: 'ストアの接続を解除しますか？', en: 'Disconnect your store?' },
    disconnectBody: {
      ja: '新しい注文や顧客の変更は同期されず、ストアへの反映もできなくなります。同期済みの顧客とレポートは残ります。いつでも再接続できます。',
      en: 'New orders and customer changes will no longer sync, and nothing can be saved to your store. Synced customers and reports are kept. You can reconnect at any time.',
    },
    disconnectedToast: { ja: '接続を解除しました', en: 'Store disconnected' },
    ownerOnly: { ja: 'この操作はオーナーのみ行えます。', en: 'Only the owner can do this.' },
  },
  account: {
    title: { ja: 'ログイン情報', en: 'Login details' },
    name: { ja: '名前', en: 'Name' },
    email: { ja: 'ログイン用メールアドレス', en: 'Login email' },
    emailPassword: { ja: '現在のパスワード', en: 'Current password' },
    emailPasswordHelp: {
      ja: 'メールアドレスを変更するには、パスワードが必要です。',
      en: 'Your password is required to change the email address.',
    },
    emailPending: {
      ja: '{{email}} に確認リンクを送りました。リンクを開いて確認すると変更されます。それまでは現在のアドレスでログインできます。',
      en: 'We sent a confirmation link to {{email}}. The address changes once you confirm. Until then, log in with the current one.',
    },
    language: { ja: '表示言語', en: 'Display language' },
    role: { ja: '権限', en: 'Role' },
    roles: {
      owner: { ja: 'オーナー', en: 'Owner' },
      marketer: { ja: '編集者', en: 'Marketer' },
      viewer: { ja: '閲覧者', en: 'Viewer' },
    },
  },
  password: {
    title: { ja: 'パスワードの変更', en: 'Change password' },
    text: { ja: '変更すると、ほかの端末ではログアウトされます。', en: 'Other devices will be logged out.' },
    current: { ja: '現在のパスワード', en: 'Current password' },
    new: { ja: '新しいパスワード', en: 'New password' },
    newHelp: { ja: '10文字以上', en: 'At least 10 characters' },
    again: { ja: '新しいパスワード（確認）', en: 'Confirm new password' },
    submit: { ja: 'パスワードを変更', en: 'Change password' },
    firstTitle: { ja: 'パスワード', en: 'Password' },
    firstText: {
      ja: 'パスワードはまだ設定されていません。設定すると、ストアを経由せずに、メールアドレスとパスワードでもログインできます。上のメールアドレスが正しいことをご確認ください。',
      en: 'You have not set a password yet. Set one to log in with your email address, without going through your store. Make sure the address above is correct.',
    },
    firstSubmit: { ja: '設定用のリンクをメールで受け取る', en: 'Email me a link to set a password' },
    firstSent: {
      ja: '{{email}} でログインできる場合は、パスワードを設定するリンクをこのアドレスに送りました。',
      en: 'If {{email}} can be used to log in, we sent a link to set a password.',
    },
  },
} satisfies WordTree
