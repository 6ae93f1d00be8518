import type { CampaignChannels, CampaignStatus, WaitReason } from '@okaeri/contract/campaigns/campaign'
import type { CampaignReview } from '@okaeri/contract/campaigns/review'
import { channelNames } from '@okaeri/contract/deliveries/delivery'
import type { Localized } from '@okaeri/contract/locale'
import type { WordTree } from '../../app/word-tree.ts'
import { abTestWords } from './ab-test/ab-test-words.ts'
import { couponWords } from './coupon-words.ts'

/** A status, a thing waited for or a reason to be left out without words does not compile. */
type Statuses = Record<CampaignStatus, Localized>
type Waits = Record<WaitReason, Localized>
type LeftOut = Record<keyof CampaignReview['left_out'], Localized>
type Missing = Record<CampaignReview['missing'][number], Localized>

export const words = {
  title: { ja: 'キャンペーン', en: 'Campaigns' },
  description: {
    ja: 'メールやLINEメッセージを、選んだ顧客に、今すぐまたは日時を指定して配信します。',
    en: 'Send an email or LINE message to the customers you choose, now or at a scheduled time.',
  },
  add: { ja: 'キャンペーンを作成', en: 'Create campaign' },
  search: { ja: 'キャンペーン名で検索', en: 'Search by name' },
  back: { ja: 'キャンペーン一覧', en: 'Campaigns' },
  backToCampaign: { ja: 'キャンペーン詳細', en: 'Campaign details' },
  name: { ja: 'キャンペーン名', en: 'Campaign name' },
  statusLabel: { ja: 'ステータス', en: 'Status' },
  segment: { ja: '配信対象', en: 'Audience' },
  email: { ja: 'メール', en: 'Email' },
  lineMessage: { ja: 'LINEメッセージ', en: 'LINE message' },
  channels: {
    ...channelNames,
    line_else_email: { ja: 'LINE優先（届かない顧客にはメール）', en: 'LINE, otherwise email' },
    both: { ja: 'LINEとメールの両方', en: 'LINE and email' },
  } satisfies Record<CampaignChannels, Localized>,
  recipients: { ja: '対象人数', en: 'Recipients' },
  openRate: { ja: '開封率', en: 'Open rate' },
  clickRate: { ja: 'クリック率', en: 'Click rate' },
  sales: { ja: '売上', en: 'Revenue' },
  when: { ja: '配信日時', en: 'Schedule' },
  createdAt: { ja: '作成日時', en: 'Created at' },
  updatedAt: { ja: '更新日時', en: 'Updated at' },
  allCustomers: { ja: 'すべての顧客', en: 'All customers' },
  notChosen: { ja: '未設定', en: 'Not set' },
  immediately: { ja: '確定後すぐ', en: 'Immediately' },
  sendsSoonBadge: { ja: 'まもなく配信', en: 'Sending shortly' },
  sendDialog: {
    titleNow: { ja: 'この内容で配信しますか？', en: 'Send this campaign?' },
    titleLater: { ja: 'この内容で予約しますか？', en: 'Schedule this campaign?' },
    people: { ja: '配信人数', en: 'Recipients' },
    test: {
      ja: 'テスト用の宛先（{{recipients}}）に最大{{cap}}通',
      en: 'Up to {{cap}} messages to the test recipients ({{recipients}})',
    },
    finding: { ja: '{{title}}：{{detail}}', en: '{{title}}: {{detail}}' },
    subject: { ja: '件名', en: 'Subject' },
    sender: { ja: '差出人', en: 'From' },
    now: { ja: '今すぐ', en: 'Now' },
    unresolved: { ja: '次の点を確認しました', en: 'I have checked the following' },
    undo: {
      ja: '確定した後も、{{seconds}}秒間は取り消せます。',
      en: 'You can undo for {{seconds}} seconds after you confirm.',
    },
    back: { ja: '戻る', en: 'Go back' },
    confirmNow: { ja: '配信する', en: 'Send' },
    confirmLater: { ja: '予約する', en: 'Schedule' },
  },
  undo: {
    sendsSoon: { ja: 'あと{{n}}秒で配信を始めます', en: 'Sending starts in {{n}} seconds' },
    sendsSoonText: { ja: '今なら取り消して、下書きに戻せます。', en: 'Undo to return it to draft.' },
    scheduled: { ja: '予約しました（あと{{n}}秒は取り消せます）', en: 'Scheduled (undo for {{n}} seconds)' },
    scheduledText: { ja: '取り消すと、下書きに戻ります。', en: 'Undo to return it to draft.' },
    do: { ja: '取り消す', en: 'Undo' },
    done: { ja: '取り消しました。下書きに戻りました。', en: 'Undone. The campaign is a draft again.' },
  },
  testBadge: { ja: 'テスト', en: 'Test' },
  readOnly: {
    ja: '閲覧のみの権限のため、変更できません。',
    en: 'You have view-only access, so you cannot change this.',
  },
  empty: {
    title: { ja: 'キャンペーンはまだありません', en: 'No campaigns yet' },
    text: {
      ja: 'メールやLINEメッセージを作成し、配信対象と日時を選ぶとキャンペーンになります。配信前に、人数と内容を必ず確認できます。',
      en: 'Choose an email or LINE message, an audience and a schedule. You review the recipients and content before anything is sent.',
    },
  },
  status: {
    draft: { ja: '下書き', en: 'Draft' },
    collecting: { ja: '対象を取得中', en: 'Collecting recipients' },
    reserving: { ja: '予約処理中', en: 'Scheduling' },
    reserved: { ja: '予約済み', en: 'Scheduled' },
    waiting: { ja: '待機中', en: 'Waiting' },
    sending: { ja: '配信中', en: 'Sending' },
    sent: { ja: '配信済み', en: 'Sent' },
    send_failure: { ja: '配信エラー', en: 'Failed' },
    resolved: { ja: '完了', en: 'Done' },
    cancelled: { ja: 'キャンセル済み', en: 'Cancelled' },
    deleted: { ja: '削除済み', en: 'Deleted' },
  } satisfies Statuses,
  stoppedBadge: { ja: '途中で停止', en: 'Stopped' },
  warmUp: {
    title: {
      ja: 'ウォームアップ中のため、配信に{{n}}日かかります',
      en: 'Because of the warm-up this takes {{n}} days',
    },
    text: {
      ja: '{{domain}} から送れるメールは、今日はあと{{today}}通です。残りは翌日以降の朝に自動で送られます。日付のある内容は、届く頃に古くなっていないかご確認ください。',
      en: '{{today}} more emails can be sent from {{domain}} today. The rest is sent automatically on the mornings after. Check that nothing in it will be out of date by then.',
    },
    open: { ja: 'ウォームアップの予定を見る', en: 'See the warm-up plan' },
  },
  canary: {
    title: { ja: '先に一部の顧客に配信', en: 'Sent to a few first' },
    text: {
      ja: 'まず約{{n}}人に配信し、{{minutes}}分のあいだ結果を確認します。宛先不明や迷惑メールの報告などが多ければ、残りの配信を止めてお知らせします。問題がなければ、残りに自動で配信します。',
      en: 'It goes to about {{n}} people first. For {{minutes}} minutes we watch what comes back. If too many addresses do not exist or too many complain, the rest is held back and we email you; if not, it is sent automatically.',
    },
    skip: { ja: '今回は全員に一度に配信する', en: 'Send to everyone at once this time' },
    continue: { ja: '残りに配信', en: 'Send the rest' },
    continueAsk: { ja: '残りの{{people}}に配信しますか？', en: 'Send to the remaining {{people}}?' },
    continueBody: {
      ja: 'ここまでの結果にかかわらず、すぐに配信を始めます。この先は自動で止まりません。',
      en: 'Sending starts at once, whatever came of it so far. It is not held back again.',
    },
    continued: { ja: '残りの配信を始めました', en: 'Sending the rest' },
    brakedTitle: { ja: '配信中に問題が見つかりました', en: 'Something goes wrong with this campaign' },
    brakedResult: { ja: '配信した直近の{{n}}件のうち', en: 'Of the last {{n}} sent' },
    stoppedTitle: { ja: '先行配信で問題が見つかりました', en: 'Something went wrong with the first few' },
    result: { ja: '先行配信した{{n}}件のうち', en: 'Of the first {{n}}' },
    problem: {
      hard: {
        ja: '宛先不明：{{n}}件（目安は{{limit}}以下）',
        en: 'Address does not exist: {{n}} (up to {{limit}} is usual)',
      },
      blocked: {
        ja: '受信側による拒否：{{n}}件（目安は{{limit}}以下）',
        en: 'Refused by the receiver: {{n}} (up to {{limit}} is usual)',
      },
      complaints: {
        ja: '迷惑メールの報告：{{n}}件（目安は{{limit}}以下）',
        en: 'Complaints: {{n}} (up to {{limit}} is usual)',
      },
      failed: { ja: '配信エラー：{{n}}件（目安は{{limit}}以下）', en: 'Failed: {{n}} (up to {{limit}} is usual)' },
    },
  },
  ab: abTestWords,
  coupon: couponWords,
  wait: {
    ab_test: {
      ja: 'A/Bテスト中です。残りの{{people}}には、決まったほうを配信します。',
      en: 'The A/B test is running. The remaining {{people}} get the one that is chosen.',
    },
    ab_undecided: {
      ja: '残りの{{people}}にAとBのどちらを配信するか、選ぶのを待っています。',
      en: 'Waiting for you to choose whether the remaining {{people}} get A or B.',
    },
    test_mode: {
      ja: 'テストモードがオンのため、{{people}}への配信を待っています。設定でテストモードを解除すると、自動で配信します。',
      en: 'Test mode is on, so nothing is sent to {{people}}. Sending starts automatically once you leave test mode in the settings.',
    },
    sending_hours: { ja: '配信できる時間帯になるのを待っています。', en: 'Waiting for sending hours.' },
    coupons: {
      ja: 'クーポンのコードをストアで作成しています。全員分ができると、{{people}}への配信が自動で始まります。',
      en: 'The store is creating the coupon codes. Once all are there, it is sent automatically to {{people}}.',
    },
    coupons_failed: {
      ja: 'クーポンのコードをストアで作成できなかったか、ストアで使えなくなっているため、{{people}}への配信を止めています。原因を確認して、もう一度作成するか、配信を取りやめてください。',
      en: 'The store did not create all coupon codes, or no longer takes them, so nothing is sent to {{people}}. Check the cause, then try again or cancel.',
    },
    coupons_ended: {
      ja: 'クーポンの有効期限が過ぎたため、{{people}}への配信を止めています。配信するには、停止して複製してください。',
      en: 'The coupon codes have expired, so nothing is sent to {{people}}. To send it, stop it and duplicate the campaign.',
    },
    store_under_review: { ja: 'ストアの審査が終わるのを待っています。', en: 'Waiting for the store review to finish.' },
    mailer_paused: {
      ja: 'メール配信サービスの送信数の上限や一時的な不調のため、配信を休止しています。自動で再開し、残りの顧客に配信します。',
      en: 'The email service has reached its sending limit or cannot be reached. Sending resumes automatically with the remaining customers.',
    },
    segment_calculating: {
      ja: 'セグメントの集計が終わるのを待っています。',
      en: 'Waiting for the segment to be calculated.',
    },
    canary: {
      ja: '一部の顧客への先行配信が終わり、結果を確認しています。問題がなければ、残りの{{people}}に自動で配信します。',
      en: 'Sent to a few customers first. If nothing goes wrong, it is sent automatically to the remaining {{people}}.',
    },
    canary_stopped: {
      ja: '先行配信で問題が見つかったため、残りの{{people}}への配信を止めています。原因を確認して、このまま配信するか、停止するかを選んでください。',
      en: 'Something went wrong with the first few, so the remaining {{people}} are held back. Check the cause, then send to them or stop.',
    },
    braked: {
      ja: '不達や迷惑メールの報告などが多いため、残りの{{people}}への配信を自動で止めました。原因を確認して、このまま配信するか、停止するかを選んでください。',
      en: 'Too many emails bounce, are refused or reported as spam, so the remaining {{people}} are held back. Check the cause, then send to them or stop.',
    },
    found_late: {
      ja: 'システムの停止などで、予定の日時に配信できませんでした。{{people}}に今すぐ配信してよいか確認してください。',
      en: 'It could not be sent on time, for example because of an outage. Decide whether to send it now to {{people}}, or cancel it.',
    },
    sending_held: {
      ja: '現在、すべてのメール配信を停止しています。運用担当者が確認して解除すると、自動で始まります。配信対象も内容もそのまま残っています。',
      en: 'All sending is on hold. This campaign starts automatically when the operator releases it. Its recipients and content stay the same.',
    },
    account_unconfirmed: {
      ja: 'アカウントのメールアドレスが確認されていないため、配信を待っています。確認が済むと、自動で始まります。',
      en: 'Your account’s email address is not confirmed. Sending starts automatically once it is.',
    },
    sender_unconfirmed: {
      ja: '差出人のアドレス {{sender}} が確認されていないため、配信を待っています。確認リンクを送り、そのアドレスに届いたメールのリンクを開くと、自動で始まります。別の差出人で配信するには、キャンセルして複製してください。',
      en: 'The sender address {{sender}} is not confirmed. Send a confirmation link and open it from that inbox; sending then starts automatically. To use another address, cancel and duplicate this campaign.',
    },
    line_not_connected: {
      ja: 'LINEチャネルが接続されていないため、配信を待っています。設定で接続すると、自動で始まります。',
      en: 'No LINE channel is connected. Sending starts automatically once you connect it in the settings.',
    },
    line_paused: {
      ja: 'LINEが一時的に配信を受け付けないため、休止しています。自動で再開し、残りの顧客に配信します。',
      en: 'LINE is not accepting messages at the moment. Sending resumes automatically with the remaining customers.',
    },
    line_quota: {
      ja: '今月のLINEメッセージの上限に達したため、休止しています。月が変わると自動で再開します。LINEのプランを変更した場合は、設定の「LINE」で今すぐ再開できます。',
      en: 'The LINE messages of this month are used up. Sending resumes automatically next month. If you changed your LINE plan, resume it now in Settings → LINE.',
    },
  } satisfies Waits,
  openTestMode: { ja: 'テストモードの設定を開く', en: 'Open test mode settings' },
  openLineSettings: { ja: 'LINEの設定を開く', en: 'Open LINE settings' },
  lateTitle: { ja: '予定より遅れています', en: 'This campaign is late' },
  contentFailed: {
    title: {
      ja: '内容が原因で、{{n}}件の配信に失敗しました',
      en: {
        one: '{{n}} message failed because of its content',
        other: '{{n}} messages failed because of their content',
      },
    },
    text: {
      ja: '再配信しても同じように失敗します。失敗した理由は下の配信一覧で確認できます。内容を修正し、複製したキャンペーンで配信してください。',
      en: 'They would fail again. The list of deliveries below shows why. Correct the content, then send it with a duplicate of this campaign.',
    },
  },
  testAddresses: { ja: 'テスト用の宛先', en: 'the test addresses' },
  waitsUntil: { ja: '再開の見込み：{{time}}', en: 'Expected to resume at {{time}}' },
  do: {
    details: { ja: '詳細', en: 'Details' },
    edit: { ja: '編集', en: 'Edit' },
    review: {
      ja: '確認して配信',
      en: 'Review and send',
    },
    report: { ja: 'レポート', en: 'Report' },
    cancel: { ja: '予約をキャンセル', en: 'Cancel schedule' },
    cancelNow: { ja: '配信を取りやめる', en: 'Cancel sending' },
    stop: { ja: '配信を停止', en: 'Stop sending' },
    duplicate: { ja: '複製', en: 'Duplicate' },
    resync: { ja: '失敗分を再配信', en: 'Retry failed' },
    resyncCount: { ja: '失敗した{{n}}件を再配信', en: 'Retry {{n}} failed' },
    resolve: { ja: '完了にする', en: 'Mark as done' },
    sendLate: { ja: '今すぐ配信', en: 'Send now' },
    resend: {
      ja: '到達不明の{{n}}件に再配信',
      en: { one: 'Resend to {{n}} recipient', other: 'Resend to {{n}} recipients' },
    },
    delete: { ja: '削除', en: 'Delete' },
  },
  forbidden: {
    edit: {
      ja: '編集できるのは下書きだけです。複製すると、同じ設定の下書きを作れます。',
      en: 'Only a draft can be edited. Duplicate it to get a draft with the same settings.',
    },
    review: { ja: '配信できるのは下書きだけです。', en: 'Only a draft can be sent.' },
    cancel: {
      ja: 'キャンセルできるのは、配信が始まる前の予約だけです。',
      en: 'Only a campaign that has not started sending can be cancelled.',
    },
    cancelNow: { ja: '取りやめられるのは、配信が始まる前だけです。', en: 'Sending has already started.' },
    cancelSoon: {
      ja: '配信予定時刻の15分前を過ぎているため、予約をキャンセルできません。',
      en: 'A scheduled campaign cannot be cancelled within 15 minutes of its send time.',
    },
    stop: {
      ja: '停止できるのは、配信中または待機中のキャンペーンだけです。',
      en: 'Only a campaign that is sending or waiting can be stopped.',
    },
    resync: {
      ja: '再配信できるのは、配信が終わったキャンペーンだけです。',
      en: 'Only a campaign that has been sent can be retried.',
    },
    resyncNothing: { ja: '失敗した配信はありません。', en: 'Nothing failed.' },
    resyncContent: {
      ja: '内容が原因の失敗は、再配信しても同じように失敗します。内容を修正して、新しいキャンペーンで配信してください。',
      en: 'Messages that failed because of their content would fail again. Correct the content and send it with a new campaign.',
    },
    resolve: {
      ja: '完了にできるのは、配信エラーのキャンペーンだけです。',
      en: 'Only a campaign that failed can be marked as done.',
    },
    delete: {
      ja: '配信中または予約中のキャンペーンは削除できません。先にキャンセルしてください。',
      en: 'A scheduled or sending campaign cannot be deleted. Cancel it first.',
    },
    duplicate: { ja: '削除されたキャンペーンは複製できません。', en: 'A deleted campaign cannot be duplicated.' },
    report: {
      ja: 'レポートは配信が始まってから表示されます。',
      en: 'The report is available once sending has started.',
    },
  },
  ask: {
    cancelTitle: { ja: '「{{name}}」の予約をキャンセルしますか？', en: 'Cancel the schedule of “{{name}}”?' },
    cancelBody: {
      ja: 'このキャンペーンは誰にも配信されません。あらためて配信するには、複製して予約し直します。',
      en: 'This campaign will not be sent. To send it later, duplicate and schedule it again.',
    },
    keep: { ja: '予約を残す', en: 'Keep scheduled' },
    cancelNowTitle: { ja: '「{{name}}」の配信を取りやめますか？', en: 'Cancel sending “{{name}}”?' },
    cancelNowBody: {
      ja: 'このキャンペーンは誰にも配信されません。あらためて配信するには、複製してください。',
      en: 'This campaign will not be sent. To send it later, duplicate it.',
    },
    keepNow: { ja: '配信を続ける', en: 'Keep sending' },
    stopTitle: { ja: '「{{name}}」の配信を停止しますか？', en: 'Stop sending “{{name}}”?' },
    stopBody: {
      ja: '配信待ちの{{n}}件は配信されません。配信の途中のものは届くことがあります。再開はできません。',
      en: {
        one: 'The 1 message still waiting will not be sent. One that is being sent right now may still arrive. Sending cannot be resumed.',
        other:
          'The {{n}} messages still waiting will not be sent. Those being sent right now may still arrive. Sending cannot be resumed.',
      },
    },
    duplicateTitle: { ja: '「{{name}}」を複製しますか？', en: 'Duplicate “{{name}}”?' },
    duplicateBody: {
      ja: '同じ設定の新しい下書きを作成します。',
      en: 'A new draft with the same settings will be created.',
    },
    deleteTitle: { ja: '「{{name}}」を削除しますか？', en: 'Delete “{{name}}”?' },
    deleteBody: {
      ja: '配信した記録は、顧客の履歴に残ります。',
      en: 'Sent messages stay in the customers’ history.',
    },
    resyncTitle: {
      ja: '失敗した{{n}}件を再配信しますか？',
      en: { one: 'Retry {{n}} failed message?', other: 'Retry {{n}} failed messages?' },
    },
    resyncBody: {
      ja: '失敗した顧客にだけ、もう一度配信します。届いた顧客には配信されません。',
      en: 'Only what failed is retried. Customers who received it will not get it twice.',
    },
    resyncContent: {
      ja: '内容が原因で失敗した{{n}}件は、同じように失敗するため再配信しません。内容を修正して、新しいキャンペーンで配信してください。',
      en: {
        one: '{{n}} message that failed because of its content is not retried, because it would fail again. Correct the content and send it with a new campaign.',
        other:
          '{{n}} messages that failed because of their content are not retried, because they would fail again. Correct the content and send it with a new campaign.',
      },
    },
    resolveTitle: { ja: '「{{name}}」を完了にしますか？', en: 'Mark “{{name}}” as done?' },
    resolveBody: {
      ja: '失敗した分は再配信せず、配信を完了として扱います。',
      en: 'What failed will not be retried, and the campaign is marked as done.',
    },
    lateTitle: { ja: '「{{name}}」を今すぐ配信しますか？', en: 'Send “{{name}}” now?' },
    lateBody: {
      ja: '予定の日時は{{time}}でした。セールの期限など、遅れて届いても問題のない内容か確認してください。',
      en: 'It was scheduled for {{time}}. Make sure the content is still relevant, such as the end date of a sale.',
    },
    resendTitle: {
      ja: '到達不明の{{n}}件に再配信しますか？',
      en: {
        one: 'Resend to {{n}} recipient with unknown outcome?',
        other: 'Resend to {{n}} recipients with unknown outcome?',
      },
    },
    resendBody: {
      ja: '配信の途中で接続が切れたため、届いたかどうか分かりません。再配信すると、同じ内容が2通届く顧客がいるかもしれません。再配信しない場合は、届かないままの顧客がいるかもしれません。',
      en: 'The connection was lost while sending, so we do not know whether these messages arrived. If you resend, some customers may get it twice. If you do not, some may never get it.',
    },
    resendConfirm: { ja: '{{n}}件に再配信する', en: 'Resend to {{n}}' },
  },
  done: {
    cancelled: { ja: '予約をキャンセルしました', en: 'Schedule cancelled' },
    cancelledNow: { ja: '配信を取りやめました', en: 'Sending cancelled' },
    stopped: { ja: '配信を停止しました', en: 'Sending stopped' },
    resent: { ja: '再配信を始めました', en: 'Resending started' },
    resolved: { ja: '完了にしました', en: 'Marked as done' },
    late: { ja: '配信を始めました', en: 'Sending started' },
  },
  form: {
    newTitle: { ja: 'キャンペーンを作成', en: 'Create campaign' },
    editTitle: { ja: 'キャンペーンを編集', en: 'Edit campaign' },
    saveAndReview: { ja: '保存して確認へ', en: 'Save and review' },
    saveDraft: { ja: '下書き保存', en: 'Save draft' },
    nameTitle: { ja: '名前', en: 'Name' },
    nameHelp: { ja: '管理用の名前です。顧客には表示されません。', en: 'Internal name. Not shown to customers.' },
    namePlaceholder: { ja: '例：秋の新作のお知らせ', en: 'e.g. Autumn new arrivals' },
    audience: { ja: '配信対象', en: 'Audience' },
    audienceText: {
      ja: '実際の配信人数は、次の確認画面に表示されます。',
      en: 'The next step shows the exact number of recipients.',
    },
    own: { ja: 'セグメント', en: 'Segment' },
    ownText: { ja: '条件で選んだ顧客', en: 'Customers matching conditions' },
    all: { ja: 'すべての顧客', en: 'All customers' },
    allText: {
      email: { ja: 'マーケティング許可のあるすべての顧客', en: 'Every customer with marketing permission' },
      line: { ja: 'LINEの友だちであるすべての顧客', en: 'Every customer who is a LINE friend' },
      line_else_email: {
        ja: 'LINEの友だち、またはマーケティング許可のあるすべての顧客',
        en: 'Every customer who is a LINE friend or has given marketing permission',
      },
      both: {
        ja: 'LINEの友だち、またはマーケティング許可のあるすべての顧客',
        en: 'Every customer who is a LINE friend or has given marketing permission',
      },
    } satisfies Record<CampaignChannels, Localized>,
    remote: { ja: 'Shopifyセグメント', en: 'Shopify segment' },
    remoteText: {
      ja: 'Shopifyで作成したセグメントです。確定するときに、該当する顧客をもう一度同期します。',
      en: 'Created in Shopify. Its members are synced again when you confirm.',
    },
    segment: { ja: 'セグメント', en: 'Segment' },
    segmentPlaceholder: { ja: 'セグメント名で検索', en: 'Search by name' },
    segmentCount: { ja: '{{n}}人', en: '{{n}} customers' },
    segmentCalculating: { ja: '集計中', en: 'Calculating' },
    segmentReach: {
      email: {
        ja: '対象{{total}}人のうち、今配信できるのは{{reachable}}人です。',
        en: '{{reachable}} of {{total}} customers are emailable now.',
      },
      line: {
        ja: '対象{{total}}人のうち、LINEで配信できるのは{{line}}人です。',
        en: '{{line}} of {{total}} customers can be reached by LINE.',
      },
      line_else_email: {
        ja: '対象{{total}}人のうち、LINEで配信できるのは{{line}}人、メールを配信できるのは{{reachable}}人です。',
        en: 'Of {{total}} customers, {{line}} can be reached by LINE and {{reachable}} are emailable now.',
      },
      both: {
        ja: '対象{{total}}人のうち、LINEで配信できるのは{{line}}人、メールを配信できるのは{{reachable}}人です。',
        en: 'Of {{total}} customers, {{line}} can be reached by LINE and {{reachable}} are emailable now.',
      },
    } satisfies Record<CampaignChannels, Localized>,
    newSegment: { ja: 'セグメントを作成', en: 'Create segment' },
    contentTitle: { ja: '配信内容', en: 'Content' },
    channels: { ja: '配信チャネル', en: 'Channel' },
    channelsText: {
      email: { ja: 'マーケティング許可のある顧客に届きます。', en: 'Reaches customers with marketing permission.' },
      line: {
        ja: 'LINE公式アカウントの友だちに届きます。送った人数分、今月のLINEメッセージ数を使います。',
        en: 'Reaches friends of your LINE Official Account. Each recipient uses one LINE message of this month.',
      },
      line_else_email: {
        ja: 'LINEの友だちにはLINEで、それ以外の顧客にはメールで届きます。同じ人に両方は届きません。',
        en: 'LINE friends get the LINE message, everyone else the email. No one gets both.',
      },
      both: {
        ja: 'LINEとメールの両方が届きます。配信頻度の上限がある場合は、LINEが先に数えられます。',
        en: 'Customers get both messages. Where a frequency cap is set, the LINE message counts first.',
      },
    } satisfies Record<CampaignChannels, Localized>,
    linePlaceholder: { ja: 'LINEメッセージ名で検索', en: 'Search by name' },
    writeLine: { ja: 'LINEメッセージを作成', en: 'Create LINE message' },
    openLine: { ja: 'LINEメッセージを開く', en: 'Open LINE message' },
    emailPlaceholder: { ja: 'メール名で検索', en: 'Search by name' },
    writeNew: { ja: 'メールを作成', en: 'Create email' },
    openEmail: { ja: 'メールを開く', en: 'Open email' },
    newTab: { ja: '（新しいタブ）', en: ' (new tab)' },
    whenTitle: { ja: '配信日時', en: 'Schedule' },
    now: { ja: '今すぐ', en: 'Now' },
    nowText: { ja: '確認画面で確定すると、すぐに配信が始まります。', en: 'Sending starts as soon as you confirm.' },
    scheduled: { ja: '日時を指定', en: 'Schedule for later' },
    scheduledText: {
      ja: '配信対象は予約した時点で決まります。マーケティング許可の有無とLINEの友だちかどうかは、配信時にもう一度確認します。',
      en: 'The audience is fixed when you schedule. Permission, and who is a friend on LINE, is checked again at send time.',
    },
    dateTime: { ja: '日時', en: 'Date and time' },
    zone: { ja: 'タイムゾーン：{{zone}}', en: 'Time zone: {{zone}}' },
    pick: {
      tomorrow10: { ja: '明日 10:00', en: 'Tomorrow 10:00' },
      tomorrow20: { ja: '明日 20:00', en: 'Tomorrow 20:00' },
      nextMonday: { ja: '次の月曜 10:00', en: 'Next Monday 10:00' },
      inHour: { ja: '1時間後', en: 'In 1 hour' },
    },
    options: { ja: '詳細設定', en: 'Options' },
    sendToAll: { ja: 'マーケティング許可のない顧客にも配信する', en: 'Include customers without marketing permission' },
    sendToAllText: {
      ja: '取引上の重要なお知らせなど、許可が要らない内容のときだけ使ってください。配信除外リストの顧客には配信されません。',
      en: 'Only for content that needs no permission, such as important notices about an order. Suppressed addresses are always skipped.',
    },
    sendToAllAsk: { ja: '許可のない顧客にも配信しますか？', en: 'Include customers without permission?' },
    sendToAllCount: {
      ja: '選んだ対象のうち{{n}}人は、マーケティング許可がありません。広告メールを同意なく送ることは、特定電子メール法で禁止されています。不達や迷惑メール報告により配信除外リストに入っている顧客には、この設定でも配信されません。',
      en: '{{n}} customers in the audience have not given marketing permission. Japanese law forbids sending advertising without consent. Suppressed addresses (bounces, complaints) are still skipped.',
    },
    sendToAllUnknown: {
      ja: 'マーケティング許可のない顧客にも配信されます（人数は確認画面に表示されます）。広告メールを同意なく送ることは、特定電子メール法で禁止されています。不達や迷惑メール報告により配信除外リストに入っている顧客には、この設定でも配信されません。',
      en: 'Customers without marketing permission will be included (the review shows how many). Japanese law forbids sending advertising without consent. Suppressed addresses (bounces, complaints) are still skipped.',
    },
    sendToAllConfirm: { ja: '許可のない顧客にも配信する', en: 'Include them' },
    tracking: { ja: '開封とクリックを計測する', en: 'Track opens and clicks' },
    trackingClicks: { ja: 'クリックを計測する', en: 'Track clicks' },
    trackingClicksText: {
      ja: 'オフにすると、リンクは書き換えられず、クリック率・売上は計測されません。',
      en: 'When off, links are not rewritten, and clicks and revenue are not tracked.',
    },
    trackingText: {
      ja: 'オフにすると、リンクは書き換えられず、開封率・クリック率・売上は計測されません。',
      en: 'When off, links are not rewritten, and opens, clicks and revenue are not tracked.',
    },
    utm: { ja: 'トラッキングパラメータ', en: 'Tracking parameters' },
    utmText: {
      ja: '配信内容のリンクに付ける、アクセス解析用のパラメータです。',
      en: 'Added to the links you send, for your web analytics.',
    },
    source: { ja: 'source', en: 'source' },
    medium: { ja: 'medium', en: 'medium' },
    campaign: { ja: 'campaign', en: 'campaign' },
    content: { ja: 'content', en: 'content' },
    campaignHelp: { ja: '空欄の場合は付けません。', en: 'Leave blank to omit.' },
    contentHelp: { ja: '自動で設定されるため変更できません。', en: 'Set automatically. It cannot be changed.' },
    contentAuto: { ja: '自動', en: 'Automatic' },
  },
  review: {
    title: { ja: '配信内容の確認', en: 'Review before sending' },
    languagesBeforeCap: {
      ja: '配信頻度の上限で除かれる顧客を含む人数です。',
      en: 'Includes customers whom the frequency cap will leave aside.',
    },
    willReach: { ja: '配信人数', en: 'Recipients' },
    willReachTest: { ja: '本番での配信人数', en: 'Recipients outside test mode' },
    people: { ja: '{{n}}人', en: { one: '{{n}} person', other: '{{n}} people' } },
    messages: { ja: '{{n}}通', en: { one: '{{n}} message', other: '{{n}} messages' } },
    audience: { ja: '配信対象：{{n}}人', en: 'Audience: {{n}}' },
    leftOut: { ja: '配信対象外', en: 'Skipped' },
    quota: {
      fits: {
        ja: '今月のLINEメッセージ：残り{{left}}通（上限{{limit}}通）のうち{{needed}}通を使います。',
        en: 'Uses {{needed}} of the {{left}} LINE messages left this month (limit {{limit}}).',
      },
      missing: {
        ja: '今月のLINEメッセージが{{missing}}通足りません',
        en: 'You are {{missing}} LINE messages short this month',
      },
      none: {
        ja: 'LINE公式アカウントのプランを変更するか、月が変わってから配信してください。',
        en: 'Change the plan of your LINE Official Account, or send it next month.',
      },
      left: {
        ja: '{{needed}}人に配信しますが、今月送れるのは残り{{left}}通（上限{{limit}}通）です。',
        en: 'It goes to {{needed}} people, and {{left}} of {{limit}} messages are left.',
      },
      sendWhatFits: {
        ja: '送れる{{left}}人にだけ配信する（{{missing}}人には配信しない）',
        en: 'Send to {{left}} people only ({{missing}} will not get it)',
      },
      order: { ja: '登録の古い顧客から順に配信します。', en: 'Those who have been customers for longest come first.' },
    },
    part: { ja: '{{channel}}：{{people}}', en: '{{channel}}: {{people}}' },
    openLine: { ja: 'エディターを開く', en: 'Open editor' },
    noLine: { ja: 'LINEメッセージが選択されていません。', en: 'No LINE message is selected.' },
    overQuota: { ja: '今月のLINEメッセージの上限を超える', en: 'Over the LINE messages left this month' },
    notLinkedHelp: {
      ja: '連携していない顧客には、ストアに置く連携リンクで連携を案内できます。「LINE優先」のキャンペーンなら、メールで届けられます。',
      en: 'Customers who are not linked can be invited by the link for your store, or reached by email with “LINE, otherwise email”.',
    },
    notLinkedOpen: { ja: '連携リンクを見る', en: 'Show the link' },
    noOneLeftOut: { ja: '対象の全員に配信されます。', en: 'Everyone in the audience will receive it.' },
    reason: {
      no_consent: { ja: 'マーケティング許可がない', en: 'No marketing permission' },
      paused: { ja: '顧客がメールを一時休止している', en: 'Customer paused marketing emails' },
      no_address: { ja: 'メールアドレスがない', en: 'No email address' },
      suppressed: {
        ja: '配信除外リストに登録されている（不達・迷惑メール報告など）',
        en: 'On the suppression list (bounce, complaint, etc.)',
      },
      not_linked: { ja: 'LINEと連携していない', en: 'LINE account not linked' },
      not_a_friend: { ja: 'LINEの友だちではない', en: 'Not a friend on LINE' },
      blocked: { ja: 'LINEでブロックされている', en: 'Blocked your account on LINE' },
      duplicate_address: {
        ja: '同じアドレスの別の顧客に配信する（1つのアドレスに1通）',
        en: 'Another customer with the same address receives it (one email per address)',
      },
      frequency_cap: {
        ja: '配信頻度の上限に達している（設定の「配信頻度の上限」）',
        en: 'Frequency cap reached (see Settings)',
      },
    } satisfies LeftOut,
    total: { ja: '合計', en: 'Total' },
    withoutConsent: {
      ja: '許可のない顧客{{n}}人にも配信されます。',
      en: 'Includes {{n}} customers without permission.',
    },
    withoutConsentText: {
      ja: '「マーケティング許可のない顧客にも配信する」がオンです。広告メールの場合はオフにしてください。',
      en: '“Include customers without marketing permission” is on. Turn it off for advertising.',
    },
    testMode: { ja: 'テストモードです。顧客には届きません。', en: 'Test mode: not sent to customers.' },
    testModeText: {
      ja: '最大{{cap}}通が、テスト用の宛先（{{recipients}}）に送られます。本来の宛先は、件名またはメッセージの先頭に表示されます。',
      en: 'Up to {{cap}} messages are sent to the test recipients ({{recipients}}). Each names the original recipient.',
    },
    testModeNone: {
      email: {
        ja: '確認済みのテスト用の宛先がないため、どこにも配信されません。設定をご確認ください。',
        en: 'No test address is confirmed, so nothing will be sent. Check your settings.',
      },
      line: {
        ja: 'テスト用のLINEアカウントが選ばれていないため、どこにも配信されません。LINEの設定をご確認ください。',
        en: 'No LINE account is chosen for tests, so nothing will be sent. Check your LINE settings.',
      },
    },
    copying: { ja: 'ストアのデータを同期中です', en: 'Store sync not finished' },
    copyingText: {
      ja: 'すべて取り込まれるまで、配信対象を正しく判断できません。取り込みが終わると、人数を計算し直します。',
      en: 'Recipients cannot be determined until the sync finishes. Totals refresh when it does.',
    },
    start: { ja: '開始', en: 'Start' },
    starts: { ja: '{{time}}に始まります。', en: 'Starts at {{time}}.' },
    wait: {
      canary: {
        ja: '一部の顧客への先行配信の結果を確認しています。',
        en: 'Sent to a few customers first; the result is being checked.',
      },
      braked: {
        ja: '不達や迷惑メールの報告などが多いため、残りの配信を止めています。',
        en: 'Too much went wrong, so the rest is held back.',
      },
      canary_stopped: {
        ja: '先行配信で問題が見つかったため、残りの配信を止めています。',
        en: 'Something went wrong with the first few, so the rest is held back.',
      },
      coupons: {
        ja: 'クーポンのコードができるまで待ってから始まります。',
        en: 'Sending waits until the coupon codes are created.',
      },
      coupons_failed: {
        ja: 'クーポンのコードをストアで作成できなかったか、ストアで使えなくなっています。',
        en: 'The store did not create all coupon codes, or no longer takes them.',
      },
      coupons_ended: { ja: 'クーポンの有効期限が過ぎています。', en: 'The coupon codes have expired.' },
      test_mode: {
        ja: 'テストモードが解除されるまで待ってから始まります。',
        en: 'Sending waits until test mode is off.',
      },
      sending_hours: {
        ja: '配信できる時間帯になるまで待ってから始まります。',
        en: 'Sending waits for your allowed sending hours.',
      },
      store_under_review: {
        ja: 'ストアの審査が終わるまで待ってから始まります。',
        en: 'Sending waits for the store review to finish.',
      },
      mailer_paused: {
        ja: 'メール配信サービスが再開するまで待ってから始まります。',
        en: 'Sending waits for the email service to resume.',
      },
      segment_calculating: {
        ja: 'セグメントの集計が終わるまで待ってから始まります。',
        en: 'Sending waits for the segment to be calculated.',
      },
      ab_test: { ja: 'A/Bテスト中です。', en: 'The A/B test is running.' },
      ab_undecided: { ja: 'A/BテストでAかBを選ぶのを待っています。', en: 'Waiting for you to choose A or B.' },
      found_late: {
        ja: '予定より大幅に遅れた場合は、今すぐ配信してよいか確認してから始まります。',
        en: 'If it is many hours late, you will be asked before it is sent.',
      },
      sending_held: {
        ja: '現在、すべてのメール配信を停止しています。今は配信されず、運用担当者が解除すると始まります。',
        en: 'All sending is on hold. Nothing is sent now; sending starts when the operator releases it.',
      },
      account_unconfirmed: {
        ja: 'アカウントのメールアドレスが確認されるまで待ってから始まります。',
        en: 'Sending waits until your account’s email address is confirmed.',
      },
      sender_unconfirmed: {
        ja: '差出人のアドレスが確認されるまで待ってから始まります。',
        en: 'Sending waits until the sender address is confirmed.',
      },
      line_not_connected: {
        ja: 'LINEチャネルが接続されるまで待ってから始まります。',
        en: 'Sending waits until a LINE channel is connected.',
      },
      line_paused: {
        ja: 'LINEが配信を受け付けるようになるまで待ってから始まります。',
        en: 'Sending waits until LINE accepts messages again.',
      },
      line_quota: {
        ja: '今月のLINEメッセージの上限に達しています。月が変わってから始まります。',
        en: 'The LINE messages of this month are used up. Sending waits until next month.',
      },
    } satisfies Waits,
    startsNow: { ja: '確定するとすぐに始まります。', en: 'Starts as soon as you confirm.' },
    from: { ja: '差出人：{{sender}}', en: 'From: {{sender}}' },
    linksBy: { ja: 'リンクのドメイン：{{host}}', en: 'Link domain: {{host}}' },
    mail: { ja: 'メールの内容', en: 'Email content' },
    seenAs: { ja: 'プレビューする顧客', en: 'Preview as' },
    noSample: { ja: 'メールを選ぶと、ここに表示されます。', en: 'Choose an email to preview it.' },
    unsaved: { ja: '保存していない内容があります', en: 'You have unsaved content' },
    unsavedText: {
      ja: '配信されるのは保存済みの内容です。入力した内容を配信するには、保存してください。',
      en: 'What is saved is sent. To send what you typed, save it first.',
    },
    unsavedAt: { ja: '{{name}}（{{at}}に入力）', en: '{{name}} (typed on {{at}})' },
    checks: { ja: '配信前チェック', en: 'Pre-send checks' },
    edit: { ja: '編集に戻る', en: 'Back to editing' },
    send: { ja: '{{n}}人に配信する', en: { one: 'Send to {{n}} person', other: 'Send to {{n}} people' } },
    sendMessages: { ja: '{{n}}通を配信する', en: { one: 'Send {{n}} message', other: 'Send {{n}} messages' } },
    reserveMessages: {
      ja: '{{n}}通を予約する',
      en: { one: 'Schedule {{n}} message', other: 'Schedule {{n}} messages' },
    },
    sendTest: { ja: 'テスト用の宛先に配信する', en: 'Send to the test addresses' },
    reserve: {
      ja: '{{n}}人への配信を{{time}}に予約する',
      en: { one: 'Schedule for {{n}} person at {{time}}', other: 'Schedule for {{n}} people at {{time}}' },
    },
    reserveTest: {
      ja: 'テスト用の宛先への配信を{{time}}に予約する',
      en: 'Schedule for the test addresses at {{time}}',
    },
    reserveUntimed: { ja: '予約する', en: 'Schedule' },
    sure: { ja: '次の画面で最後の確認をします。', en: 'You will confirm on the next screen.' },
    cancelUntil: {
      ja: '予約は、配信の15分前までキャンセルできます。',
      en: 'You can cancel until 15 minutes before sending.',
    },
    cannotCancel: {
      ja: '配信まで15分を切っているため、予約した後はキャンセルできません。配信が始まった後は、途中で停止できます。',
      en: 'Less than 15 minutes are left, so you cannot cancel once it is scheduled. You can stop it after sending has started.',
    },
    changed: {
      ja: '確認中に配信人数または配信内容が変わりました。最新の内容を表示しています。もう一度ご確認ください。',
      en: 'The recipients or the content changed while you were reviewing. Please check the updated details.',
    },
    isConfirmed: { ja: 'このキャンペーンの配信は確定しています', en: 'This campaign is confirmed for sending' },
    isScheduled: { ja: 'このキャンペーンは予約済みです', en: 'This campaign is scheduled' },
    followThere: {
      ja: '進み具合はキャンペーンのページで確認できます。',
      en: 'Follow its progress on the campaign page.',
    },
    openCampaign: { ja: 'キャンペーンを開く', en: 'Open campaign' },
    started: { ja: '配信を確定しました', en: 'Campaign confirmed for sending' },
    reserved: { ja: '予約しました', en: 'Campaign scheduled' },
    missingTitle: { ja: '未設定の項目があります', en: 'Some settings are missing' },
    missing: {
      name: { ja: 'キャンペーン名を入力してください。', en: 'Please enter a campaign name.' },
      email: { ja: 'メールを選択してください。', en: 'Please select an email.' },
      line_message: { ja: 'LINEメッセージを選択してください。', en: 'Please select a LINE message.' },
      segment: { ja: 'セグメントを選択してください。', en: 'Please select a segment.' },
      scheduled_at: { ja: '配信日時を指定してください。', en: 'Please set the date and time.' },
      ab_subject: {
        ja: 'A/BテストのBの件名を入力してください。',
        en: 'Please enter the subject of B in the A/B test.',
      },
      ab_email: { ja: 'A/BテストのBのメールを選択してください。', en: 'Please select the email of B in the A/B test.' },
      ab_same: {
        ja: 'A/BテストのAとBが同じです。違う件名またはメールにしてください。',
        en: 'A and B of the A/B test are the same. Please use another subject or email.',
      },
      ab_languages: {
        ja: 'このメールには複数の言語があるため、件名だけのA/Bテストはできません。別のメールとの比較にしてください。',
        en: 'This email has several languages, so its subject alone cannot be tested. Compare it with another email instead.',
      },
      ab_tracking: {
        ja: 'A/Bテストをクリックや売上で決めるには、計測をオンにしてください。',
        en: 'To decide the A/B test by clicks or revenue, turn on tracking.',
      },
      ab_small: {
        ja: 'A/Bテストには、AとBにそれぞれ10人以上と、残りの顧客が必要です。割合を増やすか、テストをやめてください。',
        en: 'An A/B test needs at least 10 people each for A and B, and someone left over. Increase the share, or turn the test off.',
      },
    } satisfies Missing,
    why: {
      missing: {
        ja: '未設定の項目があります。編集画面で設定してください。',
        en: 'Some settings are missing. Please go back to editing.',
      },
      findings: {
        ja: '配信前チェックの問題を直してください。',
        en: 'Please fix the problems found by the pre-send checks.',
      },
      nobody: { ja: '配信できる顧客がいません。', en: 'No recipients.' },
      quota: {
        ja: '今月のLINEメッセージの残りが足りません。',
        en: 'There are not enough LINE messages left this month.',
      },
      past: { ja: '過去の日時は予約できません。', en: 'A reservation date cannot be in the past.' },
      copying: { ja: 'ストアの同期が終わると配信できます。', en: 'You can send once the store sync finishes.' },
      other: { ja: 'このままでは配信できません。', en: 'This campaign cannot be sent yet.' },
    },
  },
  facts: {
    title: { ja: '設定', en: 'Settings' },
    results: { ja: '結果', en: 'Results' },
    channels: { ja: '配信チャネル', en: 'Channel' },
    sender: { ja: '差出人', en: 'From' },
    sendType: { ja: '配信方法', en: 'Sending' },
    immediate: { ja: 'すぐに配信', en: 'Immediately' },
    scheduled: { ja: '日時指定', en: 'Scheduled' },
    scheduledAt: { ja: '予約日時', en: 'Scheduled for' },
    sentAt: { ja: '配信完了日時', en: 'Finished' },
    reservedAt: { ja: '予約した日時', en: 'Scheduled on' },
    confirmedAt: { ja: '確定した日時', en: 'Confirmed at' },
    consent: { ja: '許可のない顧客', en: 'Customers without permission' },
    consentSent: { ja: '配信する', en: 'Included' },
    consentNotSent: { ja: '配信しない', en: 'Not included' },
    tracking: { ja: '計測', en: 'Tracking' },
    on: { ja: 'オン', en: 'On' },
    off: { ja: 'オフ', en: 'Off' },
    utm: { ja: 'パラメータ', en: 'Parameters' },
    opens: { ja: '開封', en: 'Opens' },
    clicks: { ja: 'クリック', en: 'Clicks' },
    orders: { ja: '注文', en: 'Orders' },
    countAndRate: { ja: '{{n}}（{{rate}}）', en: '{{n}} ({{rate}})' },
    noResultsYet: {
      ja: '配信が始まると、ここに結果が表示されます。',
      en: 'Results appear here once sending has started.',
    },
    nothingSent: { ja: '何も配信されていません。', en: 'Nothing was sent.' },
    testNotCounted: {
      ja: 'テスト配信のため、集計には含まれません。',
      en: 'Test campaigns are not included in totals.',
    },
  },
  balance: {
    title: { ja: '配信の内訳', en: 'Delivery breakdown' },
    before: {
      ja: '確定すると、ここに対象人数と進み具合が表示されます。',
      en: 'The audience and progress appear here once you confirm.',
    },
    choosing: { ja: '配信対象を確定しています…', en: 'Selecting recipients…' },
    progress: { ja: '処理済み', en: 'Processed' },
    audience: { ja: '対象', en: 'Audience' },
    adds: {
      ja: '対象 = 配信済み + 配信対象外 + 失敗 + 配信待ち + 配信中 + 到達不明',
      en: 'Audience = sent + skipped + failed + waiting + sending + outcome unknown',
    },
    uncertain: {
      ja: '到達不明の{{n}}件は、届いたかどうか分かりません。自動では再配信しません。',
      en: {
        one: 'We do not know whether {{n}} email arrived. It is not resent automatically.',
        other: 'We do not know whether {{n}} emails arrived. They are not resent automatically.',
      },
    },
    leaveAlone: { ja: 'このページを閉じても配信は続きます。', en: 'You can leave this page. Sending continues.' },
  },
  deliveries: { title: { ja: '配信先', en: 'Recipients' } },
  compare: {
    title: { ja: 'ほかのキャンペーンとの比較', en: 'Compared with other campaigns' },
    campaign: { ja: 'キャンペーン', en: 'Campaign' },
    this: { ja: 'このキャンペーン', en: 'This campaign' },
    sameAudience: { ja: '同じ配信対象への前回の配信', en: 'Previous one to the same audience' },
    last: { ja: '直前の配信', en: 'Last one before this' },
    usual: { ja: 'ふだん', en: 'Usually' },
    usualOf: {
      ja: '直近{{n}}件の中央値',
      en: { one: 'Median of the last {{n}} campaign', other: 'Median of the last {{n}} campaigns' },
    },
    perRecipient: { ja: '1通あたりの売上', en: 'Revenue per recipient' },
    difference: { ja: '今回は{{value}}', en: 'this one {{value}}' },
  },
  clickMap: {
    title: { ja: 'クリックマップ', en: 'Click map' },
    show: { ja: 'クリックを表示', en: 'Show clicks' },
    clicks: { ja: '{{n}}件', en: { one: '{{n}} click', other: '{{n}} clicks' } },
    table: { ja: 'リンクごとのクリック', en: 'Clicks by link' },
    number: { ja: '番号', en: 'No.' },
    andOthers: { ja: '{{text}} ほか', en: '{{text}} and others' },
    places: { ja: 'メール内の{{n}}か所の合計', en: 'Total of {{n}} places in the email' },
    filledIn: {
      ja: '商品・顧客ごとに異なるURL',
      en: 'Differs for each product or customer',
    },
    notShown: { ja: 'サンプル顧客向けの表示には含まれません', en: 'Not in the email as shown to the sample customer' },
    how: {
      ja: '1通のメールで同じリンクが何度クリックされても1件と数えます。割合は、全リンクのクリックの合計に対するものです。機械によるクリックは含みません。',
      en: 'Repeated clicks on the same link of one email count once. Percentages are shares of the clicks on all links. Bot clicks are not included.',
    },
    howTest: {
      ja: '1通のメールで同じリンクが何度クリックされても1件と数えます。機械によるクリックは含みません。',
      en: 'Repeated clicks on the same link of one email count once. Bot clicks are not included.',
    },
    untracked: {
      ja: '計測をオフにして配信したため、クリックはわかりません。',
      en: 'This email was sent with tracking off, so its clicks are not known.',
    },
    noLinks: {
      ja: 'このメールには、クリックを計測できるリンクがありません。',
      en: 'This email has no links whose clicks can be tracked.',
    },
    noClicks: { ja: 'クリックはまだありません。', en: 'No clicks yet.' },
    noMail: { ja: 'このメールはまだ配信されていません。', en: 'This email has not been sent yet.' },
    step: { ja: 'メールのステップ', en: 'Email step' },
    content: { ja: 'メールの内容', en: 'Email content' },
    from: { ja: '{{time}}からの内容', en: 'Content since {{time}}' },
  },
  report: {
    title: { ja: 'レポート', en: 'Report' },
    back: { ja: 'キャンペーン詳細に戻る', en: 'Back to Campaign Details' },
    delivered: { ja: '到達数', en: 'Delivered' },
    openRate: { ja: '開封率', en: 'Open rate' },
    clickRate: { ja: 'クリック率', en: 'Click rate' },
    bounces: { ja: '不達', en: 'Bounces' },
    bounceKinds: {
      and: { ja: '、', en: ', ' },
      hard: { ja: '宛先なし {{n}}', en: '{{n}} no such address' },
      soft: { ja: '一時的 {{n}}', en: '{{n}} temporary' },
      full: { ja: '容量超過 {{n}}', en: '{{n}} mailbox full' },
      blocked: { ja: '受信拒否 {{n}}', en: '{{n}} rejected' },
    },
    unsubscribes: { ja: '配信停止', en: 'Unsubscribes' },
    complaints: { ja: '迷惑メール報告', en: 'Complaints' },
    orders: { ja: '注文', en: 'Orders' },
    revenue: { ja: '売上', en: 'Revenue' },
    perRecipient: { ja: '配信1通あたり{{money}}', en: '{{money}} per recipient' },
    usual: { ja: 'ふだんは{{value}}', en: 'usually {{value}}' },
    usualRevenue: { ja: 'ふだんは1通あたり{{money}}', en: 'usually {{money}} per recipient' },
    usualHow: {
      ja: '「ふだん」は、これより前に配信したキャンペーン（テストを除く直近{{n}}件）の中央値です。',
      en: {
        one: '“Usually” is the median of the {{n}} campaign sent before this one, excluding tests.',
        other: '“Usually” is the median of the {{n}} campaigns sent before this one, excluding tests.',
      },
    },
    untracked: {
      ja: 'このキャンペーンは計測をオフにして配信したため、開封・クリック・売上はわかりません。',
      en: 'This campaign was sent with tracking off, so its opens, clicks and revenue are not known.',
    },
    byChannel: { ja: 'チャネル別', en: 'By channel' },
    channel: { ja: 'チャネル', en: 'Channel' },
    links: { ja: 'リンクごとのクリック', en: 'Clicks by link' },
    noLinks: { ja: 'クリックを計測できるリンクはありません。', en: 'There are no links whose clicks can be tracked.' },
    lineOpensTitle: { ja: 'LINEの開封について', en: 'Opens on LINE' },
    lineOpens: {
      ja: 'LINEでは開封を一人ずつ知ることができないため、開封はメールについてだけ表示されます。',
      en: 'LINE does not tell who opened a message, so opens are shown for emails only.',
    },
    lineCounts: {
      ja: 'LINEでは誰が開封したかはわかりません。わかるのは、LINEが集計した人数だけです。20人未満の人数は公開されません。',
      en: 'LINE does not say who opened a message. It only counts how many people did, and hides counts below 20.',
    },
    lineOpened: {
      label: { ja: 'LINEの開封人数', en: 'Opened on LINE' },
      counted: {
        ja: 'LINEの配信数の{{percent}}（LINEの集計、{{time}}時点）',
        en: '{{percent}} of LINE messages sent (counted by LINE, as of {{time}})',
      },
      hidden: {
        ja: '20人未満のため、LINEが公開していません（{{time}}時点）',
        en: 'Hidden by LINE: below 20 (as of {{time}})',
      },
      waiting: { ja: 'LINEの集計待ち', en: 'Waiting for LINE’s count' },
      no_unit: {
        ja: 'LINEが1か月に集計できる1,000件を使い切ったため、集計されません',
        en: 'Not counted: LINE counts 1,000 sends a month, and they were used up',
      },
    },
    funnel: { ja: '配信から注文まで', en: 'From delivery to order' },
    funnelStep: {
      audience: { ja: '対象', en: 'Audience' },
      sent: { ja: '到達', en: 'Delivered' },
      opened: { ja: '開封', en: 'Opened' },
      clicked: { ja: 'クリック', en: 'Clicked' },
      ordered: { ja: '注文', en: 'Orders' },
    },
    botsBeside: { ja: '機械による{{n}}件は除外', en: '{{n}} by bots excluded' },
    makeSegment: { ja: 'セグメントを作成', en: 'Create segment' },
    segmentOf: {
      received: { ja: '届いた顧客', en: 'Customers who received it' },
      opened: { ja: '開封した顧客', en: 'Customers who opened' },
      clicked: { ja: 'クリックした顧客', en: 'Customers who clicked' },
      notOpened: { ja: '届いたが開封していない顧客', en: 'Received but did not open' },
      notClicked: { ja: '届いたがクリックしていない顧客', en: 'Received but did not click' },
    },
    segmentName: {
      received: { ja: '「{{name}}」を受信', en: 'Received “{{name}}”' },
      opened: { ja: '「{{name}}」を開封', en: 'Opened “{{name}}”' },
      clicked: { ja: '「{{name}}」をクリック', en: 'Clicked “{{name}}”' },
      notOpened: { ja: '「{{name}}」を未開封', en: 'Did not open “{{name}}”' },
      notClicked: { ja: '「{{name}}」を未クリック', en: 'Did not click “{{name}}”' },
    },
    segmentMade: { ja: 'セグメントを作成しました', en: 'Segment created' },
    opensHint: {
      ja: '{{n}}人が開封・機械による開封{{machine}}件は除外',
      en: {
        one: '{{n}} person ({{machine}} bot opens excluded)',
        other: '{{n}} people ({{machine}} bot opens excluded)',
      },
    },
    opened: { ja: '{{n}}人が開封', en: { one: '{{n}} person', other: '{{n}} people' } },
    clicksHint: {
      ja: '{{n}}人がクリック・機械によるクリック{{machine}}件は除外',
      en: {
        one: '{{n}} person ({{machine}} bot clicks excluded)',
        other: '{{n}} people ({{machine}} bot clicks excluded)',
      },
    },
    clicked: { ja: '{{n}}人がクリック', en: { one: '{{n}} person', other: '{{n}} people' } },
    ofSent: { ja: '受信サーバーやLINEが受け取った数', en: 'Accepted by the receiving servers or LINE' },
    chart: { ja: '時間ごとの推移', en: 'Over time' },
    reactions: { ja: '開封・クリック', en: 'Opens and clicks' },
    seriesLabel: { ja: '表示する数値', en: 'Metric' },
    at: { ja: '日時', en: 'Time' },
    opens: { ja: '開封', en: 'Opens' },
    clicks: { ja: 'クリック', en: 'Clicks' },
    link: { ja: 'リンク', en: 'Link' },
    clickCount: { ja: 'クリック', en: 'Clicks' },
    machineCount: { ja: '機械によるクリック', en: 'Bot clicks' },
    noSeries: { ja: '開封・クリックはまだ記録されていません。', en: 'No opens or clicks yet.' },
    noClicks: { ja: 'クリックはまだ記録されていません。', en: 'No clicks yet.' },
    noSales: { ja: '売上はまだ記録されていません。', en: 'No revenue yet.' },
    csvRecipients: { ja: '配信先CSV', en: 'Recipients (CSV)' },
    csvClicks: { ja: 'クリックCSV', en: 'Clicks (CSV)' },
    how: {
      email: {
        ja: '開封率・クリック率は、配信数に対する割合です。同じ人の開封やクリックは1回と数え、セキュリティ製品や自動読み込みなど機械によるものは除きます。売上は、クリック後{{days}}日以内の注文です。',
        en: 'Rates are shares of the emails sent. Each person counts once. Bots such as security scanners and prefetching are excluded. Revenue is from orders placed within {{days}} days of a click.',
      },
      line: {
        ja: 'クリック率は、配信数に対する割合です。同じ人のクリックは1回と数え、リンクのプレビューなど機械によるものは除きます。売上は、クリック後{{days}}日以内の注文です。',
        en: 'The click rate is a share of the messages sent. Each person counts once. Bots such as link previews are excluded. Revenue is from orders placed within {{days}} days of a click.',
      },
      both: {
        ja: '開封率はメールの配信数、クリック率はすべての配信数に対する割合です。同じ人の開封やクリックは1通につき1回と数え、セキュリティ製品や自動読み込みなど機械によるものは除きます。売上は、クリック後{{days}}日以内の注文です。',
        en: 'The open rate is a share of the emails sent, the click rate of all messages sent. Each message counts once. Bots such as security scanners and prefetching are excluded. Revenue is from orders placed within {{days}} days of a click.',
      },
    },
    test: {
      ja: 'テスト配信のレポートです。顧客には届いておらず、ほかの集計には含まれません。',
      en: 'This is a test campaign. It was not sent to customers and is not included in totals.',
    },
    machineTitle: { ja: '機械による開封・クリックとは', en: 'What are bot opens and clicks?' },
    machineText: {
      ja: 'メールアプリの先読みや迷惑メール対策の検査が、自動で画像を読み込んだりリンクを開いたりすることがあります。これらは率に含めず、件数だけを表示します。',
      en: 'Email apps that prefetch images and spam scanners open images and links automatically. They are excluded from the rates and shown separately.',
    },
  },
} satisfies WordTree
