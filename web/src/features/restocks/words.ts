import { channelNames } from '@okaeri/contract/deliveries/delivery'
import type { Localized } from '@okaeri/contract/locale'
import type { RestockStatus } from '@okaeri/contract/restocks/routes'
import type { NoticeOutcome, ReturnHold } from '@okaeri/contract/restocks/waves'
import type { WordTree } from '../../app/word-tree.ts'

/** One text for each of these. */
type Words<Key extends string> = Record<Key, Localized>

export const words = {
  title: { ja: '再入荷通知', en: 'Restock notifications' },
  description: {
    ja: '在庫切れの商品の再入荷を待っている人を、商品ごとに確認できます。入荷すると、登録した順にお知らせします。',
    en: 'See who is waiting for each sold-out product. When it is back, they are notified in the order they registered.',
  },
  search: { ja: '商品名で検索', en: 'Search by product name' },
  product: { ja: '商品', en: 'Product' },
  unknownProduct: { ja: '商品 {{id}}', en: 'Product {{id}}' },
  wholeProduct: { ja: '商品全体', en: 'Any variant' },
  people: { ja: '{{total}}人', en: { one: '{{total}} person', other: '{{total}} people' } },
  waiting: { ja: '待っている人', en: 'Waiting' },
  waitingPeople: {
    ja: '待っている人：{{total}}人',
    en: { one: '{{total}} person waiting', other: '{{total}} people waiting' },
  },
  notified: { ja: '通知済み', en: 'Notified' },
  latest: { ja: '最新の登録', en: 'Latest registration' },
  first: { ja: '最初の登録', en: 'First registration' },
  csv: { ja: 'CSVダウンロード', en: 'Download CSV' },
  empty: {
    title: { ja: 'まだ登録がありません', en: 'No registrations yet' },
    text: {
      ja: 'ストアの在庫切れの商品に登録ボタンを表示すると、再入荷を待つ人がここに表示されます。他のアプリの登録も取り込めます。',
      en: 'Once sold-out products in your store show the button, people who are waiting appear here. You can also import registrations from another app.',
    },
    settings: { ja: '再入荷通知の設定を開く', en: 'Open restock settings' },
    import: { ja: '登録を取り込む', en: 'Import registrations' },
  },
  noScenario: {
    title: { ja: '再入荷をお知らせするシナリオがありません', en: 'No scenario notifies people of restocks' },
    text: {
      ja: '商品が再入荷しても、待っている人には何も配信されません。テンプレート「再入荷のお知らせ」からシナリオを作成し、有効にしてください。',
      en: 'Nothing is sent when a product is back in stock. Create a scenario from the template “Restock notification” and enable it.',
    },
    action: { ja: 'シナリオを作成', en: 'Create scenario' },
  },
  unanswered: {
    email: {
      ja: 'メールで登録した人がいますが、メールを配信する再入荷のシナリオがありません。',
      en: 'Some people registered by email, but no restock scenario sends email.',
    },
    line: {
      ja: 'LINEで登録した人がいますが、LINEで配信する再入荷のシナリオがありません。',
      en: 'Some people registered by LINE, but no restock scenario sends LINE messages.',
    },
  },
  testMode: {
    ja: 'テストモードの間は、再入荷しても待っている人に通知しません。順番はそのまま残ります。',
    en: 'In test mode no one is notified of restocks. Everyone keeps their place in line.',
  },
  several: {
    title: { ja: '再入荷のシナリオが複数有効になっています', en: 'Several restock scenarios are active' },
    text: {
      ja: '1つの登録に通知するのは1つのシナリオだけです。通知方法ごとに、最初に有効にしたシナリオが使われます。',
      en: 'Each registration is answered by one scenario only: for each type, the one that was enabled first.',
    },
    answers: { ja: '{{name}}（{{channels}}の登録に通知）', en: '{{name}} (answers {{channels}} registrations)' },
    answersNone: { ja: '{{name}}（使われません）', en: '{{name}} (not used)' },
  },
  many: {
    title: {
      ja: '{{total}}件の商品が一度に再入荷しました',
      en: { one: '{{total}} product is back in stock at once', other: '{{total}} products are back in stock at once' },
    },
    text: {
      ja: '在庫の一括変更の可能性があるため、{{people}}人への通知を止めています。在庫が正しければ再開してください。',
      en: 'This may be a bulk edit of stock, so notifications to {{people}} people are on hold. Continue if the stock is right.',
    },
    action: { ja: '通知を再開', en: 'Continue' },
    confirm: {
      title: { ja: '{{total}}件の商品の通知を再開しますか？', en: 'Continue for {{total}} products?' },
      text: {
        ja: '待っている{{people}}人に、登録した順に通知が始まります。',
        en: '{{people}} waiting people will be notified, in the order they registered.',
      },
    },
  },
  next: {
    title: { ja: 'これからの通知', en: 'Coming up' },
    listTitle: { ja: '再入荷した商品のこれからの通知', en: 'Products back in stock' },
    none: {
      ja: '現在、再入荷を通知する予定はありません。在庫が0から増えると、ここに予定が表示されます。',
      en: 'Nothing is planned. When stock returns, the plan is shown here first.',
    },
    atTime: {
      ja: '{{time}}に{{people}}人へ通知します',
      en: {
        one: '{{people}} person will be notified at {{time}}',
        other: '{{people}} people will be notified at {{time}}',
      },
    },
    noOneLeft: { ja: '待っている人はもういません', en: 'No one is waiting now' },
    noOneYet: { ja: 'まだ誰にも通知しません', en: 'No one is notified yet' },
    stock: { ja: 'オンラインの在庫', en: 'Online stock' },
    stockRead: { ja: '{{count}}個（{{time}}に確認）', en: '{{count}} (checked {{time}})' },
    stockAlways: { ja: '在庫がなくても販売', en: 'Sold without stock' },
    stockUnknown: { ja: '確認中', en: 'Checking' },
    waiting: { ja: '待っている人', en: 'Waiting' },
    rule: {
      ja: '在庫1個につき{{each}}人ずつ、{{minutes}}分おきに通知します。配信の直前にも在庫を確認します。',
      en: '{{each}} people per item in stock, every {{minutes}} minutes. Stock is checked again right before each message.',
    },
    more: { ja: '他に{{total}}件あります', en: '{{total}} more' },
  },
  hold: {
    settling: { ja: '在庫が安定するのを待っています', en: 'Waiting for the stock to settle' },
    interval: { ja: '次の回を待っています', en: 'Waiting for the next wave' },
    hours: { ja: '配信できる時間帯を待っています', en: 'Waiting for the sending hours' },
    test_mode: { ja: 'テストモードのため通知しません', en: 'Not notifying in test mode' },
    no_scenario: { ja: '有効なシナリオがないため通知しません', en: 'No active scenario, so no one is notified' },
    reading: { ja: 'ストアに在庫を確認しています', en: 'Asking the store for the stock' },
    stopped: { ja: '停止しています', en: 'Stopped' },
    many: { ja: '確認を待っています', en: 'Waiting for your confirmation' },
  } satisfies Words<ReturnHold>,
  silent: {
    badge: { ja: 'ストアから応答がありません', en: 'The store does not answer' },
    since: {
      ja: '{{since}}からストアの応答がありません。次は{{again}}に確認します。応答があるか、在庫の変更が届くと、すぐに再開します。',
      en: 'The store has not answered since {{since}}. Next try: {{again}}. As soon as it answers or reports a change in stock, this continues.',
    },
  },
  stop: { ja: '通知を停止', en: 'Stop' },
  stopConfirm: {
    title: { ja: 'この商品の通知を停止しますか？', en: 'Stop notifying for this product?' },
    text: {
      ja: '再開するまで、次の回は始まりません。すでに配信が始まった回のメッセージは届くことがあります。',
      en: 'No further wave begins until you continue. Messages of a wave that has begun may still arrive.',
    },
  },
  stopped: { ja: '通知を停止しました', en: 'Stopped' },
  continue: { ja: '通知を再開', en: 'Continue' },
  continueConfirm: {
    title: {
      ja: '{{total}}人への通知を再開しますか？',
      en: { one: 'Continue and notify {{total}} person?', other: 'Continue and notify {{total}} people?' },
    },
    text: {
      ja: '在庫を確認したあと、すぐに次の回が始まります。登録した順に通知します。',
      en: 'The next wave begins at once, after the stock is checked. People are notified in the order they registered.',
    },
  },
  continued: { ja: '通知を再開しました', en: 'Continued' },
  waves: {
    title: { ja: '通知の記録', en: 'Waves' },
    none: { ja: 'まだ通知していません。', en: 'No one was notified yet.' },
    at: { ja: '日時', en: 'Time' },
    variant: { ja: 'バリエーション', en: 'Variant' },
    stock: { ja: 'そのときの在庫', en: 'Stock then' },
    sent: { ja: '配信済み', en: 'Sent' },
    underWay: { ja: '{{total}}人は配信中', en: '{{total}} under way' },
    boughtBefore: { ja: '{{total}}人は購入済みのため対象外', en: '{{total}} skipped: already bought it' },
    unreachable: { ja: '{{total}}人は顧客が見つからず対象外', en: '{{total}} skipped: no such customer' },
    buyers: { ja: '購入', en: 'Bought' },
    revenue: { ja: '売上', en: 'Revenue' },
    howCounted: {
      ja: '購入と売上は、配信から5日以内にこの商品を買った注文の、この商品の分です。',
      en: 'Bought and revenue count this product in orders within 5 days of the message.',
    },
    people: { ja: '対象の人を見る', en: 'See people' },
    peopleTitle: { ja: '{{time}}の通知', en: 'Wave of {{time}}' },
  },
  outcome: {
    label: { ja: '結果', en: 'Outcome' },
    under_way: { ja: '配信中', en: 'Under way' },
    sent: { ja: '配信済み', en: 'Sent' },
    uncertain: { ja: '到達不明', en: 'Outcome unknown' },
    failed: { ja: '失敗', en: 'Failed' },
    skipped: { ja: '対象外', en: 'Not sent' },
    refused: { ja: 'シナリオの対象外', en: 'Not let into the scenario' },
    no_customer: { ja: '顧客が見つからない', en: 'No such customer' },
    withdrawn: { ja: '取り消し', en: 'Withdrawn' },
  } satisfies Words<NoticeOutcome | 'label'>,
  bought: { ja: '{{time}}に購入', en: 'Bought {{time}}' },
  subscribers: {
    title: { ja: '登録者', en: 'Registrants' },
    name: { ja: '顧客', en: 'Customer' },
    noName: { ja: '名前なし', en: 'No name' },
    email: { ja: 'メールアドレス', en: 'Email address' },
    type: { ja: '通知方法', en: 'Type' },
    variant: { ja: 'バリエーション', en: 'Variant' },
    status: { ja: 'ステータス', en: 'Status' },
    filter: { ja: 'ステータスで絞り込む', en: 'Filter by status' },
    all: { ja: 'すべて', en: 'All' },
    registered: { ja: '登録日時', en: 'Registered' },
    none: { ja: '条件に合う登録がありません。', en: 'No matching registrations.' },
    notifiedAt: { ja: '{{time}}に通知', en: 'Notified {{time}}' },
    endedBy: {
      bought: { ja: '購入済み', en: 'Bought it' },
      person: { ja: '本人が取り消し', en: 'Taken back by the person' },
      member: { ja: 'メンバーが削除', en: 'Deleted by a member' },
    },
  },
  channel: channelNames,
  status: {
    active: { ja: '待機中', en: 'Waiting' },
    sent: { ja: '通知済み', en: 'Notified' },
    deleted: { ja: '削除済み', en: 'Deleted' },
    unknown: { ja: '不明', en: 'Unknown' },
  } satisfies Words<RestockStatus>,
  delete: { ja: '削除', en: 'Delete' },
  deleteConfirm: {
    title: { ja: '{{name}}の再入荷通知を削除しますか？', en: 'Delete the restock notification of {{name}}?' },
    text: {
      ja: '再入荷しても、この登録には通知されません。',
      en: 'Nothing is sent for this registration when the product is back.',
    },
  },
  // Spec §8, §6.
  deleted: { ja: '再入荷通知を削除しました', en: 'Restock notification deleted' },
  deleteFailed: { ja: '削除に失敗しました', en: 'Failed to delete' },
  viewerMayNot: { ja: '閲覧者は変更できません。', en: 'Viewers cannot change this.' },
  settings: {
    wavesTitle: { ja: '通知のしかた', en: 'How people are notified' },
    wavesText: {
      ja: '登録した順に、在庫の数に応じて少しずつ通知します。先に通知した人から購入できます。',
      en: 'People are notified in the order they registered, some for each item in stock, so that those notified first can buy first.',
    },
    people_per_unit: { ja: '在庫1個あたりの人数', en: 'People per item in stock' },
    people_per_unitHelp: {
      ja: '例：5人なら、在庫が3個のとき1回に15人まで通知します。',
      en: 'For example with 5, a stock of 3 notifies up to 15 people at a time.',
    },
    wave_minutes: { ja: '次の回までの間隔（分）', en: 'Interval between waves (minutes)' },
    wave_minutesHelp: {
      ja: 'この間、先に通知した人だけが再入荷を知っています。',
      en: 'Meanwhile only those notified so far know that it is back.',
    },
    settle_minutes: { ja: '在庫が安定するまで待つ時間（分）', en: 'Wait for the stock to settle (minutes)' },
    settle_minutesHelp: {
      ja: '在庫の入力直しなどで誤って通知しないように、増えてからこの時間待ちます。',
      en: 'After stock returns, no one is notified for this long, in case the number is being corrected.',
    },
    asks_again: {
      ja: '購入しなかった人に、次の再入荷でもう一度通知する',
      en: 'Notify those who did not buy again at the next restock',
    },
    asks_againHelp: {
      ja: '1つの登録につき3回まで。前回から24時間以内には通知しません。まだ通知していない人が優先されます。',
      en: 'Up to 3 times per registration, and not within 24 hours. Those not notified yet come first.',
    },
    storefrontTitle: { ja: 'ストアでの登録', en: 'Registration in your store' },
    storefrontText: {
      ja: '在庫切れの商品のページに表示されるボタンと、登録の方法です。',
      en: 'The buttons on pages of sold-out products, and how people register.',
    },
    toWidget: {
      ja: 'ボタンの表示場所と色は「ウィジェット」で設定します',
      en: 'Set where the buttons are shown, and their colors, in Widget',
    },
    email_button: { ja: 'メールで登録するボタンを表示する', en: 'Show the button for email' },
    line_button: { ja: 'LINEで登録するボタンを表示する', en: 'Show the button for LINE' },
    confirms_address: { ja: 'メールアドレスの持ち主に確認する', en: 'Ask the owner of the address to confirm' },
    confirms_addressHelp: {
      ja: '確認メールのリンクを開いてボタンを押すと、登録が有効になります。他人のアドレスの登録を防ぎます。',
      en: 'A registration counts once the link in an email was opened and confirmed. This keeps strangers from registering others.',
    },
    sends_receipt: {
      ja: 'メールで登録した人に、受付のメールを送る',
      en: 'Email people who registered by email that they are on the list',
    },
    sends_line_receipt: {
      ja: 'LINEで登録した人に、受付のLINEメッセージを送る',
      en: 'Send people who registered by LINE a LINE message that they are on the list',
    },
    sends_line_receiptHelp: {
      ja: '取り消しのリンクが付きます。今月のLINEの配信数に含まれます。',
      en: 'It has a link to cancel, and counts toward this month’s LINE messages.',
    },
    textsTitle: { ja: '表示する文言', en: 'Texts' },
    textsText: {
      ja: '空欄のところは、初期設定の文言で表示されます。',
      en: 'Leave blank to use the default text.',
    },
    /** What the part says itself (plain-texts.test.ts); shown where the merchant says nothing. */
    plain: {
      button: { ja: '再入荷をメールで受け取る', en: 'Email me when it’s back' },
      popup_title: { ja: '再入荷のお知らせ', en: 'Back in stock' },
      popup_text: { ja: '再入荷したら、メールでお知らせします。', en: 'We’ll email you when it’s back.' },
      line_button: { ja: '再入荷をLINEで受け取る', en: 'LINE me when it’s back' },
      line_popup_title: { ja: '再入荷のお知らせ', en: 'Back in stock' },
      line_popup_text: {
        ja: '再入荷したら、LINEでお知らせします。',
        en: 'We’ll send you a LINE message when it’s back.',
      },
    },
    inJa: { ja: '{{label}}（日本語）', en: '{{label}} (Japanese)' },
    inEn: { ja: '{{label}}（英語）', en: '{{label}} (English)' },
    text: {
      button: { ja: '再入荷通知ボタン', en: 'Restock button' },
      popup_title: { ja: 'ポップアップの見出し', en: 'Popup heading' },
      popup_text: { ja: 'ポップアップの説明', en: 'Popup text' },
      line_button: { ja: 'LINEの再入荷通知ボタン', en: 'LINE restock button' },
      line_popup_title: { ja: 'LINEのポップアップの見出し', en: 'LINE popup heading' },
      line_popup_text: { ja: 'LINEのポップアップの説明', en: 'LINE popup text' },
    },
  },
} satisfies WordTree
