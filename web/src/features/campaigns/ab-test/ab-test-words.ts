import type { AbPhase, abMeasures } from '@okaeri/contract/campaigns/ab-test'
import type { Localized } from '@okaeri/contract/locale'
import type { WordTree } from '../../../app/word-tree.ts'

export const abTestWords = {
  title: { ja: 'A/Bテスト', en: 'A/B test' },
  group: {
    a: { ja: 'A', en: 'A' },
    b: { ja: 'B', en: 'B' },
    rest: { ja: '残り', en: 'The rest' },
    /** Once it is decided. */
    restGot: { ja: '残り（{{content}}）', en: 'The rest ({{content}})' },
  },
  filter: { ja: 'グループで絞り込む', en: 'Filter by group' },
  allGroups: { ja: 'すべてのグループ', en: 'All groups' },
  form: {
    text: {
      ja: '対象の一部で2つの件名またはメールを比べ、よかったほうを残りの顧客に配信します。',
      en: 'Compare two subjects or two emails on a part of the audience. The rest gets the better one.',
    },
    on: { ja: 'A/Bテストを行う', en: 'Run an A/B test' },
    differs: { ja: '比べるもの', en: 'What to compare' },
    subject: { ja: '件名', en: 'Subject' },
    subjectText: { ja: '同じメールを、別の件名でも配信します。', en: 'The same email, also with another subject.' },
    email: { ja: '別のメール', en: 'Another email' },
    emailText: {
      ja: '上で選んだメール（A）と、別のメール（B）を比べます。',
      en: 'The email chosen above (A) against another one (B).',
    },
    subjectOfB: { ja: 'Bの件名', en: 'Subject of B' },
    subjectOfA: { ja: 'Aは、上で選んだメールの件名です。', en: 'A has the subject of the email chosen above.' },
    emailOfB: { ja: 'Bのメール', en: 'Email of B' },
    share: { ja: 'テストする割合', en: 'Share in the test' },
    shareText: { ja: '半分にA、半分にBを配信します。', en: 'Half of it gets A, half gets B.' },
    shareOf: { ja: '対象の{{percent}}%', en: '{{percent}}% of the audience' },
    decides: { ja: '残りに配信するほうの決め方', en: 'How the better one is chosen' },
    measure: {
      clicks: { ja: 'クリック率', en: 'Click rate' },
      revenue: { ja: '1通あたりの売上', en: 'Revenue per email' },
      person: { ja: '自分で選ぶ', en: 'I choose' },
    } satisfies Record<(typeof abMeasures)[number], Localized>,
    measureText: {
      clicks: {
        ja: 'クリックした人の割合が高いほう。開封は、メールアプリが自動で行うことがあるため使いません。',
        en: 'More people clicked. Opens are not used, because email apps open emails automatically.',
      },
      revenue: {
        ja: 'クリックからの売上が多いほう。注文までに時間がかかるため、長めの時間をおすすめします。',
        en: 'More revenue came from it. Orders take time, so choose more hours.',
      },
      person: {
        ja: '時間になったらメールでお知らせします。選ぶまで、残りには配信されません。',
        en: 'We’ll email you when the time is over. The rest is not sent anything until you choose.',
      },
    } satisfies Record<(typeof abMeasures)[number], Localized>,
    hours: { ja: '決めるまでの時間', en: 'Hours until then' },
    hoursText: {
      ja: 'AとBの配信が終わってから数えます（1〜72時間）。',
      en: 'Counted from when A and B have been sent (1 to 72 hours).',
    },
    hoursUnit: { ja: '時間', en: 'h' },
    even: {
      ja: '差がない場合や、クリックや売上が1件もない場合は、Aを残りに配信します。',
      en: 'If there is no difference, or nothing was clicked or bought, the rest gets A.',
    },
    tracking: {
      ja: 'クリックや売上で決めるには、下の「開封・クリックの計測」をオンにしてください。',
      en: 'To decide by clicks or revenue, turn on tracking below.',
    },
  },
  review: {
    people: { ja: '{{n}}人', en: { one: '{{n}} person', other: '{{n}} people' } },
    gets: { ja: 'グループ', en: 'Group' },
    count: { ja: '人数', en: 'Recipients' },
    subject: { ja: '件名', en: 'Subject' },
    waits: { ja: '待機し、よかったほうを配信', en: 'Waits, then gets the better one' },
    decides: {
      clicks: {
        ja: 'AとBの配信が終わって{{hours}}時間後に、クリック率の高いほうを残りの{{rest}}人に自動で配信します。差がない場合や、クリックが1件もない場合は、Aを配信します。',
        en: {
          one: '{{hours}} hour after A and B have been sent, the one with the higher click rate is sent automatically to the remaining {{rest}}. If there is no difference, or no one clicked, they get A.',
          other:
            '{{hours}} hours after A and B have been sent, the one with the higher click rate is sent automatically to the remaining {{rest}}. If there is no difference, or no one clicked, they get A.',
        },
      },
      revenue: {
        ja: 'AとBの配信が終わって{{hours}}時間後に、1通あたりの売上が多いほうを残りの{{rest}}人に自動で配信します。差がない場合や、売上が1件もない場合は、Aを配信します。',
        en: {
          one: '{{hours}} hour after A and B have been sent, the one with more revenue per email is sent automatically to the remaining {{rest}}. If there is no difference, or nothing was bought, they get A.',
          other:
            '{{hours}} hours after A and B have been sent, the one with more revenue per email is sent automatically to the remaining {{rest}}. If there is no difference, or nothing was bought, they get A.',
        },
      },
      person: {
        ja: 'AとBの配信が終わって{{hours}}時間後にメールでお知らせします。AかBを選ぶまで、残りの{{rest}}人には配信されません。',
        en: {
          one: '{{hours}} hour after A and B have been sent, we’ll email you. The remaining {{rest}} are not sent anything until you choose A or B.',
          other:
            '{{hours}} hours after A and B have been sent, we’ll email you. The remaining {{rest}} are not sent anything until you choose A or B.',
        },
      },
    },
    about: {
      ja: '予定どおり始まれば、{{time}}ごろです。',
      en: 'If sending starts on time, that is at about {{time}}.',
    },
    earlier: {
      ja: '時間の前でも、AかBを選んで残りに配信したり、残りの配信を停止したりできます。システムの停止などで6時間を超えて遅れた場合は、配信する前にお尋ねします。',
      en: 'Before that you can send A or B to the rest yourself, or stop. If an outage delays it by more than six hours, we ask you before anything is sent.',
    },
    watched: {
      ja: 'AとBで宛先不明や迷惑メールの報告などが多ければ、残りの配信を止めてお知らせします。',
      en: 'If too many addresses of A and B do not exist or too many people complain, the rest is held back and we email you.',
    },
    small: {
      ja: '1つのグループが500人より少ないため、差が出ても偶然かもしれません。',
      en: 'With fewer than 500 people in a group, a difference may be chance.',
    },
    findingsOfB: { ja: 'Bについて', en: 'About B' },
    shown: { ja: '表示するメール', en: 'Email shown' },
    both: { ja: 'A：{{a}} / B：{{b}}', en: 'A: {{a}} / B: {{b}}' },
    inGroups: { ja: 'A {{a}}人、B {{b}}人、残り{{rest}}人', en: 'A {{a}}, B {{b}}, the rest {{rest}}' },
    sendTest: { ja: '{{group}}をテスト送信', en: 'Test send of {{group}}' },
  },
  /** In lists and at the head of the page. */
  badge: { ja: 'A/Bテスト中', en: 'A/B testing' },
  short: {
    planned: { ja: 'A/Bテスト', en: 'A/B test' },
    sending: { ja: 'A/Bテスト：AとBを配信中', en: 'A/B test: sending A and B' },
    testing: { ja: 'A/Bテスト中：{{time}}に決定', en: 'A/B test: decides {{time}}' },
    testingPerson: { ja: 'A/Bテスト中：{{time}}まで', en: 'A/B test: until {{time}}' },
    asks: { ja: 'A/Bテスト：AかBを選んでください', en: 'A/B test: choose A or B' },
    decided: { ja: 'A/Bテスト：{{winner}}を残りに配信', en: 'A/B test: {{winner}} to the rest' },
    ended: { ja: 'A/Bテスト：決めずに終了', en: 'A/B test: ended without a choice' },
  } satisfies Record<AbPhase | 'testingPerson', Localized>,
  now: {
    sending: {
      ja: 'AとBを配信しています。終わってから{{hours}}時間、結果を見ます。',
      en: {
        one: 'A and B are being sent. The results are watched for {{hours}} hour after that.',
        other: 'A and B are being sent. The results are watched for {{hours}} hours after that.',
      },
    },
    testing: {
      ja: '{{time}}に、よかったほうを残りの{{people}}に自動で配信します。',
      en: 'At {{time}} the better one is sent automatically to the remaining {{people}}.',
    },
    testingPerson: {
      ja: '{{time}}にメールでお知らせします。選ぶまで、残りの{{people}}には配信されません。',
      en: 'At {{time}} we’ll email you. The remaining {{people}} are not sent anything until you choose.',
    },
    asks: {
      ja: '結果を確認して、残りの{{people}}にAとBのどちらを配信するか選んでください。選ぶまで配信されません。',
      en: 'Look at the results and choose whether the remaining {{people}} get A or B. They are not sent anything until you choose.',
    },
  },
  asksTitle: { ja: 'AかBを選んでください', en: 'Choose A or B' },
  choose: {
    a: { ja: 'Aを残りに配信', en: 'Send A to the rest' },
    b: { ja: 'Bを残りに配信', en: 'Send B to the rest' },
    askTitle: {
      ja: '{{winner}}を残りの{{people}}に配信しますか？',
      en: 'Send {{winner}} to the remaining {{people}}?',
    },
    askBody: {
      ja: 'すぐに配信を始めます。あとからもう一方に変えることはできません。',
      en: 'Sending starts at once. You cannot change to the other one afterwards.',
    },
    done: { ja: '残りの配信を始めました', en: 'Sending the rest' },
    forbidden: { ja: '選べるのは、テスト中だけです。', en: 'You can only choose while the test is running.' },
  },
  continueTest: { ja: 'テストを続ける', en: 'Continue the test' },
  continueTitle: { ja: 'テストを続けますか？', en: 'Continue the test?' },
  continueBody: {
    ja: 'AとBで見つかった問題にかかわらず、時間になったら残りに配信します。',
    en: 'Whatever went wrong with A and B, the rest is sent when the time is over.',
  },
  continued: { ja: 'テストを続けます', en: 'The test continues' },
  decideNow: { ja: '結果で決めて配信', en: 'Decide by the results and send' },
  result: {
    title: { ja: '結果', en: 'Result' },
    more: {
      clicks: {
        ja: 'クリック率が高かったため、{{winner}}に決まりました。',
        en: '{{winner}} won: its click rate was higher.',
      },
      revenue: {
        ja: '1通あたりの売上が多かったため、{{winner}}に決まりました。',
        en: '{{winner}} won: it brought more revenue per email.',
      },
    },
    tie: { ja: '差がなかったため、Aに決まりました。', en: 'There was no difference, so the rest got A.' },
    nothing: {
      clicks: { ja: 'クリックが1件もなかったため、Aに決まりました。', en: 'No one clicked, so the rest got A.' },
      revenue: { ja: '売上が1件もなかったため、Aに決まりました。', en: 'Nothing was bought, so the rest got A.' },
    },
    person: { ja: '{{name}}さんが{{winner}}を選びました。', en: '{{name}} chose {{winner}}.' },
    personGone: { ja: 'メンバーが{{winner}}を選びました。', en: 'A member chose {{winner}}.' },
    atThatTime: {
      ja: '決定時：A {{a}}、B {{b}}',
      en: 'At that time: A {{a}}, B {{b}}',
    },
    clicksOf: { ja: 'クリック{{n}}件', en: { one: '{{n}} click', other: '{{n}} clicks' } },
    won: { ja: '採用', en: 'Winner' },
    ended: {
      ja: '残りの配信が停止されたため、どちらにも決まりませんでした。',
      en: 'The rest was stopped, so neither was chosen.',
    },
  },
  table: {
    revenueEach: { ja: '1通あたりの売上', en: 'Revenue per email' },
    label: { ja: 'グループごとの結果', en: 'Results by group' },
    audience: { ja: '対象', en: 'Audience' },
    note: {
      ja: '数値は今の時点のものです。決定の後のクリックや注文も含みます。',
      en: 'Figures as of now, including clicks and orders after the decision.',
    },
  },
  facts: {
    value: {
      ja: '{{differs}}・対象の{{share}}%・{{hours}}時間後・{{measure}}',
      en: {
        one: '{{differs}} · {{share}}% of the audience · after {{hours}} hour · {{measure}}',
        other: '{{differs}} · {{share}}% of the audience · after {{hours}} hours · {{measure}}',
      },
    },
  },
} satisfies WordTree
