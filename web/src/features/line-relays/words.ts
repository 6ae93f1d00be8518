import type { WordTree } from '../../app/word-tree.ts'

export const words = {
  title: { ja: 'ほかのシステムへの転送', en: 'Pass on to other systems' },
  text: {
    ja: 'LINEからの通知（Webhook）を、内容と署名を変えずに、ほかのシステムにも送ります。LINEに設定できるURLは1つだけのため、チャットツールなどと併用する場合に使います。5件まで登録できます。',
    en: 'Sends LINE’s webhooks on to other systems, with body and signature unchanged. LINE allows one webhook URL only, so use this to keep a chat tool working. Up to 5 URLs.',
  },
  url: { ja: '転送先のURL', en: 'URL to send to' },
  add: { ja: '転送先を追加', en: 'Add URL' },
  none: { ja: '転送先はまだありません。', en: 'No URLs yet' },
  waiting: { ja: '待機中 {{count}}件', en: '{{count}} waiting' },
  failed: { ja: '失敗 {{count}}件', en: '{{count}} failed' },
  remove: { ja: '転送をやめる', en: 'Remove' },
  removeAsk: { ja: '{{url}}への転送をやめますか？', en: 'Remove {{url}}?' },
  removeText: { ja: '待機中の転送も取り消されます。', en: 'Events that wait for it are dropped too.' },
  log: { ja: '転送の履歴', en: 'Log' },
  logText: { ja: '直近7日間の転送です。', en: 'The last 7 days' },
  logEmpty: { ja: '転送した通知はまだありません。', en: 'Nothing was sent on yet' },
  receivedAt: { ja: '受信日時', en: 'Received' },
  state: { ja: 'ステータス', en: 'Status' },
  states: {
    waiting: { ja: '待機中', en: 'Waiting' },
    done: { ja: '転送済み', en: 'Sent on' },
    failed: { ja: '失敗', en: 'Failed' },
  },
  answer: { ja: '転送先の応答', en: 'Answer' },
  noAnswer: { ja: '応答がありません', en: 'No answer' },
  redirected: {
    ja: '別のURLへリダイレクトされました。リダイレクト先には転送されません。最終的なURLを登録してください。',
    en: 'This URL redirects to another one, which is not followed. Add the final URL instead.',
  },
  failedHelp: {
    ja: '転送に失敗したURLがあります。「転送の履歴」で応答を確認できます。URLが使われていない場合は、転送をやめてください。',
    en: 'Some events could not be passed on. See the answers in the log. Remove URLs that are not used.',
  },
  nextTry: { ja: '次の試行：{{time}}', en: 'Next try {{time}}' },
  replay: { ja: '再転送', en: 'Resend' },
  replayed: { ja: '再転送します', en: 'Resending' },
} satisfies WordTree
