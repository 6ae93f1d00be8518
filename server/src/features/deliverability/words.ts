import type { Localized } from '@okaeri/contract/locale'

/** What the downloaded files say. */
export const fileWords = {
  file: { ja: '受信先別', en: 'by receiver' },
  day: { ja: '日付', en: 'Date' },
  receiver: { ja: '受信先', en: 'Receiver' },
  others: { ja: 'その他', en: 'Others' },
  waiting: { ja: '配信待ち', en: 'Waiting' },
  columns: (timezone: string): Localized[] => [
    { ja: '配信数', en: 'Sent' },
    { ja: '受信拒否', en: 'Rejected' },
    { ja: '受信拒否のうち宛先なし', en: 'Of these, no such address' },
    { ja: '受信先によらない失敗', en: 'Failed for reasons of ours' },
    { ja: '到達不明', en: 'Outcome unknown' },
    { ja: '不達（宛先なし）', en: 'Bounced, no such address' },
    { ja: '不達（一時的・容量超過）', en: 'Bounced, temporary or mailbox full' },
    { ja: '不達（受信拒否）', en: 'Bounced, rejected' },
    { ja: '届いたメール', en: 'Delivered' },
    { ja: '迷惑メール報告', en: 'Spam complaints' },
    { ja: '開封', en: 'Opened' },
    { ja: 'クリック', en: 'Clicked' },
    { ja: '受信拒否率（%）', en: 'Rejected (%)' },
    { ja: '宛先なしの割合（%）', en: 'No such address (%)' },
    { ja: '迷惑メール報告率（%）', en: 'Complaint rate (%)' },
    { ja: '開封率（%）', en: 'Open rate (%)' },
    { ja: 'クリック率（%）', en: 'Click rate (%)' },
    { ja: `最初の配信 (${timezone})`, en: `First sent (${timezone})` },
    { ja: `最後の配信 (${timezone})`, en: `Last sent (${timezone})` },
    { ja: '最も多い1分間の配信数', en: 'Most in one minute' },
    { ja: '最近のサーバーの応答', en: 'Last answers of the server' },
  ],
}
