import type { Locale } from '../locale.ts'
import type { EventKind } from './event.ts'
import type { EndsOn, FlowNode, FlowProblem, NodeKindName } from './flow.ts'
import type { TriggerKind } from './trigger.ts'

/** A name and one line that says what it does, in both languages. */
export interface KindWords {
  name_ja: string
  name_en: string
  description_ja: string
  description_en: string
}

/** Every kind of node, in the order a palette shows them. */
export const nodeKindWords: Record<NodeKindName, KindWords> = {
  send_email: {
    name_ja: 'メールを配信する',
    name_en: 'Send email',
    description_ja: '選んだメールを顧客に配信します。',
    description_en: 'Sends the chosen email to the customer.',
  },
  send_line: {
    name_ja: 'LINEを配信する',
    name_en: 'Send LINE',
    description_ja: '選んだLINEメッセージを顧客に配信します。',
    description_en: 'Sends the chosen LINE message to the customer.',
  },
  wait: {
    name_ja: '待つ',
    name_en: 'Wait',
    description_ja: '一定の期間、または指定した時刻や曜日まで待ちます。',
    description_en: 'Waits for some time, or until a time of day or a weekday.',
  },
  wait_for_event: {
    name_ja: 'イベントを待つ',
    name_en: 'Wait for an event',
    description_ja: '購入などのイベントを期限まで待ち、起きたかどうかで分かれます。',
    description_en: 'Waits for an event such as an order, then splits by whether it happened in time.',
  },
  branch: {
    name_ja: '条件で分ける',
    name_en: 'Branch',
    description_ja: '顧客が条件に当てはまるかどうかで分かれます。',
    description_en: 'Splits by whether the customer meets a condition.',
  },
  random_split: {
    name_ja: 'ランダムに分ける',
    name_en: 'Random split',
    description_ja: '決めた割合で顧客を振り分けます（A/Bテスト）。',
    description_en: 'Splits customers by percentage (A/B test).',
  },
  issue_coupon: {
    name_ja: 'クーポンを発行する',
    name_en: 'Issue coupon',
    description_ja: '顧客ごとのクーポンコードを発行します。',
    description_en: 'Issues a unique discount code for each customer.',
  },
  tag_customer: {
    name_ja: 'タグを追加・削除する',
    name_en: 'Tag customer',
    description_ja: '顧客のタグを追加・削除します。',
    description_en: 'Adds or removes customer tags.',
  },
  add_note: {
    name_ja: 'メモを残す',
    name_en: 'Add note',
    description_ja: '顧客のメモに書き加えます。',
    description_en: 'Adds a line to the customer’s note.',
  },
  call_webhook: {
    name_ja: 'Webhookを呼び出す',
    name_en: 'Call webhook',
    description_ja: '外部のシステムに、署名付きのリクエストを送ります。',
    description_en: 'Sends a signed request to another system.',
  },
  end: {
    name_ja: '終了',
    name_en: 'End',
    description_ja: 'シナリオをここで終わります。',
    description_en: 'The scenario ends here.',
  },
}
export const nodeKinds = Object.keys(nodeKindWords) as NodeKindName[]

export const triggerKindWords: Record<TriggerKind, KindWords> = {
  customer_created: {
    name_ja: '顧客登録',
    name_en: 'Customer created',
    description_ja: '新しい顧客が登録されたとき',
    description_en: 'When a new customer is created',
  },
  order_created: {
    name_ja: '注文',
    name_en: 'Order created',
    description_ja: '注文が入ったとき',
    description_en: 'When an order comes in',
  },
  order_paid: {
    name_ja: '注文の支払い',
    name_en: 'Order paid',
    description_ja: '注文の支払いが済んだとき',
    description_en: 'When an order is paid',
  },
  order_fulfilled: {
    name_ja: '注文の発送',
    name_en: 'Order fulfilled',
    description_ja: '注文の商品が発送されたとき',
    description_en: 'When an order is fulfilled',
  },
  order_cancelled: {
    name_ja: '注文のキャンセル',
    name_en: 'Order cancelled',
    description_ja: '注文がキャンセルされたとき',
    description_en: 'When an order is cancelled',
  },
  cart_abandoned: {
    name_ja: 'カート離脱',
    name_en: 'Cart abandoned',
    description_ja: 'カートに商品を入れたまま、購入がないとき',
    description_en: 'When a cart is left without an order',
  },
  checkout_abandoned: {
    name_ja: 'チェックアウト離脱',
    name_en: 'Checkout abandoned',
    description_ja: 'チェックアウトを始めたまま、購入がないとき',
    description_en: 'When a checkout is started but not completed',
  },
  birthday: {
    name_ja: '誕生日',
    name_en: 'Birthday',
    description_ja: '顧客の誕生日、またはその何日か前',
    description_en: 'On the customer’s birthday, or some days before it',
  },
  days_without_order: {
    name_ja: '購入のない期間',
    name_en: 'Days without an order',
    description_ja: '最後の注文から一定の日数、注文がないとき',
    description_en: 'When a number of days have passed since the last order',
  },
  metafield_date: {
    name_ja: 'メタフィールドの日付',
    name_en: 'Date in a metafield',
    description_ja: '顧客のメタフィールドの日付、またはその前後',
    description_en: 'On a date in a metafield of the customer, or before or after it',
  },
  consent_given: {
    name_ja: '配信許可',
    name_en: 'Consent given',
    description_ja: '顧客がメールの受け取りに同意したとき',
    description_en: 'When a customer subscribes to emails',
  },
  segment_entered: {
    name_ja: 'セグメントに入る',
    name_en: 'Segment entered',
    description_ja: '顧客がセグメントに入ったとき',
    description_en: 'When a customer enters a segment',
  },
  segment_left: {
    name_ja: 'セグメントから外れる',
    name_en: 'Segment left',
    description_ja: '顧客がセグメントから外れたとき',
    description_en: 'When a customer leaves a segment',
  },
  favorite_added: {
    name_ja: 'お気に入り登録',
    name_en: 'Favorite added',
    description_ja: '商品がお気に入りに登録されたとき',
    description_en: 'When a product is added to favorites',
  },
  favorite_price_dropped: {
    name_ja: 'お気に入りの値下げ',
    name_en: 'Favorite price dropped',
    description_ja: 'お気に入りの商品が値下げされたとき',
    description_en: 'When the price of a favorite drops',
  },
  favorite_back_in_stock: {
    name_ja: 'お気に入りの再入荷',
    name_en: 'Favorite back in stock',
    description_ja: 'お気に入りの商品が再入荷したとき',
    description_en: 'When a favorite is back in stock',
  },
  product_restocked: {
    name_ja: '再入荷通知',
    name_en: 'Product restocked',
    description_ja: '再入荷通知を申し込んだ商品が入荷したとき',
    description_en: 'When a product with restock requests is back in stock',
  },
  flow_action: {
    name_ja: 'ストアのフロー',
    name_en: 'Store’s flow tool',
    description_ja: 'ストアのフロー機能（Shopify Flowなど）から呼び出されたとき',
    description_en: 'When the store’s flow tool (such as Shopify Flow) calls it',
  },
  manual: {
    name_ja: '手動',
    name_en: 'Manual',
    description_ja: '担当者がセグメントの顧客に対して開始したとき',
    description_en: 'When a member starts it for everyone in a segment',
  },
}
export const triggerKinds = Object.keys(triggerKindWords) as TriggerKind[]

/** What happens, as a thing one can wait for and read in a history. */
export const eventKindWords: Record<EventKind, { ja: string; en: string }> = {
  customer_created: { ja: '顧客の登録', en: 'customer created' },
  order_created: { ja: '注文', en: 'order created' },
  order_paid: { ja: '注文の支払い', en: 'order paid' },
  order_fulfilled: { ja: '注文の発送', en: 'order fulfilled' },
  order_cancelled: { ja: '注文のキャンセル', en: 'order cancelled' },
  consent_given: { ja: 'メール配信の許可', en: 'consent given' },
  segment_entered: { ja: 'セグメントへの追加', en: 'segment entered' },
  segment_left: { ja: 'セグメントからの除外', en: 'segment left' },
  favorite_added: { ja: 'お気に入りの登録', en: 'favorite added' },
  favorite_price_dropped: { ja: 'お気に入りの値下げ', en: 'favorite price dropped' },
  favorite_back_in_stock: { ja: 'お気に入りの再入荷', en: 'favorite back in stock' },
  product_restocked: { ja: '申し込んだ商品の再入荷', en: 'product restocked' },
  coupon_used: { ja: 'クーポンの利用', en: 'coupon used' },
  flow_action: { ja: 'ストアのフローからの呼び出し', en: 'call from the store’s flow tool' },
  cart_abandoned: { ja: 'カート離脱', en: 'cart abandoned' },
  checkout_abandoned: { ja: 'チェックアウト離脱', en: 'checkout abandoned' },
  birthday: { ja: '誕生日', en: 'birthday' },
  metafield_date: { ja: 'メタフィールドの日付', en: 'date in a metafield' },
  days_without_order: { ja: '購入のない期間', en: 'days without an order' },
  manual: { ja: '手動での開始', en: 'manual start' },
}

export const endsOnWords: Record<EndsOn, { ja: string; en: string }> = {
  bought: { ja: '購入したとき', en: 'they buy something' },
  checkout_left: {
    ja: '購入手続きに進んで離れ、チェックアウト離脱のシナリオが始まるとき',
    en: 'they leave during the checkout and a checkout scenario starts',
  },
  order_cancelled: { ja: 'きっかけの注文がキャンセルされたとき', en: 'the order that started it is cancelled' },
  coupon_used: { ja: '発行したクーポンが使われたとき', en: 'the coupon it issued is used' },
  unsubscribed: { ja: 'メールの配信を停止したとき', en: 'they unsubscribe' },
}

/** What is wrong, and what to do about it. */
export const flowProblemWords: Record<FlowProblem['problem'], { ja: string; en: string }> = {
  no_nodes: { ja: 'ステップがまだありません。', en: 'There are no steps yet.' },
  no_start: { ja: '開始から最初のステップにつながっていません。', en: 'The start is not connected to a step.' },
  trigger_incomplete: { ja: '開始のきっかけの設定が足りません。', en: 'The trigger settings are incomplete.' },
  condition_invalid: { ja: '条件が未設定か、正しくありません。', en: 'The condition is missing or not valid.' },
  duplicate_node: { ja: '同じIDのステップが2つあります。', en: 'Two steps have the same id.' },
  cycle_without_wait: {
    ja: '待ち時間のない繰り返しになっています。途中に「待つ」を入れてください。',
    en: 'This is a loop without a wait. Add a “Wait” step.',
  },
  unknown_target: { ja: '存在しないステップにつながっています。', en: 'Connected to a step that does not exist.' },
  unreachable: { ja: '開始からこのステップにたどり着けません。', en: 'This step cannot be reached from the start.' },
  email_missing: { ja: 'メールが選ばれていません。', en: 'No email is selected.' },
  email_gone: { ja: '選んだメールは削除されています。', en: 'The selected email was deleted.' },
  email_unfit: {
    ja: '選んだメールは、このままでは配信できません。メールの確認事項をご覧ください。',
    en: 'The selected email cannot be sent yet. See its pre-send checks.',
  },
  sender_unconfirmed: {
    ja: '差出人のアドレスが確認されていません。そのアドレスに届く確認リンクを開いてください。',
    en: 'The sender address is not confirmed. Open the confirmation link sent to it.',
  },
  account_unconfirmed: {
    ja: 'アカウントのメールアドレスが確認されていません。届いている確認メールのリンクを開いてください。',
    en: 'Your account email is not confirmed. Open the confirmation link we sent you.',
  },
  email_lacks_event: {
    ja: '選んだメールには、このきっかけでは入らない差し込みタグ（注文番号など）があり、その部分が空欄になります。',
    en: 'The selected email has tags, such as the order number, that this trigger does not fill. They would stay empty.',
  },
  email_lacks_coupon: {
    ja: '選んだメールにはクーポンの差し込みがありますが、クーポンを発行せずにここへ来る経路があります。',
    en: 'The selected email includes a coupon, but a path to this step does not issue one.',
  },
  line_not_connected: { ja: 'LINEが連携されていません。', en: 'LINE is not connected.' },
  duration_out_of_range: {
    ja: '待つ時間は1分から365日の間で設定してください。',
    en: 'The interval must be between 1 minute and 365 days.',
  },
  shares_not_hundred: { ja: '割合の合計が100%になっていません。', en: 'The shares do not add up to 100%.' },
  coupon_incomplete: { ja: 'クーポンの設定が足りません。', en: 'The coupon settings are incomplete.' },
  coupon_not_granted: {
    ja: 'ストアでクーポンを作る権限がありません。設定からストアを接続し直してください。',
    en: 'Okaeri does not have permission to create discounts in your store. Reconnect the store in settings.',
  },
  no_tags: { ja: 'タグが入力されていません。', en: 'No tags are entered.' },
  note_empty: { ja: 'メモが入力されていません。', en: 'The note is empty.' },
  url_invalid: { ja: 'URLが正しくありません。', en: 'The URL is not valid.' },
  segment_gone: { ja: '選んだセグメントは削除されています。', en: 'The selected segment was deleted.' },
  metafield_gone: { ja: '選んだメタフィールドは削除されています。', en: 'The selected metafield was deleted.' },
  plan_forbids: {
    ja: '現在のプランにはフローエディターが含まれないため、このフローを新しく有効にすることはできません。',
    en: 'Your current plan does not include the flow editor, so this flow cannot be enabled.',
  },
}

/** What a way out of a node is called beside it: `yes`, `happened`, `a`, …; empty for an only way. */
export function portName(node: FlowNode, port: string, language: Locale): string {
  const ja = language === 'ja'
  if (port === 'yes') return ja ? 'はい' : 'Yes'
  if (port === 'no') return ja ? 'いいえ' : 'No'
  if (port === 'happened') return ja ? '起きた' : 'Happened'
  if (port === 'timed_out') return ja ? '時間切れ' : 'Timed out'
  if (node.kind !== 'random_split') return ''
  const share = node.settings.shares[port.charCodeAt(0) - 'a'.charCodeAt(0)]
  return share === undefined ? port.toUpperCase() : `${port.toUpperCase()} ${share}%`
}
