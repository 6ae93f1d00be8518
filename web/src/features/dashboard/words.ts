import type { WordTree } from '../../app/word-tree.ts'

export const words = {
  title: { ja: 'ダッシュボード', en: 'Dashboard' },
  timespan: {
    label: { ja: '集計期間', en: 'Time span' },
    last30: { ja: '直近30日', en: 'Last 30 days' },
    months3: { ja: '3か月', en: '3 months' },
    year1: { ja: '1年', en: '1 year' },
  },
  sent: { ja: '配信数', en: 'Sent' },
  sentUnit: {
    email: { ja: '配信数（通）', en: 'Emails sent' },
    all: { ja: '配信数（通）', en: 'Messages sent' },
  },
  sentMails: { ja: 'メールの配信数', en: 'Emails sent' },
  sentByLine: { ja: 'LINEの配信数', en: 'LINE messages sent' },
  revenueUnit: { ja: '売上（{{symbol}}）', en: 'Revenue ({{symbol}})' },
  openRate: { ja: '開封率', en: 'Open rate' },
  clickRate: { ja: 'クリック率', en: 'Click rate' },
  revenue: {
    email: { ja: 'メール経由の売上', en: 'Revenue from email' },
    all: { ja: '配信経由の売上', en: 'Revenue from messages' },
  },
  orders: {
    email: { ja: 'メール経由の注文', en: 'Orders from email' },
    all: { ja: '配信経由の注文', en: 'Orders from messages' },
  },
  unsubscribed: { ja: '配信停止', en: 'Unsubscribes' },
  customers: { ja: '顧客数', en: 'Customers' },
  permitted: { ja: 'マーケティング許可あり', en: 'Subscribed' },
  permittedShare: { ja: '全顧客の{{percent}}', en: '{{percent}} of all customers' },
  how: {
    email: {
      ja: '開封・クリックは人による反応のみ、1通につき1回として数えます。売上はメールのクリック後に生じた注文の合計で、1件の注文は1回だけ数えます。テスト配信は含みません。',
      en: 'Opens and clicks are counted once per email, excluding bots. Revenue is from orders placed after a click, each order counted once. Test campaigns are not included.',
    },
    all: {
      ja: 'メールとLINEの合計です。クリックは人による反応のみ、1通につき1回として数えます。開封はメールだけの数です。売上はクリック後に生じた注文の合計で、1件の注文は最後にクリックされた1通にだけ数えます。テスト配信は含みません。',
      en: 'Email and LINE together. Clicks are counted once per message, excluding bots; opens are of emails only. Revenue is from orders placed after a click, each order counted once, for the message clicked last. Test campaigns are not included.',
    },
  },
  chart: {
    email: { ja: '売上と配信数の推移', en: 'Revenue and emails sent' },
    all: { ja: '売上と配信数の推移', en: 'Revenue and messages sent' },
  },
  chartEmpty: { ja: 'この期間の配信と売上はまだありません。', en: 'Nothing sent and no revenue in this period.' },
  period: { ja: '期間', en: 'Period' },
  weekOf: { ja: '{{day}}〜', en: 'week of {{day}}' },
  alerts: { ja: '確認が必要なこと', en: 'Needs your attention' },
  hide: { ja: '表示しない', en: 'Hide' },
  alert: {
    test_mode: {
      ja: 'テストモード中です。顧客には配信されず、テスト用の宛先にのみ届きます。',
      en: 'Test mode is on. Nothing is sent to customers; messages only go to your test recipients.',
    },
    test_modeAction: { ja: '設定を開く', en: 'Open settings' },
    sender_domain_not_custom: {
      ja: '差出人のメールアドレスが独自ドメインではありません。迷惑メールに分類されやすくなるため、ストアのドメインのアドレスをおすすめします。',
      en: 'The sender address does not use a custom domain. Such emails are more likely to be treated as spam; we recommend an address on your store’s own domain.',
    },
    no_postal_address: {
      ja: '事業者の住所がまだ入力されていません。広告メールには法律で住所の表示が必要なため、入力するまでメールは配信できません。',
      en: 'No postal address is set. The law requires one in marketing emails, so none can be sent until you enter it.',
    },
    no_postal_addressAction: { ja: '住所を入力', en: 'Enter address' },
    no_sender: {
      ja: '差出人のメールアドレスがまだありません。配信の前に設定してください。ストアのドメインのアドレスをおすすめします。',
      en: 'No sender address is set. Set one before you send; we recommend an address on your store’s own domain.',
    },
    no_senderAction: { ja: '差出人を設定', en: 'Set sender' },
    sender_domain_not_customAction: { ja: '差出人を変更', en: 'Change sender' },
    sender_domain_unverified: {
      ja: '差出人のドメインがまだ認証されていません。DNSレコードを設定すると、メールに署名が付き、迷惑メールに分類されにくくなります。',
      en: 'The domain of your sender address is not verified yet. Publish its DNS records so that your emails are signed and less likely to be treated as spam.',
    },
    sender_domain_unverifiedAction: { ja: 'ドメインを認証', en: 'Verify the domain' },
    sender_domain_failing: {
      ja: '差出人ドメインのDNSレコードが見つからなくなりました。早めに設定し直してください。',
      en: 'DNS records of your sender domain can no longer be found. Publish them again soon.',
    },
    sender_domain_failingAction: { ja: 'レコードを確認', en: 'View the records' },
    complaints_high: {
      ja: 'この7日間の迷惑メール報告が、GmailやYahooの目安の0.1%を超えています。配信先や頻度をご確認ください。',
      en: 'In the last 7 days, more than 0.1% of your emails were reported as spam, which is over what Gmail and Yahoo recommend. Check whom you send to and how often.',
    },
    complaints_highAction: { ja: '到達状況を見る', en: 'View deliverability' },
    complaints_over: {
      ja: 'この7日間の迷惑メール報告が、GmailやYahooの上限の0.3%を超えています。多くの人への配信は控えて、原因をご確認ください。',
      en: 'In the last 7 days, more than 0.3% of your emails were reported as spam: over the limit of Gmail and Yahoo. Hold large campaigns and look for the reason.',
    },
    complaints_overAction: { ja: '到達状況を見る', en: 'View deliverability' },
    store_not_connected: {
      ja: 'ストアが接続されていません。接続すると、顧客・注文・商品が自動で取り込まれます。',
      en: 'No store is connected. Connect one to sync its customers, orders and products.',
    },
    store_not_connectedAction: { ja: 'ストアを接続', en: 'Connect store' },
    line_webhook: {
      ja: 'LINEのWebhookが届くことを確認できていません。届かないと、友だち追加やブロックがOkaeriに反映されません。設定をご確認ください。',
      en: 'It is not confirmed that the LINE webhook reaches Okaeri. Without it, new friends and blocks are not noticed. Check the settings.',
    },
    line_webhookAction: { ja: 'LINEの設定を開く', en: 'Open LINE settings' },
    no_test_address: {
      ja: '確認済みのテスト用の宛先がありません。テストモード中は、登録して確認されるまでメールは配信されません。',
      en: 'No test address is confirmed. In test mode, no email is sent until you confirm one.',
    },
    no_test_addressAction: { ja: '宛先を登録', en: 'Add address' },
    campaign_waiting: {
      ja: '待機中のキャンペーンがあります。待っている理由をご確認ください。',
      en: 'A campaign is waiting to be sent. Check what it is waiting for.',
    },
    campaign_waitingAction: { ja: 'キャンペーンを見る', en: 'View campaigns' },
    scenario_held: {
      ja: '不達や迷惑メールの報告などが多いため、メールの配信を自動で止めたシナリオがあります（{{names}}）。再開するか停止するかを選んでください。',
      en: 'Too many emails bounced, were refused or were reported as spam, so emails of scenarios are held back ({{names}}). Decide whether to resume or stop.',
    },
    scenario_heldAction: { ja: 'シナリオを見る', en: 'View scenarios' },
    scenario_stuck: {
      ja: '確認が必要なシナリオがあります（{{names}}）。エラーや遅れ、設定の問題をご確認ください。',
      en: 'Some scenarios need your attention ({{names}}): check for errors, delays or setup problems.',
    },
    scenario_stuckAction: { ja: 'シナリオを見る', en: 'View scenarios' },
    uncertain_deliveries: {
      ja: '届いたかどうか確認できないメッセージがあります。二重に届くのを防ぐため自動では再配信しません。内容をご確認ください。',
      en: 'We do not know whether some messages arrived. To avoid duplicates, they are not resent automatically. Please review them.',
    },
    uncertain_deliveriesAction: { ja: '確認する', en: 'Review' },
  },
  store: {
    title: { ja: 'ストアの設定の確認', en: 'Check your store settings' },
    checkout: {
      ja: 'ストアの「カゴ落ちメール（チェックアウト離脱の自動メール）」はオフにしてください。オンのままだと、同じ顧客に二重に届きます。',
      en: 'Shopify’s own abandoned-checkout emails must be off. Otherwise, customers get the same reminder twice.',
    },
    automation: {
      ja: 'ストアの「マーケティングオートメーション」もオフにしてください。',
      en: 'Shopify’s own marketing automation must also be off.',
    },
    recommend: {
      ja: 'ストアのチェックアウト設定で、メールマガジン登録の選択肢を表示することをおすすめします。配信に同意する顧客が増えます。',
      en: 'We recommend enabling Shopify’s marketing options at checkout, so that more customers subscribe to emails.',
    },
    must: { ja: '必ずオフ', en: 'Must be off' },
    recommended: { ja: 'おすすめ', en: 'Recommended' },
  },
  steps: {
    title: { ja: 'はじめにすること', en: 'Getting started' },
    progress: { ja: '{{done}} / {{total}} 完了', en: '{{done}} of {{total}} done' },
    done: { ja: '完了', en: 'Done' },
    store: { ja: 'ストアを接続する', en: 'Connect your store' },
    storeText: { ja: '顧客と注文を取り込みます。', en: 'Sync your customers and orders.' },
    segment: { ja: 'セグメントを作成する', en: 'Create a segment' },
    segmentText: { ja: '届けたい顧客を条件で選びます。', en: 'Choose customers by conditions.' },
    line: { ja: 'LINE公式アカウントを接続する', en: 'Connect your LINE official account' },
    lineText: { ja: '友だちにLINEで配信できます。', en: 'Send to your LINE friends.' },
    message: { ja: 'メッセージを作成する', en: 'Create a message' },
    messageText: {
      ja: 'メールまたはLINEで届けます。顧客の名前も差し込めます。',
      en: 'An email or a LINE message, with each customer’s name if you like.',
    },
    email: { ja: 'メール', en: 'Email' },
    lineMessage: { ja: 'LINEメッセージ', en: 'LINE message' },
    campaign: { ja: 'キャンペーンを配信する', en: 'Send a campaign' },
    campaignText: { ja: '人数と内容を確認してから配信します。', en: 'Review recipients and content before sending.' },
    start: { ja: 'はじめる', en: 'Start' },
  },
  campaigns: {
    title: { ja: '最近のキャンペーン', en: 'Recent campaigns' },
    all: { ja: 'すべて見る', en: 'View all' },
    none: { ja: 'キャンペーンはまだありません。', en: 'No campaigns yet.' },
    create: { ja: 'キャンペーンを作成', en: 'Create campaign' },
    noSegment: { ja: 'すべての顧客', en: 'All customers' },
    results: {
      ja: '配信 {{sent}}・開封率 {{open}}・クリック率 {{click}}・売上 {{revenue}}',
      en: '{{sent}} sent · {{open}} opened · {{click}} clicked · {{revenue}}',
    },
    resultsByLine: {
      ja: '配信 {{sent}}・クリック率 {{click}}・売上 {{revenue}}',
      en: '{{sent}} sent · {{click}} clicked · {{revenue}}',
    },
    scheduled: { ja: '{{time}} に配信予定', en: 'Scheduled for {{time}}' },
    progress: { ja: '配信状況', en: 'Sending' },
    tests: { ja: 'テスト配信', en: 'Test campaigns' },
    testsText: {
      ja: '顧客には配信されず、上の集計にも含まれません。',
      en: 'Not sent to customers and not included in the totals above.',
    },
    untitled: { ja: '（名前なし）', en: '(no name)' },
    segmentNotChosen: { ja: '配信対象は未選択', en: 'No audience selected' },
  },
  news: {
    title: { ja: 'Okaeriの新着情報', en: 'New in Okaeri' },
    items: {
      uncertain: {
        ja: '到達不明のメールを自動で再配信しないようになりました',
        en: 'Emails with unknown outcome are no longer resent automatically',
      },
      uncertainText: {
        ja: '配信中に接続が切れた分は件数を表示し、確認してから再配信できます。',
        en: 'You see how many there are and decide whether to resend them.',
      },
      live: {
        ja: 'セグメントの人数が編集中にわかるようになりました',
        en: 'A segment’s size is shown while you edit it',
      },
      liveText: {
        ja: '配信できない人数とその理由もその場で確認できます。',
        en: 'Including who cannot be emailed, and why.',
      },
      human: { ja: '開封・クリックから機械による反応を除くようになりました', en: 'Bot opens and clicks are excluded' },
      humanText: {
        ja: 'メールの自動検査などを除いた、実際の顧客の反応だけを数えます。',
        en: 'Spam scanners and similar tools no longer count as customers.',
      },
    },
  },
} satisfies WordTree
