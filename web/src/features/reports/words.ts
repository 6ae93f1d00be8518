import type { WordTree } from '../../app/word-tree.ts'

export const words = {
  title: { ja: 'レポート', en: 'Reports' },
  description: { ja: '配信したキャンペーンの結果を確認できます。', en: 'Results of the campaigns you have sent.' },
  name: { ja: 'レポート名', en: 'Report name' },
  sent: { ja: '配信数', en: 'Sent' },
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
