import type { WordTree } from '../../app/word-tree.ts'

export const words = {
  tagline: { ja: 'また来たくなるお店を、一通ずつ。', en: 'A store worth coming back to, one message at a time.' },
  login: {
    title: { ja: 'ログイン', en: 'Log in' },
    email: { ja: 'メールアドレス', en: 'Email address' },
    password: { ja: 'パスワード', en: 'Password' },
    remember: { ja: 'ログイン状態を保持する', en: 'Remember me' },
    submit: { ja: 'ログイン', en: 'Log in' },
    forgot: { ja: 'パスワードをお忘れの方', en: 'Forgot your password?' },
    noAccount: { ja: 'アカウントをお持ちでない方', en: 'No account yet?' },
    signup: { ja: '新規登録', en: 'Sign up' },
    or: { ja: 'または', en: 'or' },
    newTitle: { ja: 'まだアカウントがありません', en: 'There is no account yet' },
    newText: { ja: '最初のアカウントを作成して始めてください。', en: 'Sign up to create the first one.' },
    byStore: { ja: 'ストアでログイン', en: 'Log in with your store' },
    shop: { ja: 'ストアのドメイン', en: 'Store domain' },
    shopHelp: { ja: '例：your-store.myshopify.com', en: 'Example: your-store.myshopify.com' },
    expired: {
      ja: 'ログインの有効期限が切れました（Exchange token failed）。もう一度ログインしてください。ログイン後、元のページに戻ります。',
      en: 'Exchange token failed: your session has expired. Please log in again to return to the same page.',
    },
    passwordChanged: {
      ja: 'パスワードを変更しました。新しいパスワードでログインしてください。',
      en: 'Your password was changed. Log in with the new one.',
    },
  },
  policies: {
    label: { ja: 'プライバシーポリシーと利用規約', en: 'Privacy policy and terms of use' },
    privacy: { ja: 'プライバシーポリシー', en: 'Privacy policy' },
    terms: { ja: '利用規約', en: 'Terms of use' },
  },
  signup: {
    title: { ja: '新規登録', en: 'Sign up' },
    siteName: { ja: 'サイト名', en: 'Site name' },
    siteNameHelp: {
      ja: 'メールの差出人の初期値としても使われます。あとから変更できます。',
      en: 'Used as your default sender name. You can change it later.',
    },
    passwordHelp: {
      ja: '10文字以上。長い言葉の組み合わせがおすすめです。',
      en: 'At least 10 characters. A few long words work best.',
    },
    agreement: {
      ja: 'プライバシーポリシーと利用規約に同意します',
      en: 'I agree to the privacy policy and the terms of use',
    },
    agreementToPrivacy: { ja: 'プライバシーポリシーに同意します', en: 'I agree to the privacy policy' },
    agreementToTerms: { ja: '利用規約に同意します', en: 'I agree to the terms of use' },
    agreementName: { ja: '同意', en: 'Agreement' },
    submit: { ja: '登録して始める', en: 'Sign up and start' },
    testMode: {
      ja: 'テストモードで始まります。顧客にメールが届くことはありません。',
      en: 'You start in test mode: no emails are sent to customers.',
    },
    closedTitle: { ja: '新規登録は受け付けていません', en: 'Sign-up is closed' },
    closed: {
      ja: 'アカウントが必要な場合は、Okaeriの運用担当者にお問い合わせください。',
      en: 'If you need an account, contact the Okaeri operator.',
    },
    inviteTitle: { ja: '新規登録には招待が必要です', en: 'Sign-up is by invitation' },
    invite: {
      ja: 'Okaeriの運用担当者から届いた招待リンクを開いてください。',
      en: 'Open the invitation link you received from the Okaeri operator.',
    },
    haveAccount: { ja: 'すでにアカウントをお持ちの方', en: 'Already have an account?' },
  },
  forgot: {
    title: { ja: 'パスワードの再設定', en: 'Reset your password' },
    text: {
      ja: 'ご登録のメールアドレスを入力してください。再設定用のリンクをお送りします。',
      en: 'Enter the email address you signed up with. We will send you a link to set a new password.',
    },
    submit: { ja: '再設定リンクを送る', en: 'Send reset link' },
    sentTitle: { ja: 'メールをお送りしました', en: 'Email sent' },
    sentText: {
      ja: '{{email}} が登録されている場合、再設定用のリンクが届きます。届かないときは迷惑メールフォルダもご確認ください。',
      en: 'If {{email}} is registered, we have sent a reset link to it. Please check your spam folder too.',
    },
    failed: { ja: 'エラーが発生しました。もう一度お試しください。', en: 'An error occurred. Please try again.' },
    backToLogin: { ja: 'ログインに戻る', en: 'Back to log in' },
  },
  reset: {
    title: { ja: '新しいパスワードの設定', en: 'Set a new password' },
    text: { ja: '設定すると、ほかの端末ではログアウトされます。', en: 'Other devices will be logged out.' },
    password: { ja: '新しいパスワード', en: 'New password' },
    again: { ja: '新しいパスワード（確認）', en: 'Confirm new password' },
    submit: { ja: 'パスワードを変更', en: 'Change password' },
    noToken: {
      ja: 'このリンクは無効か、有効期限が切れています。もう一度お手続きください。',
      en: 'This link is not valid or has expired. Please request a new one.',
    },
    requestNew: { ja: '再設定リンクをもう一度送る', en: 'Send a new reset link' },
  },
  confirm: {
    title: { ja: 'メールアドレスの確認', en: 'Confirm email address' },
    asks: {
      account: {
        ja: '{{email}} でOkaeriのアカウントが作成されました。ご自身のアカウントであれば「確認する」を押してください。',
        en: 'An Okaeri account was created with {{email}}. If it is yours, press “Confirm”.',
      },
      sign_in: {
        ja: '「{{site}}」（{{member}}）のログイン用メールアドレスを {{email}} に変更します。よろしければ「確認する」を押してください。',
        en: 'The login email of “{{site}}” ({{member}}) will change to {{email}}. To confirm, press “Confirm”.',
      },
      test: {
        ja: '「{{site}}」の担当者（{{member}}）が、Okaeriのテストメールを {{email}} に送ろうとしています。受け取ってもよい場合は「確認する」を押してください。',
        en: 'A member of “{{site}}” ({{member}}) wants to send test emails from Okaeri to {{email}}. If that’s OK, press “Confirm”.',
      },
      sender: {
        ja: '「{{site}}」の担当者（{{member}}）が、{{email}} を差出人としてOkaeriからメールを配信しようとしています。認める場合は「確認する」を押してください。',
        en: 'A member of “{{site}}” ({{member}}) wants to send emails through Okaeri with {{email}} as the sender. If you agree, press “Confirm”.',
      },
    },
    done: {
      account: { ja: '{{email}} を確認しました。', en: '{{email}} is confirmed.' },
      sign_in: { ja: 'これからは {{email}} でログインしてください。', en: 'From now on, log in with {{email}}.' },
      test: {
        ja: '{{email}} を確認しました。テストメールが届くようになります。',
        en: '{{email}} is confirmed. Test emails can be sent to it now.',
      },
      sender: {
        ja: '{{email}} を確認しました。差出人として使えるようになりました。',
        en: '{{email}} is confirmed. It can now be used as a sender.',
      },
    },
    otherwise: {
      ja: 'お心当たりのない場合は、このページを閉じてください。何も変わりません。',
      en: 'If you don’t recognize this, close the page. Nothing will change.',
    },
    submit: { ja: '確認する', en: 'Confirm' },
    goOn: { ja: 'Okaeriを開く', en: 'Open Okaeri' },
    noToken: {
      ja: 'このリンクは無効です。メールのリンクをもう一度開いてください。',
      en: 'This link is not valid. Please open the link in the email again.',
    },
  },
  again: {
    title: { ja: 'もう一度ログインしてください', en: 'Please log in again' },
    text: {
      ja: 'ログインの有効期限が切れました。入力した内容はこの画面に残っています。ログインすると、続きから保存できます。',
      en: 'Your session has expired. What you entered is still on this page. Log in to continue and save it.',
    },
    submit: { ja: 'ログインして続ける', en: 'Log in and continue' },
  },
} satisfies WordTree
