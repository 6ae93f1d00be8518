import { defineWords } from '../../app/define-words.ts'

export const words = defineWords({
  ja: {
    title: 'ダッシュボード',
    timespan: { label: '集計期間', last30: '直近30日', months3: '3か月', year1: '1年' },
    sent: '送信数',
    sentUnit: '送信数（通）',
    revenueUnit: '売上（{{symbol}}）',
    openRate: '開封率',
    clickRate: 'クリック率',
    revenue: 'メール経由の売上',
    orders: 'メール経由の注文',
    unsubscribed: '配信停止',
    customers: '顧客数',
    permitted: 'マーケティング許可あり',
    permittedShare: '全顧客の{{percent}}',
    how: '開封・クリックは人による反応のみ、1通につき1回として数えます。売上はメールのクリック後に生じた注文の合計で、1件の注文は1回だけ数えます。テスト送信は含みません。',
    hint: { rate: '送信数に対する割合', revenue: 'メール経由の注文' },
    chart: '売上と送信数の推移',
    chartEmpty: 'この期間の送信と売上はまだありません。',
    period: '期間',
    weekOf: '{{day}}〜',

    alerts: '確認が必要なこと',
    hide: '表示しない',
    alert: {
      test_mode: 'テストモード中です。お客様には送信されず、テスト用の宛先にのみ届きます。',
      test_modeAction: '設定を開く',
      sender_domain_not_custom:
        '差出人のメールアドレスが独自ドメインではありません。迷惑メールに分類されやすくなるため、ストアのドメインのアドレスをおすすめします。',
      sender_domain_not_customAction: '差出人を変更',
      store_not_connected: 'ストアが接続されていません。接続すると、お客様・注文・商品が自動で取り込まれます。',
      store_not_connectedAction: 'ストアを接続',
      no_test_address:
        '確認済みのテスト用の宛先がありません。テストモード中は、登録して確認されるまでメールは1通も送信されません。',
      no_test_addressAction: '宛先を登録',
      campaign_waiting: '送信を待っているキャンペーンがあります。待っている理由をご確認ください。',
      campaign_waitingAction: 'キャンペーンを見る',
      scenario_stuck: '確認が必要なシナリオがあります（{{names}}）。エラーや遅れ、設定の問題をご確認ください。',
      scenario_stuckAction: 'シナリオを見る',
      uncertain_deliveries:
        '届いたかどうか確認できないメールがあります。二重に届くのを防ぐため自動では再送しません。内容をご確認ください。',
      uncertain_deliveriesAction: '確認する',
    },

    store: {
      title: 'ストアの設定の確認',
      checkout:
        'ストアの「カゴ落ちメール（チェックアウト離脱の自動メール）」はオフにしてください。オンのままだと、同じお客様に二重に届きます。',
      automation: 'ストアの「マーケティングオートメーション」もオフにしてください。',
      recommend:
        'ストアのチェックアウト設定で、メールマガジン登録の選択肢を表示することをおすすめします。配信に同意するお客様が増えます。',
      must: '必ずオフ',
      recommended: 'おすすめ',
    },

    steps: {
      title: 'はじめにすること',
      progress: '{{done}} / {{total}} 完了',
      done: '完了',
      store: 'ストアを接続する',
      storeText: 'お客様と注文を取り込みます。',
      segment: 'セグメントを作成する',
      segmentText: '届けたいお客様を条件で選びます。',
      email: 'メールを作成する',
      emailText: 'お客様の名前を差し込んだメールを書けます。',
      campaign: 'キャンペーンを配信する',
      campaignText: '人数と内容を確認してから送信します。',
      start: 'はじめる',
    },

    campaigns: {
      title: '最近のキャンペーン',
      all: 'すべて見る',
      none: 'キャンペーンはまだありません。',
      create: 'キャンペーンを作成',
      noSegment: 'すべての顧客',
      results: '送信 {{sent}}・開封率 {{open}}・クリック率 {{click}}・売上 {{revenue}}',
      scheduled: '{{time}} に配信予定',
      progress: '送信状況',
      untitled: '（名前なし）',
      segmentNotChosen: '配信先は未選択',
    },

    news: {
      title: 'Okaeriの新着情報',
      items: {
        uncertain: '到達不明のメールを自動で再送しないようになりました',
        uncertainText: '送信中に接続が切れた分は件数を表示し、確認してから再送できます。',
        live: 'セグメントの人数が編集中にわかるようになりました',
        liveText: '配信できない人数とその理由もその場で確認できます。',
        human: '開封・クリックから機械の反応を除くようになりました',
        humanText: 'メールの自動検査などを除いた、実際のお客様の反応だけを数えます。',
      },
    },
  },
  en: {
    title: 'Dashboard',
    timespan: { label: 'Time span', last30: 'Last 30 days', months3: '3 months', year1: '1 year' },
    sent: 'Sent',
    sentUnit: 'Emails sent',
    revenueUnit: 'Revenue ({{symbol}})',
    openRate: 'Open rate',
    clickRate: 'Click rate',
    revenue: 'Revenue from email',
    orders: 'Orders from email',
    unsubscribed: 'Unsubscribes',
    customers: 'Customers',
    permitted: 'With marketing permission',
    permittedShare: '{{percent}} of all customers',
    how: 'Opens and clicks are those of people, counted once per email. Revenue is from orders placed after a click, each order counted once. Tests are not included.',
    hint: { rate: 'of those sent', revenue: 'from orders by email' },
    chart: 'Revenue and emails sent',
    chartEmpty: 'No emails and no revenue in this period.',
    period: 'Period',
    weekOf: 'week of {{day}}',

    alerts: 'Needs your attention',
    hide: 'Hide',
    alert: {
      test_mode: 'Test mode is on. Nothing is sent to customers; all emails go to your test addresses.',
      test_modeAction: 'Open settings',
      sender_domain_not_custom:
        'The sender address does not use a custom domain. Such emails are more likely to be treated as spam; we recommend an address on your store’s own domain.',
      sender_domain_not_customAction: 'Change the sender',
      store_not_connected:
        'No store is connected. Once one is, its customers, orders and products are brought in automatically.',
      store_not_connectedAction: 'Connect the store',
      no_test_address: 'No test address is confirmed. In test mode nothing is sent until one is.',
      no_test_addressAction: 'Add an address',
      campaign_waiting: 'A campaign is waiting to be sent. Please check what it is waiting for.',
      campaign_waitingAction: 'See campaigns',
      scenario_stuck:
        'Some scenarios need your attention ({{names}}): something failed, is late, or is not set up correctly.',
      scenario_stuckAction: 'See scenarios',
      uncertain_deliveries:
        'For some emails it is not known whether they arrived. So that nobody gets one twice, they are not resent automatically. Please review them.',
      uncertain_deliveriesAction: 'Review them',
    },

    store: {
      title: 'Check your store’s settings',
      checkout:
        'The store platform’s own abandoned-checkout emails must be off. Otherwise customers get the same reminder twice.',
      automation: 'The store platform’s own marketing automation must be off too.',
      recommend:
        'We recommend enabling the store platform’s marketing options at checkout, so that more customers agree to receive emails.',
      must: 'Must be off',
      recommended: 'Recommended',
    },

    steps: {
      title: 'Getting started',
      progress: '{{done}} of {{total}} done',
      done: 'Done',
      store: 'Connect your store',
      storeText: 'Its customers and orders are copied here.',
      segment: 'Create a segment',
      segmentText: 'Choose by conditions who to reach.',
      email: 'Write an email',
      emailText: 'With each customer’s name filled in.',
      campaign: 'Send a campaign',
      campaignText: 'You check who gets what before it goes out.',
      start: 'Start',
    },

    campaigns: {
      title: 'Recent campaigns',
      all: 'See all',
      none: 'No campaigns yet.',
      create: 'New campaign',
      noSegment: 'All customers',
      results: '{{sent}} sent · {{open}} opened · {{click}} clicked · {{revenue}}',
      scheduled: 'Scheduled for {{time}}',
      progress: 'Sending',
      untitled: '(no name)',
      segmentNotChosen: 'No audience chosen yet',
    },

    news: {
      title: 'New in Okaeri',
      items: {
        uncertain: 'Emails with unknown outcome are no longer resent automatically',
        uncertainText: 'You see how many there are and decide whether to send them again.',
        live: 'A segment’s size is shown while you edit it',
        liveText: 'Including who cannot be emailed, and why.',
        human: 'Opens and clicks of machines are left out',
        humanText: 'Spam scanners and the like no longer count as customers.',
      },
    },
  },
})
