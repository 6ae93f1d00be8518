import { defineWords } from '../../app/define-words.ts'

export const words = defineWords({
  ja: {
    authorizing: 'ストアを認証しています',
    authorizingText: 'ストアの画面に移動します。そのままお待ちください。',
    authorizeFailed: 'エラーが発生しました。しばらくしてからもう一度お試しください。',
    connectedElsewhere:
      'ストアのドメインをお確かめください。このストアを使うには、先にもう一方のアカウントで接続を解除してください。',
    signInEnded: 'メールアドレスとパスワードでログインし、設定からストアを再接続してください。',
    loggingIn: 'ログインしています…',
    loggingInText: 'ストアとの接続を確認しています。',
    callbackFailed: '現在メンテナンス中です。しばらくしてからもう一度お試しください。',
    retry: '再試行',
    toLogin: 'ログイン画面へ',
    toSettings: '設定に戻る',
    shopInvalid: '「your-store.myshopify.com」の形で入力してください。独自ドメインでは接続できません。',
  },
  en: {
    authorizing: 'Authorizing store',
    authorizingText: 'Taking you to your store. One moment, please.',
    authorizeFailed: 'An error occurred. Please try again later.',
    connectedElsewhere: 'Check the domain. To use this store here, first disconnect it from the other account.',
    signInEnded: 'Log in with your email address and password, then reconnect the store in settings.',
    loggingIn: 'Logging in...',
    loggingInText: 'Checking the connection to your store.',
    callbackFailed: 'Currently under maintenance. Please try again later.',
    retry: 'Try again',
    toLogin: 'Go to login',
    toSettings: 'Back to settings',
    shopInvalid: 'Use the format your-store.myshopify.com. Custom domains can’t be used here.',
  },
})
