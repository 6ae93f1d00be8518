import type { WordTree } from '../../app/word-tree.ts'

export const words = {
  authorizing: { ja: 'ストアを認証しています', en: 'Authorizing store' },
  authorizingText: {
    ja: 'ストアの画面に移動します。そのままお待ちください。',
    en: 'Taking you to your store. One moment, please.',
  },
  authorizeFailed: {
    ja: 'エラーが発生しました。しばらくしてからもう一度お試しください。',
    en: 'An error occurred. Please try again later.',
  },
  notSetUp: {
    ja: '運用担当者に、Shopifyのアプリの設定を依頼してください。ご自身で運用している場合は、SHOPIFY_API_KEYとSHOPIFY_API_SECRETを設定して、Okaeriを再起動してください。',
    en: 'Ask the operator to set up the app at Shopify. If you run Okaeri yourself, set SHOPIFY_API_KEY and SHOPIFY_API_SECRET, then restart it.',
  },
  connectedElsewhere: {
    ja: 'ストアのドメインをお確かめください。このストアを使うには、先にもう一方のアカウントで接続を解除してください。',
    en: 'Check the domain. To use this store here, first disconnect it from the other account.',
  },
  signInEnded: {
    ja: 'メールアドレスとパスワードでログインし、設定からストアを再接続してください。',
    en: 'Log in with your email address and password, then reconnect the store in settings.',
  },
  anotherCurrency: {
    ja: 'ストアの通貨は{{currency}}です。接続するには、入力済みの金額が{{currency}}でどう読まれるかを、オーナーが設定で確認する必要があります。接続はまだ行われておらず、何も変更されていません。',
    en: 'Your store sells in {{currency}}. Before it can be connected, an owner has to review what the amounts entered so far mean in {{currency}}. The store is not connected yet, and nothing has changed.',
  },
  currencyHasSales: {
    ja: 'ストアの通貨は{{currency}}です。1つのアカウントの売上は1つの通貨で集計されます。このストアには、新しいアカウントを作成してください。何も変更されていません。',
    en: 'Your store sells in {{currency}}. An account counts its revenue in one currency. Create a new account for this store. Nothing has changed.',
  },
  reviewAmounts: { ja: '金額を確認する', en: 'Review amounts' },
  change: {
    title: { ja: '通貨の変更：{{now}} → {{next}}', en: 'Change of currency: {{now}} → {{next}}' },
    text: {
      ja: 'ストアの通貨（{{next}}）に合わせると、入力済みの金額は次のように読まれます。為替レートでの換算は行われません。ストアが接続されるまで、何も変わりません。',
      en: 'With the currency of your store ({{next}}), the amounts entered so far are read as below. No exchange rate is applied. Nothing changes until the store is connected.',
    },
    none: { ja: '金額は入力されていません。', en: 'No amounts have been entered.' },
    reconnect: {
      ja: '通貨を{{next}}に変更するには、ストアの接続を解除してから、もう一度接続してください。',
      en: 'To change the currency to {{next}}, disconnect the store and connect it again.',
    },
    kind: {
      segment: { ja: 'セグメント', en: 'Segment' },
      campaign: { ja: 'キャンペーン', en: 'Campaign' },
      scenario: { ja: 'シナリオ', en: 'Scenario' },
      view: { ja: '顧客一覧のビュー', en: 'Customer list view' },
    },
    ownView: { ja: 'メンバー個人のビュー', en: 'A member’s own view' },
    running: {
      ja: '先に、次のものを停止またはキャンセルしてください。',
      en: 'Stop or cancel these first.',
    },
    agree: { ja: '確認して{{next}}のストアを接続', en: 'Accept and connect the {{next}} store' },
    accept: { ja: '確認した', en: 'Accept these amounts' },
    accepted: {
      ja: '確認済みです。{{next}}のストアを接続すると、通貨が変わります。',
      en: 'Accepted. The currency changes once a store that sells in {{next}} is connected.',
    },
    later: {
      ja: '金額を直す場合は、各画面で編集してからこの画面に戻ってください。',
      en: 'To correct an amount, edit it on its page and come back here.',
    },
    ownerOnly: {
      ja: '通貨の変更を確認できるのはオーナーだけです。',
      en: 'Only an owner can accept a change of currency.',
    },
  },
  loggingIn: { ja: 'ログインしています…', en: 'Logging in...' },
  loggingInText: { ja: 'ストアとの接続を確認しています。', en: 'Checking the connection to your store.' },
  callbackFailed: {
    ja: '現在メンテナンス中です。しばらくしてからもう一度お試しください。',
    en: 'Currently under maintenance. Please try again later.',
  },
  linkBroken: {
    ja: 'リンクが正しくありません。ログイン画面からもう一度お試しください。',
    en: 'This link is not valid. Start again from the login page.',
  },
  callbackWithoutCode: {
    ja: 'このページは、ストアでログインを許可すると自動的に開きます。アドレスを直接開いた場合は、次のボタンから戻ってください。',
    en: 'This page opens automatically after you allow the login in your store. If you opened its address yourself, go back with the button below.',
  },
  retry: { ja: '再試行', en: 'Try again' },
  toLogin: { ja: 'ログイン画面へ', en: 'Go to login' },
  toDashboard: { ja: 'ダッシュボードへ', en: 'Go to the dashboard' },
  toSettings: { ja: '設定に戻る', en: 'Back to settings' },
  shopInvalid: {
    ja: '「your-store.myshopify.com」の形で入力してください。独自ドメインでは接続できません。',
    en: 'Use the format your-store.myshopify.com. Custom domains can’t be used here.',
  },
} satisfies WordTree
