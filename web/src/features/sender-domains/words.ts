import type { WordTree } from '../../app/word-tree.ts'

export const words = {
  title: { ja: '差出人ドメイン', en: 'Sender domains' },
  text: {
    ja: 'ドメインのDNSに次のレコードを設定すると、そのドメインのどのアドレスからも確認メールなしで配信でき、すべてのメールに署名（DKIM）が付きます。',
    en: 'Publish these records in your domain’s DNS. You can then send from any of its addresses without a confirmation email, and every email is signed (DKIM).',
  },
  none: {
    ja: '差出人ドメインはまだありません。',
    en: 'There are no sender domains yet.',
  },
  ownerOnly: {
    ja: '差出人ドメインを変更できるのはオーナーのみです。',
    en: 'Only the owner can change sender domains.',
  },
  readOnly: {
    ja: '閲覧のみの権限のため、この操作はできません。',
    en: 'You have view-only access, so you cannot do this.',
  },
  name: { ja: 'ドメイン', en: 'Domain' },
  nameHelp: { ja: 'メールアドレスの@より後ろの部分です。', en: 'The part of your email address after the @.' },
  add: { ja: '追加', en: 'Add' },
  asciiName: { ja: 'DNSでの表記：{{name}}', en: 'In DNS: {{name}}' },
  status: {
    pending: { ja: '未認証', en: 'Not verified' },
    verified: { ja: '認証済み', en: 'Verified' },
    failing: { ja: '要確認', en: 'Needs attention' },
    lost: { ja: '認証切れ', en: 'No longer verified' },
  },
  warmUp: {
    start: { ja: 'ウォームアップを開始', en: 'Start warm-up' },
    startTitle: { ja: '{{name}} のウォームアップを開始しますか？', en: 'Start the warm-up of {{name}}?' },
    startText: {
      ja: '使い始めたばかりのドメインから一度に多くのメールを送ると、迷惑メールとして扱われやすくなります。ウォームアップ中は、1日に送るメールを少ない数から始めて、毎日およそ2倍に増やします。\n上限を超えたキャンペーンやシナリオのメールは、翌日以降の朝に自動で送られます。',
      en: 'Many emails at once from a new domain are easily taken for spam. During the warm-up, few emails are sent on the first day and about twice as many each day after.\nEmails of campaigns and scenarios over the limit are sent automatically on the mornings after.',
    },
    end: { ja: 'ウォームアップを終了', en: 'End warm-up' },
    endTitle: { ja: '{{name}} のウォームアップを終了しますか？', en: 'End the warm-up of {{name}}?' },
    endText: {
      ja: 'これから送るメールには1日の上限がなくなります。翌日以降を待っているメールは、その日に送られます。',
      en: 'Emails from now on have no daily limit. Emails that wait for another day are sent on that day.',
    },
    title: { ja: 'ウォームアップ', en: 'Warm-up' },
    day: { ja: '{{n}}日目', en: 'Day {{n}}' },
    limit: { ja: '上限', en: 'Limit' },
    sent: { ja: '配信済み', en: 'Sent' },
    today: { ja: '今日', en: 'Today' },
    noLimit: { ja: '上限なし', en: 'No limit' },
    over: {
      ja: 'ウォームアップは完了しました。1日の上限はありません。',
      en: 'The warm-up is complete. There is no daily limit.',
    },
    skipped: {
      ja: 'メールを送らなかった日は数えません。',
      en: 'Days without emails do not count.',
    },
  },
  statusText: {
    pending: {
      ja: '必須のレコードを設定すると認証されます。設定が反映されるまで数時間かかることがあります。自動でも確認します。',
      en: 'The domain is verified once the required records are published. This can take a few hours. We also check automatically.',
    },
    failing: {
      ja: '必須のレコードが見つからなくなりました。{{date}}までに設定し直さないと、このドメインの認証が切れます。',
      en: 'Required records can no longer be found. Unless they are published again by {{date}}, the domain is no longer verified.',
    },
    lost: {
      ja: '必須のレコードが見つからないため、認証が切れました。このドメインからは、確認済みのアドレスを除いて配信できません。',
      en: 'Required records were missing for too long. Emails can only be sent from addresses of this domain that are confirmed on their own.',
    },
    warns: {
      ja: '以前は見つかったレコードが見つからなくなりました。',
      en: 'Records that were there before can no longer be found.',
    },
  },
  links: {
    title: { ja: 'リンク用のドメイン', en: 'Link domain' },
    text: {
      ja: 'このドメインから送るメールのリンクと画像に、ストア自身のドメインを使えます。CNAMEレコードが確認されたあとに作られる配信から使われます。すでに送ったメールのリンクは、そのまま使えます。',
      en: 'Links and images in emails from this domain can use a domain of your own. It is used for sends that are prepared after its CNAME record was found. Links in emails you already sent continue to work.',
    },
    host: { ja: 'リンク用のドメイン名', en: 'Link domain name' },
    hostHelp: {
      ja: '{{name}} の下の、まだ使っていない名前です。',
      en: 'A name below {{name}} that is not used for anything else.',
    },
    save: { ja: '設定', en: 'Set' },
    verified: { ja: '{{host}} を使っています', en: '{{host}} is in use' },
    waits: {
      ja: '{{host}} のCNAMEレコードが確認されるまで、リンクには {{now}} が使われます。',
      en: 'Until the CNAME record of {{host}} is found, links use {{now}}.',
    },
    lostTitle: { ja: '{{host}} が確認できなくなりました', en: '{{host}} can no longer be verified' },
    lost: {
      ja: '新しい配信のリンクには {{now}} が使われます。すでに送ったメールのリンクが開けないおそれがあります。CNAMEレコードをもう一度設定してください。',
      en: 'Links in new sends use {{now}}. Links in emails you already sent may not open. Publish the CNAME record again.',
    },
    remove: { ja: 'リンク用のドメインを解除', en: 'Stop using link domain' },
    removeTitle: { ja: '{{host}} の使用をやめますか？', en: 'Stop using {{host}}?' },
    removeText: {
      ja: '新しい配信のリンクには {{now}} が使われます。送ったメールのリンクを残すため、CNAMEレコードは削除しないでください。',
      en: 'Links in new sends use {{now}}. Keep the CNAME record so that links in emails you already sent continue to work.',
    },
    removeConfirm: { ja: '使用をやめる', en: 'Stop using it' },
  },
  check: { ja: '今すぐ確認', en: 'Check now' },
  checkedAt: { ja: '最終確認：{{time}}', en: 'Last checked {{time}}' },
  unchecked: { ja: 'まだ確認していません', en: 'Not checked yet' },
  success: { ja: 'ドメインを認証しました', en: 'Domain verification succeeded' },
  failure: {
    ja: 'DNSデータが見つかりません。しばらくしてからもう一度お試しください。',
    en: 'DNS data not found, retry later.',
  },
  rotate: { ja: '鍵を更新', en: 'Rotate key' },
  rotateTitle: { ja: 'DKIMの鍵を更新しますか？', en: 'Rotate the DKIM key?' },
  rotateText: {
    ja: '新しい鍵のレコードが表示されます。DNSで見つかるまでは、今の鍵で署名を続けます。',
    en: 'A record for a new key is shown. Until it is found in DNS, the current key keeps signing.',
  },
  rotateWaits: {
    ja: '次の鍵のレコードが見つかるのを待っています。',
    en: 'Waiting for the record of the next key.',
  },
  former: {
    ja: '以前の鍵のレコード {{name}} は、{{date}}まで残してください。',
    en: 'Keep the record {{name}} of the former key until {{date}}.',
  },
  remove: { ja: '削除', en: 'Delete' },
  removeTitle: { ja: '{{name}} を削除しますか？', en: 'Delete {{name}}?' },
  removeText: {
    ja: 'このドメインのアドレスからは、確認済みのアドレスを除いて配信できなくなり、メールに署名が付かなくなります。予約済みの配信も対象です。もう一度追加すると、新しいレコードの設定が必要です。',
    en: 'Emails from this domain are no longer signed, and can only be sent from addresses that are confirmed on their own. This includes scheduled sends. If you add it again, new records are needed.',
  },
  required: { ja: '必須', en: 'Required' },
  recommended: { ja: '推奨', en: 'Recommended' },
  record: {
    ownership: { ja: '所有の確認', en: 'Ownership' },
    dkim: { ja: 'DKIM（署名の鍵）', en: 'DKIM (signing key)' },
    dkim_next: { ja: 'DKIM（次の鍵）', en: 'DKIM (next key)' },
    spf: { ja: 'SPF', en: 'SPF' },
    dmarc: { ja: 'DMARC', en: 'DMARC' },
    mx: { ja: 'MX（メールの受信）', en: 'MX (incoming email)' },
    tracking: { ja: 'リンクのドメイン', en: 'Link domain' },
  },
  about: {
    ownership: {
      ja: 'このドメインがストアのものであることを示します。',
      en: 'Shows that the domain belongs to your store.',
    },
    dkim: {
      ja: '受信側が、メールの署名をこの鍵で確かめます。',
      en: 'Receivers verify the signature of your emails with this key.',
    },
    dkim_next: {
      ja: '見つかると、この鍵で署名するようになります。',
      en: 'Once found, this key signs your emails.',
    },
    spf: {
      ja: 'どのサーバーがこのドメインからメールを送ってよいかを示します。',
      en: 'Says which servers may send email from this domain.',
    },
    dmarc: {
      ja: '署名が確認できないメールの扱いを示します。Okaeriの署名は差出人と同じドメインなので、厳しい設定でも一致します。',
      en: 'Says what happens to emails that cannot be verified. Our signature uses the sender’s own domain, so it is aligned even with strict settings.',
    },
    mx: {
      ja: '返信や不達の通知を受け取るために必要です。',
      en: 'Needed to receive replies and delivery failures.',
    },
    tracking: {
      ja: 'メール内のリンクと画像は、このドメインを通ります。Okaeriの運用担当者が設定します。',
      en: 'Links and images in your emails go through this domain. Your Okaeri operator sets it up.',
    },
    own_tracking: {
      ja: 'メール内のリンクと画像に使う、ストア自身のドメインです。',
      en: 'Your own domain for links and images in your emails.',
    },
  },
  type: { ja: '種類', en: 'Type' },
  recordName: { ja: '名前', en: 'Name' },
  value: { ja: '設定する値', en: 'Value to publish' },
  found: { ja: '見つかった値', en: 'Value found' },
  copyName: { ja: '名前をコピー', en: 'Copy name' },
  copyValue: { ja: '値をコピー', en: 'Copy value' },
  copied: { ja: 'コピーしました', en: 'Copied' },
  details: { ja: '詳細', en: 'Details' },
  hideDetails: { ja: '閉じる', en: 'Hide details' },
  state: {
    found: { ja: '確認済み', en: 'Found' },
    missing: { ja: '見つかりません', en: 'Not found' },
    wrong: { ja: '要修正', en: 'Needs a fix' },
    unanswered: { ja: '確認できません', en: 'No answer' },
    unchecked: { ja: '未確認', en: 'Not checked' },
  },
  lastFound: { ja: '{{time}}には見つかっていました。', en: 'It was there at {{time}}.' },
  note: {
    other_value: { ja: '設定されている値が違います。', en: 'A different value is published.' },
    cut_off: {
      ja: '値が途中で切れています。長い値を分けて入力する必要があるか、DNSサービスの説明をご確認ください。',
      en: 'The value is cut off. Check whether your DNS provider needs long values to be split.',
    },
    revoked: {
      ja: '鍵が空になっています（無効の意味になります）。',
      en: 'The key is empty, which means it is revoked.',
    },
    several: {
      ja: 'レコードが複数あります。1つにまとめてください。',
      en: 'There are several records. Combine them into one.',
    },
    name_doubled: {
      ja: '名前にドメインが二重に付いています。名前の欄からドメインの部分を除いて、もう一度設定してください。',
      en: 'The name contains the domain twice. Leave the domain out of the name field and save the record again.',
    },
    not_included: {
      ja: 'Okaeriのメールサーバーが含まれていません。今の値を「設定する値」に置き換えてください。',
      en: 'Our server is not included. Replace the current value with the one to publish.',
    },
    allows_all: {
      ja: '誰でもこのドメインから送れる設定（+all）になっています。',
      en: 'It lets anyone send from this domain (+all).',
    },
    no_policy: { ja: 'ポリシー（p=）がありません。', en: 'It has no policy (p=).' },
    no_https: {
      ja: 'レコードは設定されていますが、このドメインのサーバー証明書がまだ使えないか、別のサーバーにつながっています。時間をおいても変わらない場合は、Okaeriの運用担当者にお問い合わせください。',
      en: 'The record is there, but the domain has no valid certificate yet, or another server answers. If this stays so, ask your Okaeri operator.',
    },
    no_web_answer: {
      ja: 'レコードは設定されていますが、このドメインでサーバーが応答しません。',
      en: 'The record is there, but no server answers at this domain.',
    },
    waits_for_proof: {
      ja: 'レコードは設定されています。必須のレコードが確認されると、使えるようになります。',
      en: 'The record is there. It can be used once the required records are found.',
    },
    no_mail: {
      ja: 'メールを受信しない設定になっています。返信を受け取れません。',
      en: 'The domain says that it takes no email, so you cannot receive replies.',
    },
    policy_none: { ja: 'ポリシー：none（何もしない）', en: 'Policy: none' },
    policy_quarantine: { ja: 'ポリシー：quarantine（迷惑メールに分類）', en: 'Policy: quarantine' },
    policy_reject: { ja: 'ポリシー：reject（受信を拒否）', en: 'Policy: reject' },
    other_domain: {
      ja: '差出人とは別のドメインです。',
      en: 'It is not on the same domain as the sender.',
    },
    timeout: {
      ja: 'DNSサーバーが時間内に応答しませんでした。',
      en: 'The DNS server did not answer in time.',
    },
    servfail: {
      ja: 'DNSサーバーがエラーを返しました（SERVFAIL）。',
      en: 'The DNS server answered with an error (SERVFAIL).',
    },
    refused: { ja: 'DNSサーバーに拒否されました。', en: 'The DNS server refused to answer.' },
    unreachable: { ja: 'DNSサーバーに接続できませんでした。', en: 'The DNS server could not be reached.' },
    bad_answer: {
      ja: 'DNSサーバーの応答を読み取れませんでした。',
      en: 'The answer of the DNS server could not be read.',
    },
  },
} satisfies WordTree
