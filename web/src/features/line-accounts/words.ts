import type { WordTree } from '../../app/word-tree.ts'

export const words = {
  ownerOnly: { ja: 'LINEの設定を変更できるのはオーナーのみです。', en: 'Only the owner can change the LINE settings.' },
  connected: { ja: '接続中', en: 'Connected' },
  notConnected: { ja: '未接続', en: 'Not connected' },
  notice: {
    title: { ja: 'LINEが接続されていません', en: 'LINE is not connected' },
    text: {
      ja: '作成と保存はできます。配信や表示を始めるには、LINE公式アカウントを接続してください。',
      en: 'You can create and save. Connect your LINE Official Account to send or show anything.',
    },
    connect: { ja: 'LINEを接続', en: 'Connect LINE' },
  },
  saved: { ja: '保存済み（変更する場合のみ入力）', en: 'Saved (enter a value only to replace it)' },
  quota: {
    title: { ja: '今月のLINEメッセージ数', en: 'LINE messages this month' },
    text: {
      ja: 'LINE公式アカウントのプランで、今月送れるメッセージの数です。届いた人数分が数えられます。',
      en: 'How many messages your LINE Official Account plan allows this month. Each recipient counts as one.',
    },
    left: { ja: '残り{{left}}通（上限{{limit}}通）', en: '{{left}} of {{limit}} left' },
    unlimited: { ja: '上限なし', en: 'No limit' },
    used: { ja: '使用済み（ほかの配信を含む）', en: 'Used (including outside Okaeri)' },
    reserved: { ja: '配信予定', en: 'Scheduled' },
    forecast: { ja: '月末の見込み', en: 'Expected by the end of the month' },
    forecastHow: {
      ja: '月末の見込みは、使用済みと配信予定に、シナリオが最近4週間と同じペースで配信した場合の数を加えたものです。',
      en: 'Expected: used and scheduled, plus what scenarios send at the pace of the last four weeks.',
    },
    endsAt: { ja: '次にリセットされる日時', en: 'Resets at' },
    short: {
      ja: 'このままでは、月末までに上限に達する見込みです。',
      en: 'At this rate the limit will be reached before the month ends.',
    },
    reached: {
      ja: '今月の上限に達しました。月が変わるまで、LINEでは配信できません。',
      en: 'The limit of this month is reached. No LINE messages can be sent until next month.',
    },
    pausedTitle: { ja: 'LINEの配信を休止しています', en: 'Sending by LINE is paused' },
    pausedText: {
      ja: '今月のメッセージ数の上限に達しました。月が変わると自動で再開します。プランを変更した場合は、今すぐ再開できます。',
      en: 'The messages of this month are used up. Sending resumes next month. If you changed your plan, resume it now.',
    },
    resume: { ja: '配信を再開', en: 'Resume sending' },
    resumed: { ja: '配信を再開しました', en: 'Sending resumed' },
    readOnly: {
      ja: '閲覧のみの権限のため、再開できません。',
      en: 'You have view-only access, so you cannot resume sending.',
    },
  },
  messaging: {
    title: { ja: 'Messaging APIチャネル', en: 'Messaging API channel' },
    text: {
      ja: 'LINEメッセージの配信と、友だちの追加・ブロック・メッセージの受け取りに使います。IDとシークレットは、LINE Official Account Managerの「設定」→「Messaging API」、またはLINE Developersコンソールで確認できます。',
      en: 'Sends your LINE messages, and hears who adds you, blocks you or writes to you. Find the ID and secret in LINE Official Account Manager under Settings → Messaging API, or in the LINE Developers console.',
    },
    channelId: { ja: 'チャネルID', en: 'Channel ID' },
    channelSecret: { ja: 'チャネルシークレット', en: 'Channel secret' },
    token: { ja: 'チャネルアクセストークン', en: 'Channel access token' },
    issued: { ja: '自動で発行する', en: 'Issue automatically' },
    issuedHelp: {
      ja: 'IDとシークレットから発行し、期限が切れる前に自動で更新します。',
      en: 'Made from the ID and secret, and renewed before it expires.',
    },
    given: { ja: '発行済みのトークンを使う', en: 'Use a token I issued' },
    givenHelp: {
      ja: 'LINE Developersコンソールで発行した長期のトークンです。無効になると配信が止まります。',
      en: 'A long-lived token from the LINE Developers console. Sending stops if it is revoked.',
    },
    accountOf: { ja: '{{name}}（{{id}}）', en: '{{name}} ({{id}})' },
  },
  trouble: {
    unauthorized: {
      title: { ja: 'LINEに接続できません', en: 'LINE does not accept the token' },
      text: {
        ja: 'アクセストークンが無効になったため、LINEメッセージを配信できません。新しいトークンを入力するか、「自動で発行する」を選んで保存してください。',
        en: 'No LINE messages can be sent. Enter a new token, or choose “Issue automatically”, and save.',
      },
    },
    refused: {
      title: { ja: 'LINEに利用を制限されています', en: 'LINE restricts this channel' },
      text: {
        ja: 'LINE公式アカウントの管理画面で、アカウントのステータスとプランをご確認ください。',
        en: 'Check the account’s status and plan in LINE Official Account Manager.',
      },
    },
  },
  webhook: {
    title: { ja: 'Webhookと接続の確認', en: 'Webhook and check' },
    text: {
      ja: '友だちの追加・ブロック・メッセージは、このURLに届きます。LINE Developersコンソールに設定するか、下のボタンで設定できます。',
      en: 'Follows, blocks and messages arrive at this URL. Set it in the LINE Developers console, or with the button below.',
    },
    url: { ja: 'Webhook URL', en: 'Webhook URL' },
    copy: { ja: 'URLをコピー', en: 'Copy URL' },
    copied: { ja: 'コピーしました', en: 'Copied' },
    check: { ja: '接続を確認', en: 'Check connection' },
    set: { ja: 'このURLをLINEに設定', en: 'Set this URL in LINE' },
    setTitle: { ja: 'LINEのWebhook URLを変更しますか？', en: 'Change the webhook URL in LINE?' },
    setText: {
      ja: '今のURL（{{url}}）には、LINEからの通知が届かなくなります。別のシステムで使っている場合はご注意ください。',
      en: 'The current URL ({{url}}) will no longer receive events from LINE. Make sure no other system needs them.',
    },
    checkedAt: { ja: '最終確認：{{time}}', en: 'Last checked {{time}}' },
    needsChannel: { ja: '先にチャネルを接続してください。', en: 'Connect a channel first.' },
  },
  testers: {
    title: { ja: 'テスト用のLINEアカウント', en: 'Test LINE accounts' },
    text: {
      ja: 'テスト送信と、テストモード中のメッセージを受け取る友だちです。公式アカウントを友だち追加した人から10人まで選べます。',
      en: 'Friends who get test sends, and everything sent in test mode. Choose up to 10 people who added your official account.',
    },
    none: { ja: 'テスト用のLINEアカウントはまだ選ばれていません。', en: 'No test LINE accounts yet.' },
    add: { ja: '追加する友だち', en: 'Friend to add' },
    addPlaceholder: { ja: 'LINEの表示名・顧客名で検索', en: 'Search by LINE or customer name' },
    full: {
      ja: '10人選ばれています。追加するには、ほかの人を外してください。',
      en: '10 people are chosen. Remove one to add another.',
    },
    remove: { ja: '外す', en: 'Remove' },
    removeNamed: { ja: '{{name}}を外す', en: 'Remove {{name}}' },
    notAFriend: { ja: '友だちではありません', en: 'Not a friend' },
    unnamed: { ja: '名前のない友だち', en: 'Friend without a name' },
  },
  finding: {
    token_works: { ja: 'アクセストークンは有効です。', en: 'The access token works.' },
    token_refused: {
      ja: 'アクセストークンが無効です。新しいトークンを入力するか、「自動で発行する」を選んでください。',
      en: 'The access token is not valid. Enter a new one, or choose “Issue automatically”.',
    },
    webhook_ours: { ja: 'Webhook URLは正しく設定されています。', en: 'The webhook URL is set correctly.' },
    webhook_elsewhere: {
      ja: 'LINEには別のWebhook URLが設定されています：{{detail}}',
      en: 'Another webhook URL is set in LINE: {{detail}}',
    },
    webhook_missing: { ja: 'LINEにWebhook URLが設定されていません。', en: 'No webhook URL is set in LINE.' },
    webhook_off: {
      ja: 'Webhookの利用がオフです。LINE Developersコンソールの「Webhookの利用」をオンにしてください。',
      en: 'Webhooks are off. Turn on “Use webhook” in the LINE Developers console.',
    },
    webhook_answers: { ja: 'LINEからの通知を受け取れます。', en: 'Events from LINE arrive.' },
    webhook_fails: {
      ja: 'LINEからの通知が届きません（{{detail}}）。このサーバーにインターネットから接続できるか確認してください。',
      en: 'Events from LINE do not arrive ({{detail}}). Check that this server can be reached from the internet.',
    },
    quota: { ja: '今月の配信数：{{detail}}通', en: 'Messages sent this month: {{detail}}' },
    quota_reached: {
      ja: '今月の配信数：{{detail}}通。上限に達しているため、月が変わるまで配信できません。',
      en: 'Messages sent this month: {{detail}}. The limit is reached: no more can be sent until next month.',
    },
    quota_unlimited: {
      ja: '今月の配信数：{{detail}}通（上限なし）',
      en: 'Messages sent this month: {{detail}} (no limit)',
    },
    friends: {
      ja: '昨日時点の友だちの人数（ブロック中を除く）：{{detail}}人',
      en: 'Friends as of yesterday, without those who block the account: {{detail}}',
    },
    friends_unready: {
      ja: '友だちの人数は、LINEでまだ集計されていません。通常は翌日に集計されます。明日以降にもう一度確認してください。',
      en: 'LINE has not counted the friends yet. It usually does so within a day. Check again tomorrow.',
    },
    friends_unavailable: {
      ja: '友だちの人数は、LINEから取得できませんでした。LINE Official Account Managerの「分析」で確認できます。配信には影響しません。',
      en: 'LINE did not give the number of friends. See “Insights” in LINE Official Account Manager. Sending is not affected.',
    },
    login_secret_right: {
      ja: 'LINEログインのチャネルIDとチャネルシークレットの組み合わせは正しいです。',
      en: 'The LINE Login channel ID and channel secret belong together.',
    },
    login_secret_wrong: {
      ja: 'LINEログインのチャネルIDとチャネルシークレットの組み合わせが正しくありません。顧客は連携できません。LINE Developersコンソールの「チャネル基本設定」から、両方を入力し直してください。',
      en: 'The LINE Login channel ID and channel secret do not belong together, so customers cannot link. Enter both again as shown under “Basic settings” in the LINE Developers console.',
    },
    login_secret_unproved: {
      ja: 'LINEログインのチャネルIDとチャネルシークレットは、LINEの応答からは確認できませんでした。ストアの連携リンクから一度ログインして確かめてください。',
      en: 'LINE’s answer did not show whether the LINE Login channel ID and channel secret belong together. Log in once with the link for your store to find out.',
    },
    login_missing: {
      ja: 'LINEログインのチャネルは設定されていません。顧客とLINEアカウントの連携に使います。',
      en: 'No LINE Login channel is set. It is needed to link customers with their LINE accounts.',
    },
    login_unproved: {
      ja: 'LINEログインのチャネルは、Messaging APIチャネルと同じプロバイダーに作成してください。同じかどうかは、友だちの一人が最初にログインした時点で確認できます。',
      en: 'Create the LINE Login channel under the same provider as the Messaging API channel. Whether it is will be known after the first friend logs in.',
    },
    login_same: {
      ja: 'LINEログインのチャネルは、Messaging APIチャネルと同じプロバイダーです。',
      en: 'The LINE Login channel belongs to the same provider as the Messaging API channel.',
    },
    login_elsewhere: {
      ja: 'LINEログインのチャネルに、別のLINE公式アカウントがリンクされています。このままでは顧客を連携できません。LINE Developersコンソールで、この公式アカウントをリンクしてください。',
      en: 'The LINE Login channel is linked to another official account, so customers cannot be linked. Link it to this official account in the LINE Developers console.',
    },
    login_unlinked: {
      ja: 'LINEログインのチャネルに、LINE公式アカウントがリンクされていません。友だちでない顧客は連携できません。LINE Developersコンソールの「友だち追加オプション」で、この公式アカウントをリンクしてください。選べない場合は、別のプロバイダーのチャネルです。同じプロバイダーに作成し直してください。',
      en: 'No official account is linked to the LINE Login channel, so only friends can be linked. Link this account under “Add friend option” in the LINE Developers console. If it is not offered there, the channel belongs to another provider: create one under the same provider.',
    },
  },
  login: {
    title: { ja: 'LINEログイン', en: 'LINE Login' },
    text: {
      ja: 'ストアにログインした顧客が、自分のLINEアカウントを連携できるようにします。連携した友だちは、ストアの顧客と同じ一人として扱われます。',
      en: 'Lets customers who are signed in to your store link their LINE account. A friend who links becomes one with the customer.',
    },
    enabled: { ja: 'LINEログインを使う', en: 'Use LINE Login' },
    callback: { ja: 'コールバックURL', en: 'Callback URL' },
    callbackHelp: {
      ja: 'LINE Developersコンソールの「LINEログイン設定」に登録してください。',
      en: 'Register it under “LINE Login” in the LINE Developers console.',
    },
    link: { ja: 'ストアに置く連携リンク', en: 'Link for your store' },
    linkHelp: {
      ja: 'アカウントページやメニューに、このURLへのリンクを置いてください。ログインしていない顧客には、先にログインを案内します。',
      en: 'Link to this URL from the account page or a menu. Customers who are not signed in are asked to do that first.',
    },
    fromChat: {
      ja: 'LINEメッセージのテンプレート「{{name}}」を使います。シナリオのきっかけを「LINEのキーワード」にすると、キーワードを送った友だちにだけ届きます。LINEログインのチャネルがなくても使えます。',
      en: 'Use the LINE message template “{{name}}”. A scenario with the trigger “LINE keyword” sends it to those who ask for it. This works without a LINE Login channel.',
    },
    fromChatTitle: { ja: 'LINEのトークから連携', en: 'Linking from the chat' },
    chooseTemplate: { ja: 'テンプレートを開く', en: 'Open templates' },
    invite: { ja: '顧客への連携の案内', en: 'How customers link' },
    linkNeedsStore: { ja: '先にストアを接続してください。', en: 'Connect a store first.' },
    channelId: { ja: 'LINEログインのチャネルID', en: 'LINE Login channel ID' },
    channelSecret: { ja: 'LINEログインのチャネルシークレット', en: 'LINE Login channel secret' },
  },
  move: {
    button: { ja: '切り替える', en: 'Switch' },
    title: { ja: '別のLINE公式アカウントに切り替えますか？', en: 'Switch to another LINE account?' },
    text: {
      ja: '今の友だちは新しいアカウントの友だちではありません。新しいアカウントを友だちに追加するまで、LINEメッセージは届きません。リッチメニューは新しいアカウントに作り直します。元のアカウントに戻すと、友だちも元に戻ります。',
      en: 'Your friends are friends of the present account. No LINE message reaches them until they add the new one. Rich menus are made again there. If you switch back, your friends are back too.',
    },
  },
  disconnect: {
    button: { ja: 'LINEの接続を解除', en: 'Disconnect LINE' },
    title: { ja: 'LINEの接続を解除しますか？', en: 'Disconnect LINE?' },
    text: {
      ja: 'LINEメッセージは配信されなくなり、友だちの追加やブロックも届かなくなります。友だちの記録は残ります。いつでも接続し直せます。',
      en: 'No more LINE messages are sent, and follows and blocks no longer arrive. Friends stay on record. You can reconnect at any time.',
    },
    done: { ja: 'LINEの接続を解除しました', en: 'LINE disconnected' },
  },
} satisfies WordTree
