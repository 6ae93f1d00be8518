import { channelNames } from '@okaeri/contract/deliveries/delivery'
import type { WordTree } from '../../app/word-tree.ts'

export const words = {
  title: { ja: 'レポート', en: 'Reports' },
  description: { ja: '配信したキャンペーンの結果を確認できます。', en: 'Results of the campaigns you have sent.' },
  name: { ja: 'レポート名', en: 'Report name' },
  sent: { ja: '配信数', en: 'Sent' },
  byChannel: { ja: 'チャネル別の結果', en: 'Results by channel' },
  channel: { ja: '配信チャネル', en: 'Channel' },
  channels: channelNames,
  openRate: { ja: '開封率', en: 'Open rate' },
  clickRate: { ja: 'クリック率', en: 'Click rate' },
  orders: { ja: '注文', en: 'Orders' },
  revenue: { ja: '売上', en: 'Revenue' },
  otherCurrencies: {
    ja: 'うち{{n}}件は他の通貨（売上に含まず）',
    en: '{{n}} in another currency, not in the revenue',
  },
  lineOpens: {
    ja: 'LINEでは誰が開封したかがわからないため、開封率はメールだけの割合です。',
    en: 'LINE does not say who opened a message, so the open rate is of emails only.',
  },
  ofMails: { ja: 'メール{{n}}通のうち', en: { one: 'of {{n}} email', other: 'of {{n}} emails' } },
  sentAt: { ja: '配信日時', en: 'Sent at' },
  details: { ja: '詳細', en: 'Details' },
  csvRecipients: { ja: '配信先のCSV', en: 'Recipients (CSV)' },
  csvClicks: { ja: 'クリックのCSV', en: 'Clicks (CSV)' },
  empty: {
    title: { ja: 'レポートはまだありません', en: 'No reports yet' },
    text: {
      ja: 'キャンペーンを配信すると、開封、クリック、売上のレポートがここに並びます。',
      en: 'Once you send a campaign, its opens, clicks and revenue appear here.',
    },
    action: { ja: 'キャンペーンを開く', en: 'Go to campaigns' },
  },
} satisfies WordTree
