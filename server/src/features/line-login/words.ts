/** What the pages say to a customer of the store. */
export const pageWords = {
  goOn: {
    line: {
      title: { ja: 'LINEへ移動します', en: 'Taking you to LINE' },
      body: {
        ja: '自動で移動しない場合は、下のボタンを押してください。',
        en: 'If nothing happens, use the button below.',
      },
      button: { ja: 'LINEへ進む', en: 'Continue to LINE' },
    },
    question: {
      title: { ja: '確認のページへ移動します', en: 'Taking you to the next page' },
      body: {
        ja: '自動で移動しない場合は、下のボタンを押してください。',
        en: 'If nothing happens, use the button below.',
      },
      button: { ja: '進む', en: 'Continue' },
    },
  },
  signIn: {
    title: { ja: 'ログインしてください', en: 'Please sign in' },
    body: {
      ja: 'LINEアカウントを連携するには、ストアへのログインが必要です。ログイン後にこのページへ戻らない場合は、もう一度連携のリンクを開いてください。',
      en: 'To link your LINE account, sign in to the store first. If you do not come back here after that, open the link once more.',
    },
    button: { ja: 'ログインする', en: 'Sign in' },
  },
  ask: {
    title: { ja: 'LINEアカウントを連携しますか？', en: 'Link your LINE account?' },
    body: (merchant: string) => ({
      ja: `「${merchant}」のお客様アカウントと、次のLINEアカウントを連携します。`,
      en: `Your account at ${merchant} will be linked with this LINE account.`,
    }),
    line: { ja: 'LINEアカウント', en: 'LINE account' },
    customer: { ja: 'お客様アカウント', en: 'Your account at the store' },
    noAddress: { ja: 'メールアドレスの登録なし', en: 'No email address' },
    taken: (address: string) => ({
      ja: `このLINEアカウントは、別のお客様アカウント（${address}）と連携されています。連携すると、そちらの連携は解除されます。`,
      en: `This LINE account is linked to another account (${address}). Linking it here removes that link.`,
    }),
    takenByChat: {
      ja: 'このLINEアカウントは、別のお客様アカウントと連携されています。連携すると、そちらの連携は解除されます。',
      en: 'This LINE account is linked to another account. Linking it here removes that link.',
    },
    replaces: (name: string) => ({
      ja: `現在連携しているLINEアカウント（${name}）の連携は解除されます。`,
      en: `The LINE account you have linked now (${name}) will be unlinked.`,
    }),
    noName: { ja: '名前なし', en: 'no name' },
    link: { ja: '連携する', en: 'Link' },
    keep: { ja: '連携しない', en: 'Do not link' },
    asksToo: {
      ja: '「連携する」を押すと、LINEの画面でもう一度確認します。',
      en: 'After “Link”, LINE asks you once more.',
    },
    notYours: {
      ja: 'お心当たりのないアカウントが表示されている場合は、「連携しない」を押してください。何も変更されません。',
      en: 'If one of these is not yours, choose “Do not link”. Nothing will change.',
    },
  },
  linked: {
    title: { ja: 'LINEアカウントを連携しました', en: 'Your LINE account is linked' },
    body: (merchant: string) => ({
      ja: `「${merchant}」からのお知らせを、LINEでお届けできるようになりました。`,
      en: `${merchant} can now reach you on LINE.`,
    }),
    addFriend: (merchant: string) => ({
      ja: `お知らせを受け取るには、LINEで「${merchant}」を友だちに追加してください。`,
      en: `To get messages, add ${merchant} as a friend on LINE.`,
    }),
    addFriendButton: { ja: '友だちに追加する', en: 'Add as a friend' },
  },
  kept: {
    title: { ja: '連携していません', en: 'Nothing was linked' },
    body: { ja: '何も変更されていません。', en: 'Nothing has changed.' },
  },
  back: { ja: 'ストアに戻る', en: 'Back to the store' },
  again: { ja: 'もう一度試す', en: 'Try again' },
  failures: {
    expired: {
      title: { ja: 'このページは使えなくなりました', en: 'This page is no longer valid' },
      body: {
        ja: '10分以上経過したか、すでに使われたか、別のブラウザーで開かれました。何も連携されていません。ストアまたはLINEのトークから、もう一度お試しください。',
        en: 'More than ten minutes have passed, the link was used already, or it was opened in another browser. Nothing was linked. Please start again from the store or the LINE chat.',
      },
    },
    denied: {
      title: { ja: 'LINEログインをキャンセルしました', en: 'LINE Login was canceled' },
      body: { ja: '何も連携されていません。', en: 'Nothing was linked.' },
    },
    unreachable: {
      title: { ja: 'LINEに接続できません', en: 'LINE cannot be reached' },
      body: {
        ja: '何も連携されていません。しばらくしてからもう一度お試しください。',
        en: 'Nothing was linked. Please try again later.',
      },
    },
    refused: {
      title: { ja: 'LINEログインを完了できませんでした', en: 'LINE Login did not complete' },
      body: {
        ja: '何も連携されていません。もう一度お試しください。続けてこのページが表示される場合は、ストアにお問い合わせください。',
        en: 'Nothing was linked. Please try again. If you keep seeing this page, contact the store.',
      },
    },
    wrong_channel: {
      title: { ja: 'LINEアカウントを連携できません', en: 'Your LINE account cannot be linked' },
      body: {
        ja: 'このストアのLINEの設定に問題があります。何も連携されていません。ストアにお問い合わせください。',
        en: 'There is a problem with this store’s LINE settings. Nothing was linked. Please contact the store.',
      },
    },
    not_a_friend: {
      title: { ja: 'LINEアカウントを連携できません', en: 'Your LINE account cannot be linked' },
      body: {
        ja: 'このリンクが届いたLINEアカウントは、ストアの公式アカウントの友だちではないか、ブロックしています。何も連携されていません。友だちに追加してから、トークのリンクをもう一度開いてください。',
        en: 'The LINE account this link was sent to has blocked the store’s official account, or is not its friend. Nothing was linked. Add it as a friend, then open the link in the chat again.',
      },
    },
    off: {
      title: { ja: 'LINEアカウントの連携は利用できません', en: 'Linking with LINE is not available' },
      body: {
        ja: 'このストアでは、現在LINEアカウントの連携を受け付けていません。',
        en: 'This store does not offer it at the moment.',
      },
    },
    unsigned: {
      title: { ja: 'ストアから開いてください', en: 'Please open this from the store' },
      body: {
        ja: 'このページは、ストアのリンクからのみ開けます。時間が経過した場合も、もう一度ストアから開いてください。',
        en: 'This page opens only from a link in the store. If some time has passed, open that link again.',
      },
    },
    too_often: {
      title: { ja: '操作が多すぎます', en: 'Too many attempts' },
      body: { ja: '少し時間をおいてから、もう一度お試しください。', en: 'Please wait a little and try again.' },
    },
  },
} as const
