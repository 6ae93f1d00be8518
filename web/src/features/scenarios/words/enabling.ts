import type { WordTree } from '../../../app/word-tree.ts'

/** The dialog before a scenario is enabled. */
export const enablingWords = {
  enabling: {
    expected: { ja: '見込み', en: 'Expected volume' },
    atOnce: { ja: '有効にした直後', en: 'Right after enabling' },
    channel: { ja: 'チャネル', en: 'Channel' },
    sender: { ja: '差出人', en: 'Sender' },
    coupon: { ja: 'クーポン', en: 'Coupon' },
    emails: { ja: 'メール（{{n}}ステップ）', en: { one: 'Email ({{n}} step)', other: 'Email ({{n}} steps)' } },
    lineMessages: { ja: 'LINE（{{n}}ステップ）', en: { one: 'LINE ({{n}} step)', other: 'LINE ({{n}} steps)' } },
    noMessages: { ja: '配信のステップはありません', en: 'No sending steps' },
    from: { ja: '{{name}} <{{email}}>', en: '{{name}} <{{email}}>' },
    hours: { ja: '配信できる時間帯', en: 'Sending hours' },
    hoursText: {
      ja: '{{start}}〜{{end}}。時間外のメッセージは次の{{start}}に配信し、その後の待機はそこから数えます。',
      en: '{{start}}–{{end}}. Messages outside these hours are sent at the next {{start}}, and waits after them start then.',
    },
    noCoupon: { ja: '発行しません', en: 'None' },
    holdout: {
      ja: '対象になった顧客の{{n}}%には、比較のため配信しません。',
      en: '{{n}}% of the customers who enter receive nothing, for comparison.',
    },
    unknown: {
      ja: '確認できませんでした。有効にすることはできます。',
      en: 'Could not be checked. You can still enable the scenario.',
    },
    counting: {
      ja: '過去90日間のデータから計算しています。待たずに有効にできます。',
      en: 'Estimating from the last 90 days. You do not have to wait to enable it.',
    },
    takesLonger: {
      ja: '計算に時間がかかっています。結果は「リハーサル」に表示されます。待たずに有効にできます。',
      en: 'The estimate is taking longer. It will appear under “Rehearsal”. You do not have to wait to enable the scenario.',
    },
    manual: {
      ja: '担当者が「対象者に配信を開始」を押したときだけ配信します。',
      en: 'Sends only when someone on your team selects “Start for audience”.',
    },
    none: {
      ja: '過去90日間にきっかけがなかったため、見込みを計算できません。',
      en: 'No estimate: nothing triggered this scenario in the last 90 days.',
    },
    nobodyMailable: {
      ja: '過去90日間にきっかけは{{n}}回ありましたが、今配信できる顧客はいませんでした。',
      en: {
        one: 'It would have been triggered {{n}} time in the last 90 days, but for no customer who can be reached now.',
        other:
          'It would have been triggered {{n}} times in the last 90 days, but for no customer who can be reached now.',
      },
    },
    tooFew: {
      ja: 'データが少なく、見込みを計算できません。過去90日間では{{n}}人に届いていました。',
      en: {
        one: 'Too little data for an estimate: {{n}} customer would have been reached in the last 90 days.',
        other: 'Too little data for an estimate: {{n}} customers would have been reached in the last 90 days.',
      },
    },
    perDay: {
      ja: '1週間に約{{week}}人（1日に約{{day}}人）に配信',
      en: 'About {{week}} customers a week ({{day}} a day)',
    },
    perWeek: { ja: '1週間に約{{week}}人に配信', en: 'About {{week}} customers a week' },
    perMonth: { ja: '1か月に約{{month}}人に配信', en: 'About {{month}} customers a month' },
    basis: {
      ja: '過去90日間では{{people}}人に{{messages}}通、最も多い日で{{busiest}}通でした。',
      en: 'In the last 90 days: {{people}} customers, {{messages}} messages, {{busiest}} of them on the busiest day.',
    },
    young: {
      ja: '{{day}}より前のデータがないため、実際はこれより多い可能性があります。',
      en: 'There is no data before {{day}}, so the actual number may be higher.',
    },
    waiting: {
      ja: '待機中の{{n}}は、予定の時刻になると続きから進みます。',
      en: {
        one: '{{n}} waiting execution continues at its scheduled time.',
        other: '{{n}} waiting executions continue at their scheduled times.',
      },
    },
    late: {
      ja: '予定を1日以上過ぎた{{n}}は、配信してよいか確認されるまで待ちます。',
      en: {
        one: '{{n}} execution is more than a day late and waits for your review.',
        other: '{{n}} executions are more than a day late and wait for your review.',
      },
    },
    nextDay: {
      ja: '次は{{time}}に、{{n}}人が参加条件に合うかを確認して配信します。',
      en: {
        one: 'Next on {{time}}: {{n}} customer is checked against the entry condition.',
        other: 'Next on {{time}}: {{n}} customers are checked against the entry condition.',
      },
    },
    nextDayAtLeast: {
      ja: '次は{{time}}に、{{n}}人以上が参加条件に合うかを確認して配信します。',
      en: 'Next on {{time}}: {{n}} or more customers are checked against the entry condition.',
    },
    nextDayNone: {
      ja: '次は{{time}}ですが、その日の対象になる顧客はいません。',
      en: 'Next on {{time}}, with no customers for that day.',
    },
    noCancelLink: {
      ja: '再入荷のお知らせのメッセージに、登録を取り消すリンクがありません（{{n}}件）。差し込みタグ「再入荷のお知らせを取り消すページ」を入れてください。',
      en: {
        one: '{{n}} restock message has no link to cancel. Insert the tag “Page to cancel a restock notification”.',
        other: '{{n}} restock messages have no link to cancel. Insert the tag “Page to cancel a restock notification”.',
      },
    },
    alsoActive: {
      ja: '同じ再入荷を知らせる有効なシナリオ：{{names}}。再入荷通知に登録した人には、再入荷通知のシナリオだけが通知します。',
      en: 'Also active, about the same news: {{names}}. Who registered is notified by the restock scenario only.',
    },
    nobodyAtOnce: {
      ja: 'すぐに配信される顧客はいません。有効にした後に起きるきっかけから始まります。',
      en: 'Nothing is sent immediately. The scenario starts with triggers from now on.',
    },
  },
} satisfies WordTree
