import type { WordTree } from '../../../app/word-tree.ts'

/** The gallery of templates, their form, and the problems of a flow. */
export const makingWords = {
  gallery: {
    title: { ja: 'シナリオを作成', en: 'Add New Scenario' },
    description: {
      ja: 'テンプレートを選ぶと、メールやLINEメッセージと日数などを決めるだけで使えます。あとからいつでも変更できます。',
      en: 'Choose a template, then set the message and a few numbers. You can change everything later.',
    },
    choose: { ja: 'このテンプレートを使う', en: 'Use this template' },
    chooseName: { ja: 'このテンプレートを使う：{{name}}', en: 'Use this template: {{name}}' },
    blankCategory: { ja: '自由に作る', en: 'From scratch' },
    blankTitle: { ja: '白紙から作る', en: 'Start from scratch' },
    blankText: {
      ja: 'きっかけ、待機、条件分岐を、フローエディターで一から組み立てます。',
      en: 'Build the trigger, waits and branches yourself in the flow editor.',
    },
    blankStart: { ja: 'フローエディターで始める', en: 'Open flow editor' },
    blankName: { ja: '新しいシナリオ', en: 'Untitled scenario' },
    create: { ja: '作成', en: 'Create' },
    planForbids: {
      ja: '現在のプランではフローエディターを使えません。プランをアップグレードすると使えるようになります。',
      en: 'Your current plan does not include the flow editor. Upgrade your plan to use it.',
    },
  },
  picture: {
    label: { ja: '流れ：{{steps}}', en: 'Flow: {{steps}}' },
    joint: { ja: '、', en: ', ' },
    branch: { ja: '条件で分岐', en: 'branch' },
    more: { ja: 'ほか', en: 'more' },
    end: { ja: '終了', en: 'end' },
  },
  form: {
    newTitle: { ja: 'シナリオを作成：{{template}}', en: 'Create scenario: {{template}}' },
    newTitlePlain: { ja: 'シナリオを作成', en: 'Create scenario' },
    need: {
      birthdays: { ja: '誕生日が分かっている顧客：{{n}}人', en: 'Customers with a birthday: {{n}}' },
      birthdaysAtLeast: { ja: '誕生日が分かっている顧客：{{n}}人以上', en: 'Customers with a birthday: {{n}} or more' },
      birthdaysNone: { ja: '誕生日が分かっている顧客がまだいません', en: 'No customer has a birthday yet' },
      birthdaysHelp: {
        ja: 'このままでは配信されません。ストアで誕生日を入れているメタフィールドを顧客設定で選ぶか、データ取り込みで登録してください。',
        en: 'No one will receive this yet. Choose your store’s birthday metafield in customer settings, or import birthdays.',
      },
      settingsDo: { ja: '顧客設定を開く', en: 'Open customer settings' },
      product_views: { ja: '閲覧が記録されている顧客：{{n}}人', en: 'Customers with recorded views: {{n}}' },
      product_viewsAtLeast: {
        ja: '閲覧が記録されている顧客：{{n}}人以上',
        en: 'Customers with recorded views: {{n}} or more',
      },
      product_viewsNone: { ja: '商品の閲覧がまだ記録されていません', en: 'No product views are recorded yet' },
      product_viewsHelp: {
        ja: 'このままでは配信されません。顧客設定で、商品の閲覧の記録をオンにしてください。',
        en: 'No one will receive this yet. Switch on the recording of product views in customer settings.',
      },
      product_intervals: {
        ja: '購入間隔が分かっている商品：{{n}}点',
        en: 'Products with a usual purchase interval: {{n}}',
      },
      product_intervalsAtLeast: {
        ja: '購入間隔が分かっている商品：{{n}}点以上',
        en: 'Products with a usual purchase interval: {{n}} or more',
      },
      product_intervalsNone: {
        ja: '購入間隔が分かっている商品はまだありません',
        en: 'No product has a usual purchase interval yet',
      },
      product_intervalsHelp: {
        ja: '5人以上の顧客に、合わせて10回以上繰り返し購入されると分かるようになります。それまでは、下の日数で配信します。',
        en: 'Available once at least 5 customers have bought a product again, 10 times in total. Until then, the days below are used.',
      },
    },
    editTitle: { ja: 'シナリオを編集', en: 'Edit scenario' },
    basics: { ja: '名前', en: 'Name' },
    nameHelp: { ja: '管理用の名前です。顧客には表示されません。', en: 'Internal name. Not shown to customers.' },
    fields: { ja: '内容', en: 'Details' },
    settings: { ja: '詳細設定', en: 'More settings' },
    create: { ja: '下書きとして保存', en: 'Save as draft' },
    number: {
      range: { ja: '{{min}}〜{{max}}', en: '{{min}}–{{max}}' },
      wrong: {
        ja: '{{min}}から{{max}}までの整数を入力してください',
        en: 'Enter a whole number from {{min}} to {{max}}',
      },
      missing: { ja: '数値を入力してください', en: 'Please enter a number' },
    },
    emailPlaceholder: { ja: 'メール名で検索', en: 'Search by name' },
    segmentPlaceholder: { ja: 'セグメント名で検索', en: 'Search by name' },
    emailGone: {
      ja: 'このメールは削除されています。別のメールを選択してください。',
      en: 'This email was deleted. Please select another one.',
    },
    emailGoneLabel: { ja: '（削除されたメール）', en: '(deleted email)' },
    emailEmpty: {
      ja: 'メールかLINEメッセージを選択してください。有効にするときに必要です。',
      en: 'Select an email or a LINE message. One is required to enable the scenario.',
    },
    emailNeeded: {
      ja: 'メールを選択してください。有効にするときに必要です。',
      en: 'Select an email. It is required to enable the scenario.',
    },
    lineNeeded: {
      ja: 'LINEメッセージを選択してください。有効にするときに必要です。',
      en: 'Select a LINE message. It is required to enable the scenario.',
    },
    createMail: { ja: 'メールを作成', en: 'Create email' },
    openMail: { ja: 'メールを開く', en: 'Open email' },
    linePlaceholder: { ja: 'メッセージ名で検索', en: 'Search by name' },
    lineGone: {
      ja: 'このLINEメッセージは削除されています。別のLINEメッセージを選択してください。',
      en: 'This LINE message was deleted. Please select another one.',
    },
    lineGoneLabel: { ja: '（削除されたLINEメッセージ）', en: '(deleted LINE message)' },
    createLine: { ja: 'LINEメッセージを作成', en: 'Create LINE message' },
    openLine: { ja: 'LINEメッセージを開く', en: 'Open LINE message' },
    newTab: { ja: '（新しいタブ）', en: ' (new tab)' },
    includeAll: {
      ja: 'マーケティング許可のない顧客にも配信する',
      en: 'Also send to customers without marketing permission',
    },
    includeAllText: {
      ja: '取引に関する重要なお知らせなど、許可が不要な内容の場合にのみ使用してください。',
      en: 'Use only for content that does not require permission, such as important order notices.',
    },
    includeAllAsk: { ja: '許可のない顧客にも配信しますか？', en: 'Also send to customers without permission?' },
    includeAllBody: {
      ja: '広告メールを同意なく送ることは、特定電子メール法で禁止されています。不達や迷惑メール報告により配信除外リストに入っている顧客には、この設定でも配信されません。',
      en: 'Sending advertising without consent is against the law in many countries. Suppressed customers (bounces, spam complaints) never receive anything, even with this setting.',
    },
    includeAllConfirm: { ja: '許可のない顧客にも配信する', en: 'Include them' },
    includeAllOn: {
      ja: 'マーケティング許可のない顧客にも配信されます。',
      en: 'Also sent to customers without marketing permission.',
    },
    priority: { ja: '配信頻度の上限', en: 'Frequency cap' },
    priorityNormal: { ja: '上限に従う', en: 'Apply the cap' },
    priorityNormalText: {
      ja: '1人の顧客に短期間に多く届きすぎる場合、このシナリオのメッセージは配信対象外になります。',
      en: 'Messages over the cap are skipped.',
    },
    priorityAlways: { ja: '常に配信する', en: 'Always send' },
    priorityAlwaysText: {
      ja: '上限に関係なく配信し、回数にも数えません。注文や手続きに関わるお知らせ向けです。',
      en: 'Ignores the cap and does not count toward it. For order and service messages.',
    },
    holdout: { ja: '比較用グループの割合', en: 'Hold-out group' },
    holdoutText: {
      ja: '対象になった顧客の一部にあえて配信せず、配信した場合との売上の差を確かめます。0にすると全員に配信します。',
      en: 'A share of the customers who enter receives nothing, so that you can see what the scenario brings. 0 sends to everyone.',
    },
    holdoutSuffix: { ja: '％', en: '%' },
    description: { ja: 'このシナリオの動き', en: 'What this scenario does' },
    descriptionWaits: { ja: '入力を直すと、ここに表示されます。', en: 'Complete the fields to see this.' },
    problems: { ja: '有効にする前に必要なこと', en: 'Required before enabling' },
    noProblems: { ja: '設定はそろっています。', en: 'Everything is set.' },
    flowMode: {
      ja: 'このシナリオはフローエディターで編集します。ここでは名前と詳細設定を変更できます。',
      en: 'This scenario is edited in the flow editor. You can change its name and more settings here.',
    },
    switch: { ja: 'フローエディターに切り替える', en: 'Switch to the flow editor' },
    switchHelp: {
      ja: '待機や分岐を細かく組み立てたいときに使います。保存すると、この画面の設定には戻せません。',
      en: 'Build custom waits and branches. Once saved, you cannot go back to this form.',
    },
  },
  names: {
    emailGone: { ja: '削除されたメール', en: 'a deleted email' },
    lineMessageGone: { ja: '削除されたLINEメッセージ', en: 'a deleted LINE message' },
    segmentGone: { ja: '削除されたセグメント', en: 'a deleted segment' },
  },
  problemAt: { ja: '{{where}}：{{problem}}', en: '{{where}}: {{problem}}' },
  segmentMissing: { ja: 'セグメントが選ばれていません。', en: 'Select a segment.' },
  mend: { ja: '修正', en: 'Fix' },
  mendSettings: { ja: '設定を開く', en: 'Open settings' },
} satisfies WordTree
