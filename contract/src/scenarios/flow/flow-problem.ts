import { z } from 'zod'
import type { FieldReason } from '../../errors.ts'
import type { Localized } from '../../locale.ts'

/** What can be wrong with a flow. The page marks the node and shows the text; enabling is refused with `reason`. */
export const flowProblems = {
  // About the whole flow.
  no_nodes: { reason: 'required', text: { ja: 'ステップがまだありません。', en: 'There are no steps yet.' } },
  no_start: {
    reason: 'required',
    text: { ja: '開始から最初のステップにつながっていません。', en: 'The start is not connected to a step.' },
  },
  trigger_incomplete: {
    reason: 'required',
    text: { ja: 'きっかけの設定が足りません。', en: 'The trigger settings are incomplete.' },
  },
  condition_invalid: {
    reason: 'invalid',
    text: { ja: '条件が未設定か、正しくありません。', en: 'The condition is missing or not valid.' },
  },
  duplicate_node: {
    reason: 'invalid',
    text: { ja: '同じIDのステップが2つあります。', en: 'Two steps have the same ID.' },
  },
  cycle_without_wait: {
    reason: 'circular',
    text: {
      ja: '待ち時間のない繰り返しになっています。途中に「待つ」を入れてください。',
      en: 'This is a loop without a wait. Add a “Wait” step.',
    },
  },
  // About one node.
  unknown_target: {
    reason: 'not_found',
    text: { ja: '存在しないステップにつながっています。', en: 'Connected to a step that does not exist.' },
  },
  unreachable: {
    reason: 'invalid',
    text: { ja: '開始からこのステップにたどり着けません。', en: 'This step cannot be reached from the start.' },
  },
  email_missing: { reason: 'required', text: { ja: 'メールが選ばれていません。', en: 'No email is selected.' } },
  email_gone: {
    reason: 'not_found',
    text: { ja: '選んだメールは削除されています。', en: 'The selected email was deleted.' },
  },
  email_unfit: {
    reason: 'invalid',
    text: {
      ja: '選んだメールは、このままでは配信できません。メールの確認事項をご覧ください。',
      en: 'The selected email cannot be sent yet. See its pre-send checks.',
    },
  },
  sender_unconfirmed: {
    reason: 'address_unconfirmed',
    text: {
      ja: '差出人のアドレスが確認されていません。そのアドレスに届く確認リンクを開いてください。',
      en: 'The sender address is not confirmed. Open the confirmation link sent to it.',
    },
  },
  email_lacks_event: {
    reason: 'not_allowed',
    text: {
      ja: '選んだメールには、このきっかけでは入らない差し込みタグ（注文番号など）があり、その部分が空欄になります。',
      en: 'The selected email has tags, such as the order number, that this trigger does not fill. They would stay empty.',
    },
  },
  email_lacks_coupon: {
    reason: 'required',
    text: {
      ja: '選んだメールにはクーポンの差し込みがありますが、クーポンを発行せずにここへ来る経路があります。',
      en: 'The selected email includes a coupon, but a path to this step does not issue one.',
    },
  },
  line_message_missing: {
    reason: 'required',
    text: { ja: 'LINEメッセージが選ばれていません。', en: 'No LINE message is selected.' },
  },
  line_message_gone: {
    reason: 'not_found',
    text: { ja: '選んだLINEメッセージは削除されています。', en: 'The selected LINE message was deleted.' },
  },
  line_message_unfit: {
    reason: 'not_allowed',
    text: {
      ja: '選んだLINEメッセージに、テンプレートの画像またはリンク（example.com）が残っています。自分のストアのものに変更してください。',
      en: 'The selected LINE message still has pictures or links of its template (example.com). Replace them with your own.',
    },
  },
  line_message_lacks_event: {
    reason: 'not_allowed',
    text: {
      ja: '選んだLINEメッセージには、このきっかけでは入らない差し込みタグ（注文番号など）があり、その部分が空欄になります。',
      en: 'The selected LINE message has tags, such as the order number, that this trigger does not fill. They would stay empty.',
    },
  },
  line_message_lacks_coupon: {
    reason: 'required',
    text: {
      ja: '選んだLINEメッセージにはクーポンの差し込みがありますが、クーポンを発行せずにここへ来る経路があります。',
      en: 'The selected LINE message includes a coupon, but a path to this step does not issue one.',
    },
  },
  line_not_connected: {
    reason: 'not_allowed',
    text: {
      ja: 'LINE公式アカウントが接続されていません。設定のLINEで接続してください。',
      en: 'No LINE official account is connected. Connect it in settings, under LINE.',
    },
  },
  reaction_to_nothing: {
    reason: 'required',
    text: {
      ja: '反応を確認する配信のステップが選ばれていないか、フローにありません。',
      en: 'No sending step is selected, or it is no longer in the flow.',
    },
  },
  reaction_unknown: {
    reason: 'not_allowed',
    text: {
      ja: 'LINEメッセージの開封は、誰が開封したか分かりません。クリックを選んでください。',
      en: 'LINE does not say who opened a message. Choose clicks instead.',
    },
  },
  duration_out_of_range: {
    reason: 'invalid',
    text: {
      ja: '待つ時間は1分から365日の間で設定してください。',
      en: 'The interval must be between 1 minute and 365 days.',
    },
  },
  shares_not_hundred: {
    reason: 'invalid',
    text: { ja: '割合の合計が100%になっていません。', en: 'The shares do not add up to 100%.' },
  },
  coupon_incomplete: {
    reason: 'required',
    text: { ja: 'クーポンの設定が足りません。', en: 'The coupon settings are incomplete.' },
  },
  coupon_not_granted: {
    reason: 'not_allowed',
    text: {
      ja: 'ストアでクーポンを作る権限がありません。設定からストアを接続し直してください。',
      en: 'Okaeri does not have permission to create discounts in your store. Reconnect the store in settings.',
    },
  },
  no_tags: { reason: 'required', text: { ja: 'タグが入力されていません。', en: 'No tags are entered.' } },
  note_empty: { reason: 'required', text: { ja: 'メモが入力されていません。', en: 'The note is empty.' } },
  url_invalid: { reason: 'not_a_url', text: { ja: 'URLが正しくありません。', en: 'The URL is not valid.' } },
  segment_gone: {
    reason: 'not_found',
    text: { ja: '選んだセグメントは削除されています。', en: 'The selected segment was deleted.' },
  },
  metafield_gone: {
    reason: 'not_found',
    text: { ja: '選んだメタフィールドは削除されています。', en: 'The selected metafield was deleted.' },
  },
  plan_forbids: {
    reason: 'not_allowed',
    text: {
      ja: '現在のプランにはフローエディターが含まれないため、このフローを新しく有効にすることはできません。',
      en: 'Your current plan does not include the flow editor, so this flow cannot be enabled.',
    },
  },
  // About the merchant. Until it is mended mails wait and nothing fails.
  account_unconfirmed: {
    reason: 'address_unconfirmed',
    text: {
      ja: 'アカウントのメールアドレスが確認されていません。届いている確認メールのリンクを開いてください。',
      en: 'Your account email is not confirmed. Open the confirmation link we sent you.',
    },
  },
} as const satisfies Record<string, { reason: FieldReason; text: Localized }>

export const FlowProblem = z
  .object({
    node_id: z.string().nullable(),
    problem: z.enum(Object.keys(flowProblems) as [keyof typeof flowProblems, ...(keyof typeof flowProblems)[]]),
    field: z.string().nullable(),
    /** Of `sender_unconfirmed`: the address to confirm. */
    sender: z.string().optional(),
  })
  .meta({ id: 'FlowProblem' })
export type FlowProblem = z.output<typeof FlowProblem>
