import type { WordTree } from '../../app/word-tree.ts'

export const words = {
  title: { ja: '到達状況', en: 'Deliverability' },
  description: {
    ja: 'メールが受信先ごとにどう扱われたかを確認できます。',
    en: 'How Gmail, docomo and other receivers treat your emails.',
  },
  days: {
    label: { ja: '期間', en: 'Period' },
    d7: { ja: '直近7日', en: 'Last 7 days' },
    d30: { ja: '直近30日', en: 'Last 30 days' },
    d90: { ja: '直近90日', en: 'Last 90 days' },
  },
  csv: { ja: '受信先別のCSV', en: 'By receiver (CSV)' },
  receiver: { ja: '受信先', en: 'Receiver' },
  others: { ja: 'その他', en: 'Others' },
  total: { ja: '合計', en: 'Total' },
  sent: { ja: '配信数', en: 'Sent' },
  waiting: { ja: '配信待ち {{n}}', en: '{{n}} waiting' },
  uncertain: { ja: '到達不明 {{n}}', en: '{{n}} outcome unknown' },
  failed: { ja: '受信先によらない失敗 {{n}}', en: '{{n}} failed for reasons of ours' },
  rejected: { ja: '受信拒否', en: 'Rejected' },
  rejectedRate: { ja: '受信拒否率', en: 'Rejected' },
  bounced: { ja: '不達', en: 'Bounced' },
  bounceKinds: {
    and: { ja: '、', en: ', ' },
    hard: { ja: '宛先なし {{n}}', en: '{{n}} no such address' },
    soft: { ja: '一時的 {{n}}', en: '{{n}} temporary' },
    blocked: { ja: '受信拒否 {{n}}', en: '{{n}} rejected' },
  },
  hardRate: { ja: '宛先なしの割合', en: 'No such address' },
  complaints: { ja: '迷惑メール報告', en: 'Complaints' },
  complaintRate: { ja: '迷惑メール報告率（直近7日）', en: 'Complaint rate (last 7 days)' },
  opened: { ja: '開封', en: 'Opened' },
  openRate: { ja: '開封率', en: 'Open rate' },
  clicked: { ja: 'クリック', en: 'Clicked' },
  speed: { ja: '配信の速さ', en: 'Speed' },
  perMinute: { ja: '最大{{n}}通/分', en: 'up to {{n}}/min' },
  fromTo: { ja: '{{from}}〜{{to}}', en: '{{from}} – {{to}}' },
  usual: { ja: 'ふだん {{value}}', en: 'usually {{value}}' },
  byReceiver: { ja: '受信先別の結果', en: 'Results by receiver' },
  how: {
    ja: '同じ会社が受け取るドメインはまとめています（Gmailとgooglemail.comなど）。人数の少ないドメインと、個人情報を削除した顧客は「その他」に含みます。存在しないために受信時に拒否された宛先は、受信拒否と不達の両方に数えます。',
    en: 'Domains of one operator are shown together (such as gmail.com and googlemail.com). Domains with few people and deleted customers are part of “Others”. Addresses rejected because they do not exist count as rejected and as bounced.',
  },
  howSpan: {
    ja: 'メールを配信した日で集計し、テストは含みません。開封などは、配信から時間がたつほど間をあけて数え直します。',
    en: 'Counted by the day an email was sent, without tests. Later opens, clicks and bounces are added from time to time.',
  },
  answers: {
    title: { ja: '受信サーバーの最近の応答', en: 'Last answers of the receiving servers' },
    count: { ja: '{{n}}件', en: { one: '{{n}} time', other: '{{n}} times' } },
    hidden: {
      ja: 'メールアドレスなど、個人がわかる部分は「…」にしています。',
      en: 'Addresses and other parts that name a person are replaced with “…”.',
    },
  },
  empty: {
    title: { ja: 'この期間に配信したメールはありません', en: 'No emails were sent in this period' },
    text: {
      ja: 'メールを配信すると、受信先ごとの結果がここに並びます。',
      en: 'Once you send emails, the results by receiver appear here.',
    },
  },
  none: { ja: 'まだ配信されたメールはありません。', en: 'No emails have been sent yet.' },
  hint: {
    refused: {
      ja: '{{receiver}}：{{since}}から受信拒否が{{rate}}になっています（他の受信先は{{compared}}）',
      en: '{{receiver}}: {{rate}} rejected since {{since}} (elsewhere {{compared}})',
    },
    hard: {
      ja: '{{receiver}}：{{since}}から宛先なしが{{rate}}になっています（他の受信先は{{compared}}）',
      en: '{{receiver}}: {{rate}} of the addresses do not exist since {{since}} (elsewhere {{compared}})',
    },
    complaints: {
      ja: '{{receiver}}：{{since}}から迷惑メール報告が{{rate}}になっています（他の受信先は{{compared}}）',
      en: '{{receiver}}: {{rate}} reported as spam since {{since}} (elsewhere {{compared}})',
    },
    unopened: {
      ja: '{{receiver}}：{{since}}から開封率が{{rate}}に下がっています（ふだんは{{compared}}）',
      en: '{{receiver}}: the open rate fell to {{rate}} since {{since}} (usually {{compared}})',
    },
  },
  advice: {
    refused: {
      ja: '下の「受信サーバーの最近の応答」で理由を確認し、差出人ドメインの認証（SPF、DKIM、DMARC）を確かめてください。しばらくは、最近開封した人に絞って配信すると回復しやすくなります。',
      en: 'See the reason under “Last answers of the receiving servers” below, and check that your sender domain passes SPF, DKIM and DMARC. Sending only to people who opened lately helps to recover.',
    },
    carrier: {
      ja: '携帯電話会社のメールは、顧客の受信設定（ドメイン指定受信など）でも拒否されます。差出人のドメインを許可する方法を、会員登録や購入のページで案内してください。',
      en: 'Mobile carriers also reject emails because of a customer’s own filter. Explain on your sign-up and order pages how to allow the domain of your sender address.',
    },
    hard: {
      ja: '存在しないアドレスには、今後配信されません。古い名簿を取り込んでいないか、登録フォームで入力の誤りが多くないかをご確認ください。',
      en: 'Addresses that do not exist get no more emails. Check whether an old list was imported, or whether addresses are often mistyped on your sign-up form.',
    },
    complaints: {
      ja: '最近開封した人に絞って配信し、配信停止のリンクを見つけやすい位置に置いてください。',
      en: 'Send only to people who opened lately, and put the unsubscribe link where it is easy to find.',
    },
    unopened: {
      ja: '迷惑メールに入っているおそれがあります。この受信先のテスト用の宛先に送って、どこに届くかを確かめてください。',
      en: 'Your emails may be going to the spam folder. Send a test to an address at this receiver and see where it arrives.',
    },
  },
  links: {
    domains: { ja: '差出人ドメインを確認', en: 'Check the sender domain' },
    suppressions: { ja: '配信除外リストを見る', en: 'View the suppression list' },
  },
  engaged: {
    action: { ja: '最近開封した人のセグメントを作成', en: 'Create a segment of recent openers' },
    name: { ja: '直近{{days}}日以内にメールを開封した人', en: 'Opened an email within the last {{days}} days' },
    made: { ja: 'セグメントを作成しました', en: 'Segment created' },
  },
  trend: {
    title: { ja: '迷惑メール報告の推移', en: 'Complaints over time' },
    rate: { ja: '迷惑メール報告率', en: 'Complaint rate' },
    day: { ja: '日付', en: 'Date' },
    week: { ja: '週', en: 'Week' },
    weekOf: { ja: '{{day}}からの7日間', en: '7 days from {{day}}' },
    delivered: { ja: '届いたメール', en: 'Delivered' },
    reported: { ja: '報告', en: 'Reported' },
    empty: { ja: 'この期間に迷惑メールの報告はありません。', en: 'No complaints in this period.' },
    high: { ja: '0.1%：GmailとYahooの目安', en: '0.1%: stay below' },
    over: { ja: '0.3%：上限', en: '0.3%: limit' },
    how: {
      ja: '届いたメールのうち、迷惑メールとして報告された割合です。Gmailは報告を1通ずつ知らせないため、Gmailの割合はPostmaster Toolsでご確認ください。届いたメールが{{n}}通に満たない日は、グラフに表示しません。',
      en: 'The share of delivered emails that were reported as spam. Gmail does not report single complaints; look up its rate in Postmaster Tools. Periods with fewer than {{n}} delivered emails are not drawn.',
    },
    sources: { ja: '出典：', en: 'Sources: ' },
    google: { ja: 'Gmailのメール送信者のガイドライン', en: 'Gmail’s email sender guidelines' },
    yahoo: { ja: 'Yahooの送信者向けの指針', en: 'Yahoo’s sender best practices' },
  },
  level: {
    high: {
      title: {
        ja: '迷惑メール報告が{{rate}}です（直近7日、{{delivered}}通のうち{{complained}}通）',
        en: '{{rate}} of your emails were reported as spam ({{complained}} of {{delivered}} in the last 7 days)',
      },
      text: {
        ja: 'GmailとYahooは0.1%未満に保つよう求めています。最近開封した人に絞る、配信の頻度を下げる、配信停止の方法を見つけやすくする、などをお試しください。',
        en: 'Gmail and Yahoo ask you to stay below 0.1%. Send only to people who opened lately, send less often, and make it easy to unsubscribe.',
      },
    },
    over: {
      title: {
        ja: '迷惑メール報告が上限を超えています：{{rate}}（直近7日、{{delivered}}通のうち{{complained}}通）',
        en: 'Complaints are over the limit: {{rate}} ({{complained}} of {{delivered}} emails in the last 7 days)',
      },
      text: {
        ja: 'GmailとYahooの上限は0.3%です。このままではメールの多くが迷惑メールに入ります。原因がわかるまで、多くの人への配信は控え、最近開封した人だけに配信してください。',
        en: 'The limit of Gmail and Yahoo is 0.3%. Most of your emails may soon go to the spam folder. Hold large campaigns until you know the reason, and send only to people who opened lately.',
      },
    },
  },
  recent: {
    few: { ja: '数が少ないため、まだ判断できません', en: 'too few emails to say' },
    none: { ja: '目安の0.1%未満です', en: 'below 0.1%, as it should be' },
    high: { ja: '目安の0.1%を超えています', en: 'over 0.1%' },
    over: { ja: '上限の0.3%を超えています', en: 'over the limit of 0.3%' },
  },
} satisfies WordTree
