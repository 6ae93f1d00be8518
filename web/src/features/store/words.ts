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
  connectedElsewhere: {
    ja: 'ストアのドメインをお確かめください。このストアを使うには、先にもう一方のアカウントで接続を解除してください。',
    en: 'Check the domain. To use this store here, first disconnect it from the other account.',
  },
  signInEnded: {
    ja: 'メールアドレスとパスワードでログインし、設定からストアを再接続してください。',
    en: 'Log in with your email address and password, then reconnect the store in settings.',
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
  retry: { ja: '再試行', en: 'Try again' },
  toLogin: { ja: 'ログイン画面へ', en: 'Go to login' },
  toSettings: { ja: '設定に戻る', en: 'Back to settings' },
  shopInvalid: {
    ja: '「your-store.myshopify.com」の形で入力してください。独自ドメインでは接続できません。',
    en: 'Use the format your-store.myshopify.com. Custom domains can’t be used here.',
  },
} satisfies WordTree
